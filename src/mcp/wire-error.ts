import { ConsentryError, type ErrorCode } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** An error as JSON-RPC writes it. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The numbers that we read or send; no other file has any. @see MCP 2026-07-28 basic "Error Codes", 2025-11-25 client/elicitation and client/sampling "Error Handling" */
export const wireCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
  urlElicitationRequired: -32042,
  userRejected: -1,
} as const

/** What a server is told, by code of ours. Without a `message` of its own, an error of ours says what the server's author has to change, so that its words go out. */
const outgoing: Partial<Record<ErrorCode, { readonly code: number; readonly message?: string; readonly reason?: string }>> = {
  FORM_SCHEMA_INVALID: { code: wireCodes.invalidParams },
  ELICITATION_INVALID: { code: wireCodes.invalidParams },
  SAMPLING_INVALID: { code: wireCodes.invalidParams },
  PROTOCOL_VIOLATION: { code: wireCodes.invalidParams },
  URL_REFUSED: { code: wireCodes.invalidParams },
  SAMPLING_DENIED: { code: wireCodes.userRejected, message: 'User rejected sampling request' },
  FEATURE_NOT_DECLARED: { code: wireCodes.methodNotFound },
  NO_ONE_TO_ASK: { code: wireCodes.internal, message: 'Nobody could be asked', reason: 'no-one-to-ask' },
  LIMIT_REACHED: { code: wireCodes.internal, message: 'A limit that the user set is reached', reason: 'limit-reached' },
  MODEL_FAILED: { code: wireCodes.internal, message: 'The model gave no answer', reason: 'model-failed' },
  MODEL_UNKNOWN: { code: wireCodes.internal, message: 'No model can answer this', reason: 'no-model' },
  CALL_CANCELLED: { code: wireCodes.internal, message: 'The call that this belonged to was cancelled', reason: 'call-ended' },
  CALL_TIMED_OUT: { code: wireCodes.internal, message: 'Nobody answered in time', reason: 'timed-out' },
}

/** Why nobody answered, where that was not for want of somebody to ask. */
const unanswered: Readonly<Record<string, string>> = {
  'answer-does-not-fit': 'The answer that was given does not fit the question',
  'asked-too-often': 'Too many questions were asked in a short time',
  closed: 'The question was closed without an answer',
  'desk-closed': 'The application was closed before anybody answered',
  'desk-lost': 'Nobody could be reached to answer',
  muted: 'The user does not want to be asked any more',
  'timed-out': 'Nobody answered in time',
  'too-many-waiting': 'Too many questions are waiting already',
}

/**
 * Says an error of ours in JSON-RPC's numbers. An error that came from a server goes on as it came, byte for byte.
 *
 * Never carries more than the place of the fault, a reason and the time to wait: no words of providers, no paths, no values.
 */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof ConsentryError)) return { code: wireCodes.internal, message: 'Internal error' }
  if (error.code === 'SERVER_ERROR') return serverErrorOf(error) ?? { code: wireCodes.internal, message: 'Internal error' }
  const { code, message, reason } = outgoing[error.code] ?? { code: wireCodes.internal, message: 'Internal error' }
  // Where nobody answered, the error itself knows why: no one there, too late, a script that did not fit.
  const own = error.code === 'NO_ONE_TO_ASK' ? error.data?.['reason'] : undefined
  const wait = error.code === 'LIMIT_REACHED' ? error.data?.['retryAfterSeconds'] : undefined
  const data = {
    ...placeOf(error),
    ...(reason !== undefined && { reason: typeof own === 'string' ? own : reason }),
    ...(typeof wait === 'number' && { retryAfterSeconds: wait }),
  }
  const why = typeof own === 'string' && Object.hasOwn(unanswered, own) ? unanswered[own] : undefined
  return { code, message: why ?? message ?? error.message, ...(Object.keys(data).length > 0 && { data }) }
}

/** An error that a server sent, kept whole: `data` holds its `code`, `message` and, where it had any, `data`. */
export function serverError({ code, message, data }: WireError, options: ErrorOptions = {}): ConsentryError {
  return new ConsentryError('SERVER_ERROR', `The server answered with error ${code}: ${message.slice(0, 1000)}`, {
    ...options,
    data: { code, message, ...(data !== undefined && { data }) },
  })
}

/** The error as the server sent it, where this is one. */
export function serverErrorOf(error: unknown): WireError | undefined {
  if (!(error instanceof ConsentryError) || error.code !== 'SERVER_ERROR') return undefined
  return readWireError(error.data)
}

/** Reads a JSON-RPC error object; undefined where it is none. */
export function readWireError(value: unknown): WireError | undefined {
  if (!isJsonObject(value) || !Number.isSafeInteger(value['code']) || typeof value['message'] !== 'string') return undefined
  const { code, message, data } = value as JsonObject & { readonly code: number; readonly message: string }
  return { code, message, ...(data !== undefined && { data }) }
}

/** Something to throw where the SDK wants to turn it into an error response. */
export function throwable({ code, message, data }: WireError): Error & WireError {
  return Object.assign(new Error(message), { code, data })
}

function placeOf({ code, data }: ConsentryError): Record<string, string> {
  if (outgoing[code]?.code !== wireCodes.invalidParams) return {}
  const known = ['field', 'path', 'reason'].filter((key) => typeof data?.[key] === 'string')
  return Object.fromEntries(known.map((key) => [key, data?.[key] as string]))
}
