const MOST_LINES = 5
/** What every crash of a runtime prints, and says nothing. */
const NOISE = /^\s*(?:$|at |\^|throw |Node\.js v|node:internal|File "|\}$)/
/** Where a program says what is wrong with it. */
const TELLING = /\b(?:[A-Za-z]*(?:Error|Exception)|error|fatal|panic(?:ked)?|cannot|can't|could not|not found|no such|denied|E[A-Z]{3,})\b/
/** What a wrap of ours says, and what of it is never why a server ended: a wrap that is only tried has no desk. */
const OURS = 'consentry: '
const NO_REASON = `${OURS}nobody can be asked here`

/**
 * What a program that died said last, as far as it helps: the line that names the fault is in it, wherever it stands.
 *
 * Behind a wrap of ours that is the server; what the wrap says itself comes after it, as far as it was said later.
 */
export function lastWords(stderr: string): string {
  const lines = stderr.split(/\r?\n/).filter((line) => !NOISE.test(line))
  const theirs: string[] = []
  let ours: string[] = []
  for (const line of lines) {
    if (line.startsWith(OURS) || (ours.length > 0 && line.startsWith('  | '))) ours.push(line)
    else {
      theirs.push(line)
      ours = []
    }
  }
  return [...tellingEnd(theirs), ...tellingEnd(ours.filter((line) => !line.startsWith(NO_REASON)))].join('\n').trim()
}

function tellingEnd(lines: readonly string[]): readonly string[] {
  const last = lines.slice(-MOST_LINES)
  if (last.some((line) => TELLING.test(line))) return last
  const telling = lines.findLast((line) => TELLING.test(line))
  return telling === undefined ? last : [telling, ...last.slice(1)]
}
