const MOST_LINES = 5
/** What every crash of a runtime prints, and says nothing. */
const NOISE = /^\s*(?:$|at |\^|throw |Node\.js v|node:internal|File "|\}$)/
/** Where a program says what is wrong with it. */
const TELLING = /\b(?:[A-Za-z]*(?:Error|Exception)|error|fatal|panic(?:ked)?|cannot|can't|could not|not found|no such|denied|E[A-Z]{3,})\b/

/** What a program that died said last, as far as it helps: the line that names the fault is in it, wherever it stands. */
export function lastWords(stderr: string): string {
  const lines = stderr.split(/\r?\n/).filter((line) => !NOISE.test(line))
  const last = lines.slice(-MOST_LINES)
  if (last.some((line) => TELLING.test(line))) return last.join('\n').trim()
  const telling = lines.findLast((line) => TELLING.test(line))
  return (telling === undefined ? last : [telling, ...last.slice(1)]).join('\n').trim()
}
