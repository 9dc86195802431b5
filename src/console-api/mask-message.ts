import { redact } from '../audit/index.ts'
import { isJsonObject } from '../protocol/index.ts'

const LONGEST_TEXT = 4_000
const LONGEST_MESSAGE = 64_000
const DEEPEST = 40

/**
 * A message as indented JSON for people's eyes: fields that are marked as secret and what looks like a secret are masked, bytes of media are counted, long texts are cut.
 *
 * @param secrets names of fields whose values are not shown
 */
export function maskMessage(message: unknown, secrets: readonly string[] = []): string {
  const text = redact(JSON.stringify(shorten(message, new Set(secrets), 0), undefined, 2) ?? 'null')
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}\n…` : text
}

function shorten(value: unknown, secrets: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) return value.slice(0, 500).map((element) => shorten(element, secrets, depth + 1))
  if (!isJsonObject(value)) return value
  const isMedia = typeof value['mimeType'] === 'string'
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (isMedia && (key === 'data' || key === 'blob') && typeof member === 'string') return [key, `(${Math.ceil((member.length * 3) / 4)} bytes)`]
    if (secrets.has(key) && typeof member !== 'object') return [key, '(hidden)']
    return [key, shorten(member, secrets, depth + 1)]
  })
  return Object.fromEntries(members)
}
