/** True where two values are the same JSON. Compares in place: large media are never copied for it. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [ours, theirs] = [presentKeys(one), presentKeys(other)]
  return ours.length === theirs.length && ours.every((key) => Object.hasOwn(other, key) && isSameJson(one[key as never], other[key as never]))
}

/** A member that is undefined is none. */
function presentKeys(value: object): readonly string[] {
  return Object.keys(value).filter((key) => value[key as never] !== undefined)
}
