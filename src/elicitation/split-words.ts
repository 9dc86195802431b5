/** Words of one phrase, lower case. */
export type Phrase = readonly string[]

const spacedOut = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}$@][ ._·•-]){2,}[\p{L}\p{N}$@](?![\p{L}\p{N}])\.?/gu
const breaks = /[,;:!?()[\]{}/|"“”„«»•…\n]+|\.(?=\s|$)|\s[-–—]+\s|[–—]/u
const chunks = /[\p{L}\p{M}\p{N}$@]+/gu
const letterSigns: Readonly<Record<string, string>> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', $: 's', '@': 'a' }

/**
 * The phrases of a folded text: split at punctuation, each into words at case, digits, blanks, dashes and underscores.
 *
 * A phrase with digits or signs among its letters, or with wild case, comes back in every way that it can be read.
 */
export function splitPhrases(folded: string): readonly Phrase[] {
  const joined = folded.replaceAll(spacedOut, (letters) => letters.replaceAll(/[ ._·•-]/gu, '').toLowerCase()).replaceAll(/['’`´]/gu, '')
  return joined.split(breaks).flatMap(readings)
}

function readings(phrase: string): readonly Phrase[] {
  const parts = phrase.match(chunks)
  if (parts === null) return []
  const found = [parts.flatMap(splitCase)]
  if (parts.some(hasWildCase)) found.push(parts.flatMap((part) => (hasWildCase(part) ? part.toLowerCase() : splitCase(part))))
  if (!parts.some(isSwapped)) return found
  for (const one of ['i', 'l']) {
    const spelling = parts.map((part) => unswap(part, one))
    found.push(
      spelling.flatMap(splitCase),
      spelling.map((part) => part.toLowerCase()),
    )
  }
  return found
}

/** Letters with digits or signs among them, as in Passw0rd. */
function isSwapped(part: string): boolean {
  return /[0134579$@]/u.test(part) && /\p{L}/u.test(part)
}

function unswap(part: string, one: string): string {
  if (!isSwapped(part)) return part
  return part.replaceAll(/[0134579$@]/gu, (sign) => letterSigns[sign] ?? one)
}

/** PaSsWoRd, APIkey: case that tells no words apart. */
function hasWildCase(part: string): boolean {
  if (!/\p{Lu}/u.test(part.slice(1))) return false
  const words = splitCase(part)
  return words.length > 1 && (part.length / words.length <= 2.5 || /\p{Lu}{2}\p{Ll}/u.test(part))
}

/** apiKey, APIKey, key2: words that case and digits tell apart. */
function splitCase(part: string): readonly string[] {
  if (/^[A-Z]?[a-z]+$/u.test(part)) return [part.toLowerCase()]
  const words = part.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}][\p{Lo}\p{Lm}\p{M}]*/gu) ?? []
  return words.map((word) => word.toLowerCase())
}
