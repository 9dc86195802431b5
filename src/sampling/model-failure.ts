import { ConsentryError } from '../errors.ts'
import type { JsonObject, Phrase } from '../protocol/index.ts'
import { isJsonObject } from '../protocol/index.ts'

/** Why a model gave no answer, where a person can do something about it: keys of sentences that every surface has in its own language. */
export const failureKeys = [
  'model-busy',
  'model-broken',
  'model-insecure',
  'model-key-missing',
  'model-key-refused',
  'model-late',
  'model-not-found',
  'model-refused',
  'model-stopped',
  'model-unpaid',
  'model-unreachable',
] as const

export type FailureKey = (typeof failureKeys)[number]

export interface FailureOptions {
  readonly cause?: unknown
  readonly spent?: 'nothing' | undefined
  readonly why?: FailureKey | undefined
  /** What the sentence of `why` needs to know beside the model: a host, a status. Never a key, never a whole address. */
  readonly facts?: JsonObject | undefined
}

/** Why a model gave no answer, in words of ours: what providers say may hold keys and prompts, and stays in `cause` at most. */
export function modelFailed(name: string, because: string, { cause, spent, why, facts }: FailureOptions = {}): ConsentryError {
  const data = { ...(spent && { spent }), ...(why && { why }), ...(facts && { facts }) }
  return new ConsentryError('MODEL_FAILED', `${name} ${because}`, { ...(cause !== undefined && { cause }), ...(Object.keys(data).length > 0 && { data }) })
}

export function failureOf(name: string, error: unknown): ConsentryError {
  return error instanceof ConsentryError ? error : modelFailed(name, 'gave no answer', { cause: error })
}

/** True where it was the model, or the way to it, that failed: another try, or another model, may do. */
export function isModelFailure({ code }: ConsentryError): boolean {
  return code === 'MODEL_FAILED' || code === 'MODEL_UNKNOWN'
}

/** The reason of a failed model for people, without anything that the provider said. */
export function describeFailure(model: string, { code, message, data = {} }: ConsentryError): Phrase {
  const { why, facts } = data
  const key = typeof why === 'string' ? why : code.toLowerCase().replaceAll('_', '-')
  return { key, facts: { model, ...(isJsonObject(facts) && facts) }, sentence: message }
}

/** True where a failure is known to have cost nothing: the request never left, or was turned away. */
export function spentNothing(error: unknown): boolean {
  return error instanceof ConsentryError && (error.code === 'MODEL_UNKNOWN' || error.data?.['spent'] === 'nothing')
}
