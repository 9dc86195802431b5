import { asTextPattern, type TextPattern } from '../policy/text-pattern.ts'
import type { JsoncDocument } from '../policy/read-jsonc.ts'
import { inputKinds, isJsonObject, type ContentBlock, type InputKind, type Json, type JsonObject } from '../protocol/index.ts'
import { hasHalfCharacter } from '../protocol/json.ts'

/** Which questions an entry answers; what is absent matches everything. */
export interface EntryMatcher {
  readonly request: InputKind
  readonly server?: TextPattern | undefined
  readonly mode?: 'form' | 'url' | undefined
  readonly message?: TextPattern | undefined
}

/** What an entry answers, with the kind of request in it, so that nothing can be mixed up. */
export type EntryAnswer =
  | { readonly request: 'elicitation'; readonly action: 'accept'; readonly content?: JsonObject | undefined }
  | { readonly request: 'elicitation'; readonly action: 'decline' | 'cancel' }
  | {
      readonly request: 'sampling'
      readonly action: 'approve'
      /** Absent: the model is really asked. */
      readonly content?: readonly ContentBlock[] | undefined
      readonly model?: string | undefined
      readonly stopReason?: string | undefined
    }
  | { readonly request: 'sampling'; readonly action: 'deny' }
  /** Absent: the folders configured for the server. */
  | { readonly request: 'roots'; readonly action: 'grant'; readonly roots?: readonly string[] | undefined }
  | { readonly request: 'roots'; readonly action: 'deny' }

/** One entry of an answers file, as a script works with it. */
export interface ScriptEntry {
  readonly when: EntryMatcher
  readonly then: EntryAnswer
  /** How often the entry answers; absent: without limit. */
  readonly times?: number | undefined
}

type Path = readonly (string | number)[]
/** Where entries stand, and how a fault in them is told. */
export type EntrySource = Pick<JsoncDocument, 'value' | 'faultAt'>

/** Reads `{ "answers": [...] }`. @throws what the source makes of the first key or value that is not known */
export function readEntries(document: EntrySource): readonly ScriptEntry[] {
  const top = objectAt(document, document.value, [])
  onlyKeys(document, top, [], ['answers'])
  if (!Array.isArray(top['answers'])) throw document.faultAt('answers' in top ? ['answers'] : [], '"answers" must be a list of entries')
  return top['answers'].map((entry: Json, index) => readEntry(document, entry, ['answers', index]))
}

function readEntry(document: EntrySource, value: Json, path: Path): ScriptEntry {
  const entry = objectAt(document, value, path)
  onlyKeys(document, entry, path, ['when', 'then', 'times'])
  const when = readWhen(document, entry['when'], entry, path)
  const then = readThen(document, entry['then'], entry, path, when)
  const { times } = entry
  if (times === undefined) return { when, then }
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1) throw document.faultAt([...path, 'times'], '"times" must be a whole number from 1')
  return { when, then, times }
}

function readWhen(document: EntrySource, value: Json | undefined, entry: JsonObject, path: Path): EntryMatcher {
  if (value === undefined) throw document.faultAt(path, `an entry needs "when" (it has ${Object.keys(entry).join(', ') || 'nothing'})`)
  const when = objectAt(document, value, [...path, 'when'])
  onlyKeys(document, when, [...path, 'when'], ['request', 'server', 'mode', 'message'])
  const request = oneOf(document, when, [...path, 'when'], 'request', inputKinds)
  const mode = when['mode'] === undefined ? undefined : oneOf(document, when, [...path, 'when'], 'mode', ['form', 'url'] as const)
  if (mode !== undefined && request !== 'elicitation')
    throw document.faultAt([...path, 'when', 'mode'], `"mode" is for elicitation; a ${request} request has none`)
  return {
    request,
    server: optionalPattern(document, when, [...path, 'when'], 'server'),
    mode,
    message: optionalPattern(document, when, [...path, 'when'], 'message'),
  }
}

function readThen(document: EntrySource, value: Json | undefined, entry: JsonObject, path: Path, when: EntryMatcher): EntryAnswer {
  if (value === undefined) throw document.faultAt(path, `an entry needs "then" (it has ${Object.keys(entry).join(', ')})`)
  const here = [...path, 'then']
  const then = objectAt(document, value, here)
  switch (when.request) {
    case 'elicitation':
      return readElicitation(document, then, here)
    case 'sampling':
      return readSampling(document, then, here)
    case 'roots':
      return readRoots(document, then, here)
    default:
      return when.request satisfies never
  }
}

function readElicitation(document: EntrySource, then: JsonObject, path: Path): EntryAnswer {
  const action = oneOf(document, then, path, 'action', ['accept', 'decline', 'cancel'] as const)
  onlyKeys(document, then, path, action === 'accept' ? ['action', 'content'] : ['action'])
  if (action !== 'accept') return { request: 'elicitation', action }
  const content = then['content'] === undefined ? undefined : objectAt(document, then['content'], [...path, 'content'])
  return { request: 'elicitation', action, content }
}

