import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { isTooDeep, mostLevels } from '../protocol/json.ts'
import { readWireError, type WireError } from './wire-error.ts'

/** What identifies a request. `1` and `"1"` are different ids; null is none. @see MCP basic "Requests" */
export type WireId = string | number

export interface RequestMessage {
  readonly jsonrpc: '2.0'
  readonly id: WireId
  readonly method: string
  readonly params?: JsonObject
}

export interface NotificationMessage {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: JsonObject
}

export type ResponseMessage = {
  readonly jsonrpc: '2.0'
  readonly id: WireId
} & ({ readonly result: JsonObject } | { readonly error: WireError })

/** One message as its receiver has to take it. */
export type Reading =
  | { readonly kind: 'request'; readonly message: RequestMessage }
  | { readonly kind: 'notification'; readonly message: NotificationMessage }
  | { readonly kind: 'response'; readonly message: ResponseMessage }
  /** What is no message; where an id can be read, its sender or its asker can still be told. */
  | { readonly kind: 'broken'; readonly of: 'request' | 'response' | 'unknown'; readonly why: string; readonly id?: WireId | undefined }

/** Ids as map keys that keep the JSON type. */
export function idKey(id: WireId): string {
  return typeof id === 'string' ? `"${id}"` : String(id)
}

export function isWireId(value: unknown): value is WireId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** Reads one JSON value that came over the wire. Members that JSON-RPC does not know are left out; presence decides, never truth (`0` and `""` are ids). */
export function readMessage(value: unknown): Reading {
  const reading = readShape(value)
  if (reading.kind === 'broken' || !isTooDeep(reading.message)) return reading
  const of = reading.kind === 'notification' ? 'unknown' : reading.kind
  return broken(of, `it is nested deeper than ${mostLevels} levels`, reading.kind === 'notification' ? undefined : reading.message.id)
}

function readShape(value: unknown): Reading {
  if (!isJsonObject(value)) return broken('unknown', 'it is no object')
  const id = Object.hasOwn(value, 'id') ? value['id'] : undefined
  const known = isWireId(id) ? id : undefined
  if (Object.hasOwn(value, 'method')) return readAsked(value, id, known)
  if (!Object.hasOwn(value, 'result') && !Object.hasOwn(value, 'error')) return broken('unknown', 'it has neither method nor result nor error', known)
  if (known === undefined) return broken('response', 'it answers nothing that was asked')
  if (value['jsonrpc'] !== '2.0') return broken('response', 'it does not say "jsonrpc": "2.0"', known)
  return readAnswer(value, known)
}

function readAsked(value: JsonObject, id: unknown, known: WireId | undefined): Reading {
  const { method, params } = value
  const of = Object.hasOwn(value, 'id') ? 'request' : 'unknown'
  if (value['jsonrpc'] !== '2.0') return broken(of, 'it does not say "jsonrpc": "2.0"', known)
  if (typeof method !== 'string') return broken(of, 'its method is no text', known)
  if (params !== undefined && params !== null && !isJsonObject(params)) return broken(of, 'its params are no object', known)
  const rest = { method, ...(isJsonObject(params) && { params }) }
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', message: { jsonrpc: '2.0', ...rest } }
  if (known === undefined) return broken('request', `its id must be text or a whole number, not ${id === null ? 'null' : typeof id}`)
  return { kind: 'request', message: { jsonrpc: '2.0', id: known, ...rest } }
}

function readAnswer(value: JsonObject, id: WireId): Reading {
  const { result } = value
  if (Object.hasOwn(value, 'result') && Object.hasOwn(value, 'error')) return broken('response', 'it has both a result and an error', id)
  if (Object.hasOwn(value, 'error')) {
    const error = readWireError(value['error'])
    return error ? { kind: 'response', message: { jsonrpc: '2.0', id, error } } : broken('response', 'its error has no code or no message', id)
  }
  return isJsonObject(result) ? { kind: 'response', message: { jsonrpc: '2.0', id, result } } : broken('response', 'its result is no object', id)
}

function broken(of: 'request' | 'response' | 'unknown', why: string, id?: WireId): Reading {
  return { kind: 'broken', of, why, id }
}
