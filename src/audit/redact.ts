import { findCards } from './find-cards.ts'
import { findOpenKey, findPrivateKeys } from './private-keys.ts'
import { isPlaceholder, secretKinds, type SecretKind } from './secret-kinds.ts'

/** No secret that is known has fewer characters, its name included. */
const SHORTEST = 8

/**
 * Puts `[redacted:KIND]` in the place of every secret that is known by its form: keys, tokens, passwords beside their name, card numbers.
 * Exactly the secret is replaced; placeholders, public keys, hashes and identifiers stay. Doing it twice changes nothing, and the time is proportional to the length.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST) return text
  return redactCards(secretKinds.reduce(redactKind, redactPrivateKeys(text)))
}

/** More than any secret that is known has characters, private keys apart: those have no end where theirs is cut off. */
const MARGIN = 8_192

/**
 * The beginning of a text without its secrets, and `…` where there is more. None is cut into something that nobody knows as a secret any more, and what is left out
 * takes no time.
 *
 * @param longest characters
 */
export function redactBeginning(text: string, longest: number): string {
  const read = text.slice(0, longest + 2 * MARGIN)
  const redacted = redact(read)
  // A secret in which it was cut off stands at its very end, where it is no key that is masked as far as there is any.
  const sound = read.length < text.length && findOpenKey(read) === undefined ? redacted.length - MARGIN : redacted.length
  const shown = redacted.slice(0, Math.max(0, Math.min(longest, sound)))
  return shown.length < redacted.length || read.length < text.length ? `${shown}…` : shown
}

function redactPrivateKeys(text: string): string {
  let redacted = ''
  let from = 0
  for (const { start, end = text.length } of findPrivateKeys(text)) {
    redacted += `${text.slice(from, start)}${mark('private-key')}`
    from = end
  }
  return redacted + text.slice(from)
}

function redactKind(text: string, { kind, pattern }: SecretKind): string {
  return text.replaceAll(pattern, (...match: readonly unknown[]) => {
    const found = match[0] as string
    const groups = match.at(-1)
    const secret = typeof groups === 'object' ? (groups as { secret: string }).secret : found
    if (isPlaceholder(secret) || secret.includes('[redacted:')) return found
    const start = found.lastIndexOf(secret)
    return `${found.slice(0, start)}${mark(kind)}${found.slice(start + secret.length)}`
  })
}

function redactCards(text: string): string {
  let redacted = ''
  let from = 0
  for (const { start, end } of findCards(text)) {
    redacted += `${text.slice(from, start)}${mark('card')}`
    from = end
  }
  return redacted + text.slice(from)
}

function mark(kind: string): string {
  return `[redacted:${kind}]`
}
