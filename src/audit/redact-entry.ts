import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import type { AuditEntry } from './audit-entry.ts'
import { redact } from './redact.ts'

/** An entry as it is kept: with its time, and without secrets. */
export type KeptEntry = AuditEntry & { readonly at: string }

/** Characters of one text in an entry; what a server wrote may be endless. */
const LONGEST = 4_000
const DEEPEST = 20

/** Stamps an entry, takes secrets out of every text in it, keys included, and cuts off what is too long. @param now milliseconds since the epoch */
export function redactEntry(entry: AuditEntry, now: number): KeptEntry {
  const stamped = { ...entry, at: entry.at ?? new Date(now).toISOString() }
  return redactValue(stamped, 0) as unknown as KeptEntry
}

function redactValue(value: Json, depth: number): Json {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((element: Json) => redactValue(element, depth + 1))
  if (!isJsonObject(value)) return null
  const members = Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[redactText(key), redactValue(member, depth + 1)]]))
  return Object.fromEntries(members) as JsonObject
}

function redactText(text: string): string {
  const redacted = redact(text)
  return redacted.length > LONGEST ? `${redacted.slice(0, LONGEST)}…` : redacted
}
