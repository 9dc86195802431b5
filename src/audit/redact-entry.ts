import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import type { AuditEntry } from './audit-entry.ts'
import { redactBeginning } from './redact.ts'

/** An entry as it is kept: with its time, and without secrets. */
export type KeptEntry = AuditEntry & { readonly at: string }

/** Characters of one text in an entry; what a server wrote may be endless. */
const LONGEST = 4_000
const DEEPEST = 20

/** Short texts without a secret: names and ids come again and again. */
const sound = new Set<string>()
const LONGEST_KNOWN = 100
const MOST_KNOWN = 1_000
/** An id of ours: no secret, and new in every question. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Stamps an entry, takes secrets out of every text in it, keys included, and cuts off what is too long. @param now milliseconds since the epoch */
export function redactEntry(entry: AuditEntry, now: number): KeptEntry {
  const { at = new Date(now).toISOString(), ...kept } = redactValue(entry as unknown as JsonObject, 0) as unknown as AuditEntry
  return { ...kept, at }
}

function redactValue(value: Json, depth: number): Json {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((element: Json) => redactValue(element, depth + 1))
  if (!isJsonObject(value)) return null
  const members: [string, Json][] = []
  for (const [key, member] of Object.entries(value)) if (member !== undefined) members.push([redactText(key), redactValue(member, depth + 1)])
  return Object.fromEntries(members)
}

function redactText(text: string): string {
  if (sound.has(text) || uuid.test(text)) return text
  const redacted = redactBeginning(text, LONGEST)
  if (redacted === text && text.length <= LONGEST_KNOWN) {
    if (sound.size >= MOST_KNOWN) sound.clear()
    sound.add(text)
  }
  return redacted
}
