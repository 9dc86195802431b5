import { redact, redactBeginning } from '../audit/redact.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'

const LONGEST_TEXT = 4_000
const LONGEST_MESSAGE = 64_000
const DEEPEST = 40
/** A value costs this much beside its characters: its indentation. */
const VALUE_COST = 20
const HIDDEN = '(hidden)'

export interface MaskOptions {
  /** Names of fields whose values are not shown. */
  readonly secrets?: readonly string[] | undefined
  /** It is as it stands on the wire, where answers to questions are what a person typed: whatever their fields are called, no value is shown. */
  readonly isWire?: boolean | undefined
}

/**
 * A message as indented JSON for people's eyes: fields that are marked as secret and what looks like a secret are masked, bytes of media are counted, long texts are cut.
 * Of a message without end no more is looked at than can be shown.
 */
export function maskMessage(message: unknown, { secrets = [], isWire = false }: MaskOptions = {}): string {
  const shortened = shorten(message, { secrets: new Set(secrets), isWire, room: 2 * LONGEST_MESSAGE }, 0)
  const text = redact(JSON.stringify(shortened, undefined, 2) ?? 'null')
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}\n…` : text
}

interface Shortening {
  readonly secrets: ReadonlySet<string>
  readonly isWire: boolean
  /** Characters that there is still room for. */
  room: number
}

function shorten(value: unknown, shortening: Shortening, depth: number): unknown {
  shortening.room -= VALUE_COST
  if (depth > DEEPEST || shortening.room <= 0) return '…'
  if (typeof value === 'string') return shortenText(value, shortening)
  if (Array.isArray(value)) {
    const elements: unknown[] = []
    for (const element of value.slice(0, 500) as unknown[]) if (shortening.room > 0) elements.push(shorten(element, shortening, depth + 1))
    return elements
  }
  if (!isJsonObject(value)) return value
  const isMedia = typeof value['mimeType'] === 'string'
  const isAnswer = shortening.isWire && typeof value['action'] === 'string'
  const members: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    if (shortening.room <= 0) break
    const member = value[key]
    const shown = shortenText(key, shortening)
    if (isMedia && (key === 'data' || key === 'blob') && typeof member === 'string') members.push([shown, `(${Math.ceil((member.length * 3) / 4)} bytes)`])
    else if (shortening.secrets.has(key)) members.push([shown, HIDDEN])
    else if (isAnswer && key === 'content') members.push([shown, hideValues(member, shortening)])
    else members.push([shown, shorten(member, shortening, depth + 1)])
  }
  return Object.fromEntries(members)
}

function shortenText(text: string, shortening: Shortening): string {
  const shown = text.length > LONGEST_TEXT ? redactBeginning(text, LONGEST_TEXT) : text
  shortening.room -= shown.length
  return shown
}

function hideValues(content: unknown, shortening: Shortening): JsonObject | string {
  if (!isJsonObject(content)) return HIDDEN
  const names = Object.keys(content).slice(0, 500)
  return Object.fromEntries(names.map((name) => [shortenText(name, shortening), HIDDEN]))
}
