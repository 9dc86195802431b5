import { findCards } from './find-cards.ts'
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

/** From BEGIN to the END of the same title, or to the end of the text: rather too much than too little. */
function redactPrivateKeys(text: string): string {
  const begin = /-----BEGIN ([A-Z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?)-----/g
  let redacted = ''
  let from = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const last = `-----END ${match[1] ?? ''}-----`
    const end = text.indexOf(last, begin.lastIndex)
    redacted += `${text.slice(from, match.index)}${mark('private-key')}`
    if (end === -1) return redacted
    from = end + last.length
    begin.lastIndex = from
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
