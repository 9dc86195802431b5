import { ConsentryError } from '../errors.ts'

/** Why a model gave no answer, in words of ours: what providers say may hold keys and prompts, and stays in `cause` at most. */
export function modelFailed(name: string, because: string, options: { readonly cause?: unknown; readonly spent?: 'nothing' | undefined } = {}): ConsentryError {
  const { cause, spent } = options
  return new ConsentryError('MODEL_FAILED', `${name} ${because}`, { ...(cause !== undefined && { cause }), ...(spent && { data: { spent } }) })
}

export function failureOf(name: string, error: unknown): ConsentryError {
  return error instanceof ConsentryError ? error : modelFailed(name, 'gave no answer', { cause: error })
}

/** True where a failure is known to have cost nothing: the request never left, or was turned away. */
export function spentNothing(error: unknown): boolean {
  return error instanceof ConsentryError && (error.code === 'MODEL_UNKNOWN' || error.data?.['spent'] === 'nothing')
}