function readSampling(document: EntrySource, then: JsonObject, path: Path): EntryAnswer {
  const action = oneOf(document, then, path, 'action', ['approve', 'deny'] as const)
  onlyKeys(document, then, path, action === 'approve' ? ['action', 'text', 'content', 'stopReason', 'model'] : ['action'])
  if (action === 'deny') return { request: 'sampling', action }
  const text = optionalText(document, then, path, 'text')
  if (text !== undefined && hasHalfCharacter(text))
    throw document.faultAt([...path, 'text'], '"text" holds half of a character (one part of a surrogate pair): write it whole')
  const model = optionalText(document, then, path, 'model')
  const stopReason = optionalText(document, then, path, 'stopReason')
  if (text !== undefined && then['content'] !== undefined) throw document.faultAt([...path, 'content'], 'give "text" or "content", not both')
  const content = text === undefined ? readContent(document, then['content'], path) : [{ type: 'text' as const, text }]
  if (content === undefined && model === undefined)
    throw document.faultAt([...path, 'action'], 'approve needs "text", "content", or the "model" that is to be asked')
  if (content === undefined && stopReason !== undefined)
    throw document.faultAt([...path, 'stopReason'], '"stopReason" is for an answer with "text" or "content"')
  return { request: 'sampling', action, content, model, stopReason }
}

/** What is in the blocks is checked by the sampling feature, as any completion is; here only that they are blocks. */
function readContent(document: EntrySource, value: Json | undefined, path: Path): readonly ContentBlock[] | undefined {
  if (value === undefined) return undefined
  const blocks = Array.isArray(value) ? (value as readonly Json[]) : [value]
  for (const [index, block] of blocks.entries()) {
    const here = Array.isArray(value) ? [...path, 'content', index] : [...path, 'content']
    if (!isJsonObject(block) || typeof block['type'] !== 'string')
      throw document.faultAt(here, '"content" must be a content block with a "type", or a list of them')
  }
  if (blocks.length === 0) throw document.faultAt([...path, 'content'], '"content" needs at least one block')
  return blocks as unknown as readonly ContentBlock[]
}

function readRoots(document: EntrySource, then: JsonObject, path: Path): EntryAnswer {
  const action = oneOf(document, then, path, 'action', ['grant', 'deny'] as const)
  onlyKeys(document, then, path, action === 'grant' ? ['action', 'roots'] : ['action'])
  const { roots } = then
  if (action === 'deny' || roots === undefined) return { request: 'roots', action }
  if (!Array.isArray(roots) || roots.some((root) => typeof root !== 'string' || root === '')) {
    throw document.faultAt([...path, 'roots'], '"roots" must be a list of paths, relative to this file')
  }
  return { request: 'roots', action, roots: roots as readonly string[] }
}

function objectAt(document: EntrySource, value: Json, path: Path): JsonObject {
  if (!isJsonObject(value)) throw document.faultAt(path, `${nameOf(path)} must be an object`)
  return value
}

function onlyKeys(document: EntrySource, value: JsonObject, path: Path, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) throw document.faultAt([...path, unknown], `unknown key "${unknown}"; known here: ${known.join(', ')}`)
}

const actionKeys = ['action', 'content', 'text', 'stopReason', 'model', 'roots']

/** What is missing may be there under a name that is misspelt: then that is named. */
function oneOf<Value extends string>(document: EntrySource, value: JsonObject, path: Path, key: string, known: readonly Value[]): Value {
  const given = value[key]
  if (given === undefined && key === 'action') onlyKeys(document, value, path, actionKeys)
  if (given === undefined) throw document.faultAt(path, `"${key}" is missing; one of: ${known.join(', ')}`)
  const found = known.find((one) => one === given)
  if (found === undefined) throw document.faultAt([...path, key], `"${key}" must be one of: ${known.join(', ')}`)
  return found
}

function optionalText(document: EntrySource, value: JsonObject, path: Path, key: string): string | undefined {
  const given = value[key]
  if (given === undefined) return undefined
  if (typeof given !== 'string') throw document.faultAt([...path, key], `"${key}" must be a text`)
  return given
}

function optionalPattern(document: EntrySource, value: JsonObject, path: Path, key: string): TextPattern | undefined {
  if (value[key] === undefined) return undefined
  const pattern = asTextPattern(value[key])
  if (pattern === undefined) throw document.faultAt([...path, key], `"${key}" must be a text, in which * and ? stand for others, or { "exactly": "…" }`)
  return pattern
}

function nameOf(path: Path): string {
  const last = path.at(-1)
  return last === undefined ? 'an answers file' : typeof last === 'number' ? 'an entry' : `"${last}"`
}
