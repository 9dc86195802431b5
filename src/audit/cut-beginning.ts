import { findOpenKey } from './private-keys.ts'

/** What goes on for so long after its BEGIN is no private key. */
const longestKey = 64 * 1024

/**
 * The end of a text that grows, cut so that `redact` still finds its secrets later: it begins with a whole line, and where that is in the middle of a private key, with
 * that key's BEGIN. Of a line that is longer than all that is kept, the beginning stays.
 *
 * @param most characters, about
 */
export function cutBeginning(text: string, most: number): string {
  if (text.length <= most) return text
  const newline = text.indexOf('\n', text.length - most - 1)
  if (newline >= 0) return `${beginOf(text.slice(0, newline + 1))}${text.slice(newline + 1)}`
  const line = text.lastIndexOf('\n') + 1
  const kept = `${beginOf(text.slice(0, line))}${text.slice(line, line + Math.floor(most / 2))}`
  return findOpenKey(kept) === undefined ? `${kept}${beginOf(text)}` : kept
}

function beginOf(gone: string): string {
  const key = findOpenKey(gone)
  return key === undefined || (key.start === 0 && gone.length > longestKey) ? '' : `${key.begin}\n`
}
