import { isDigit, isSameAt, openBracket, quote, readText, skipSpace, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers, type FoundMembers } from './read-members.ts'

/** What identifies a request, compared by value and type: `1` and `"1"` are two ids, `1` and `1.0` are one. */
export type RequestId = string | number

/** An id with the place where its sender wrote it: so it is echoed. */
export interface WrittenId {
  readonly value: RequestId
  readonly span: Span
}

/** One line as its receiver has to take it. */
export type Envelope =
  | { readonly kind: 'request'; readonly id: WrittenId; readonly method: string; readonly params: Span | undefined }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Span | undefined }
  | { readonly kind: 'response'; readonly id: WrittenId; readonly result: Span | undefined; readonly error: Span | undefined }
  /** Two receivers could take it for two things, or it is against JSON-RPC: it goes no further. */
  | Refused
  | { readonly kind: 'batch'; readonly flaw: Flaw | undefined }
  /** No message at all. */
  | { readonly kind: 'junk'; readonly why: string }

export interface Refused {
  readonly kind: 'refused'
  readonly of: 'request' | 'notification' | 'response' | 'unknown'
  readonly why: string
  /** Only where there is no doubt about it; `null` where that is what was written. */
  readonly id: WrittenId | null | undefined
}

/** Why a line that can be read must not be passed on as it is. */
export type Flaw = 'a bare carriage return is in it' | 'it is not UTF-8'

/** The members that say what a message is, and whose. */
export const frame: KeySet<'jsonrpc' | 'id' | 'method' | 'params' | 'result' | 'error'> = new KeySet(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])
type Frame = FoundMembers<(typeof frame.names)[number]>
const version = Buffer.from('"2.0"')

/**
 * Reads the frame of one line: what kind of message it is, and where its parts stand. What is inside the parts is not looked at.
 *
 * @see MCP basic "Messages", JSON-RPC 2.0
 */
export function readEnvelope(bytes: Buffer, line: Span, flaw?: Flaw): Envelope {
  const first = bytes[skipSpace(bytes, line.start, line.end)]
  if (first === openBracket) return { kind: 'batch', flaw }
  const found = readMembers(bytes, line, frame)
  if (found === undefined) return { kind: 'junk', why: 'it is no JSON object' }
  const { id, method, params, result, error } = found.spans
  const why = flaw ?? faultOf(bytes, found)
  if (why !== undefined) return refuse(bytes, found, why, flaw)
  if (method !== undefined) {
    const name = readText(bytes, method)
    if (name === undefined) return refuse(bytes, found, 'its method is no text')
    if (id === undefined) return { kind: 'notification', method: name, params }
    const written = readId(bytes, id)
    return written ? { kind: 'request', id: written, method: name, params } : refuse(bytes, found, 'its id is neither text nor a number')
  }
  const written = id && readId(bytes, id)
  return written ? { kind: 'response', id: written, result, error } : { kind: 'junk', why: 'it answers nothing' }
}

function faultOf(bytes: Buffer, { spans, faults }: Frame): string | undefined {
  const { jsonrpc, method, result, error } = spans
  if (faults.length > 0) return `"${faults[0]!}" stands in it twice, or in a spelling that receivers read differently`
  if (jsonrpc === undefined || !isVersion(bytes, jsonrpc)) return 'it does not say "jsonrpc": "2.0"'
  const kinds = Number(method !== undefined) + Number(result !== undefined) + Number(error !== undefined)
  if (kinds === 0) return 'it has neither method nor result nor error'
  return kinds > 1 ? 'it has more than one of method, result and error' : undefined
}

export function isVersion(bytes: Buffer, span: Span): boolean {
  return isSameAt(bytes, span, version) || readText(bytes, span) === '2.0'
}

function refuse(bytes: Buffer, { spans, faults }: Frame, why: string, flaw?: Flaw): Refused {
  const { id, method, result, error } = spans
  const of = method !== undefined ? (id === undefined ? 'notification' : 'request') : result !== undefined || error !== undefined ? 'response' : 'unknown'
  return { kind: 'refused', of, why, id: id === undefined || faults.includes('id') ? undefined : clearId(bytes, id, flaw) }
}

function clearId(bytes: Buffer, span: Span, flaw: Flaw | undefined): WrittenId | null | undefined {
  const written = readId(bytes, span)
  if (written === undefined) return bytes.toString('latin1', span.start, span.end) === 'null' ? null : undefined
  // An id is only clear if its own bytes are sound.
  const isSound = flaw === undefined || typeof written.value === 'number' || isPlain(bytes, span)
  return isSound ? written : undefined
}

function isPlain(bytes: Buffer, { start, end }: Span): boolean {
  for (let here = start; here < end; here += 1) if (bytes[here]! >= 0x80) return false
  return true
}

/** No text of JSON has any: echoed, it would make a message of ours none. */
function hasControls(bytes: Buffer, { start, end }: Span): boolean {
  for (let here = start; here < end; here += 1) if (bytes[here]! < 0x20) return true
  return false
}

const shortNumber = 15
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Any text and any number; undefined where it is neither. */
export function readId(bytes: Buffer, span: Span): WrittenId | undefined {
  const { start, end } = span
  if (bytes[start] === quote) {
    const value = hasControls(bytes, span) ? undefined : readText(bytes, span)
    return value === undefined ? undefined : { value, span }
  }
  if (end - start <= shortNumber && isDigit(bytes[start]!)) {
    const value = readDigits(bytes, start, end)
    if (value >= 0) return { value, span }
  }
  const text = bytes.toString('latin1', start, end)
  return wholeNumber.test(text) ? { value: Number(text), span } : undefined
}

/** Most ids are short and whole. @returns -1 where this is another number */
function readDigits(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] === 0x30 && end - start > 1) return -1
  let value = 0
  for (let here = start; here < end; here += 1) {
    if (!isDigit(bytes[here]!)) return -1
    value = value * 10 + bytes[here]! - 0x30
  }
  return value
}
