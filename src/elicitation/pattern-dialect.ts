/** How an ECMA-262 expression is read: with Unicode rules first, and without them only where that misreads nothing. */
export type PatternFlags = 'u' | ''

/** The ways in which a pattern may be read, best first; whether it compiles is another question. */
export function flagsToTry(pattern: string): readonly PatternFlags[] {
  return escapesUnknownLetter(pattern) ? ['u'] : ['u', '']
}

/**
 * What compiling a pattern costs, in about a millionth of a second each: V8 builds a set of characters for every property escape.
 * A pattern is compiled in one piece that nothing can interrupt, so that this must be known before.
 */
export function weighPattern(pattern: string): number {
  return pattern.length + 50 * (pattern.split(/\\[pP]/u).length - 1)
}

/** Whether ECMA-262 knows the pattern. Compiles it: to be asked only of patterns that are light enough. */
export function compilesPattern(pattern: string): boolean {
  return flagsToTry(pattern).some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp
    } catch {
      return false
    }
  })
}

/** Letters that mean something after a backslash without the `u` flag; every other letter would silently stand for itself. */
const knownEscape = /[dDsSwWbBfnrtv]|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|k<[^>]+>/uy

/** @see ECMA-262, annex B.1.2, `IdentityEscape` */
function escapesUnknownLetter(pattern: string): boolean {
  let inClass = false
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!
    if (character === '[') inClass = true
    if (character === ']') inClass = false
    if (character !== '\\') continue
    index += 1
    const letter = pattern[index] ?? ''
    if (!/[A-Za-z]/u.test(letter)) continue
    knownEscape.lastIndex = index
    if (!knownEscape.test(pattern)) return true
    if (inClass && (letter === 'B' || letter === 'k')) return true
    if (letter === 'k' && !pattern.includes('(?<')) return true
  }
  return false
}
