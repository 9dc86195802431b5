export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** One line of the report: what was measured, what came out, and whether it is within its limit. */
export function verdict(name, measured, isWithin) {
  console.log(`${isWithin ? 'ok  ' : 'OVER'}  ${name}: ${measured}`)
  return isWithin
}
