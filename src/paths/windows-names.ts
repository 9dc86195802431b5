import type { PathProblem } from './path-problem.ts'

const ILLEGAL = /[<>:"|?*\u0000-\u001f]/
const TRAILING = /[. ]$/
/** The device answers whatever extension follows, and blanks before it are dropped. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i

/** What is wrong with one name under Windows' rules; such names reach something else than they say, or nothing. */
export function problemOfWindowsName(name: string): PathProblem | undefined {
  if (ILLEGAL.test(name)) return 'illegal-character'
  if (TRAILING.test(name)) return 'trailing-dot'
  return DEVICE.test(name) ? 'device-name' : undefined
}

/** A name as Windows compares it: one character to one upper-case character, so that `ß` never equals `SS`. */
export function foldName(name: string): string {
  return Array.from(name, (character) => {
    const upper = character.toUpperCase()
    return upper.length === character.length ? upper : character
  }).join('')
}
