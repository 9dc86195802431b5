import type { ParentCall } from './origin.ts'
import type { Revision } from './revision.ts'

/** The three things that a server may ask of the application it serves. */
export type InputKind = 'roots' | 'elicitation' | 'sampling'

export const inputKinds: readonly InputKind[] = ['roots', 'elicitation', 'sampling']

export type InputMethod = 'roots/list' | 'elicitation/create' | 'sampling/createMessage'

export const inputMethods: Readonly<Record<InputMethod, InputKind>> = {
  'roots/list': 'roots',
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
}

export function isInputMethod(method: unknown): method is InputMethod {
  return typeof method === 'string' && Object.hasOwn(inputMethods, method)
}

/**
 * One question of a server, as it came over the wire: a request of its own in the legacy era, an entry of `input_required` in the modern one.
 * `params` are whatever the server sent; the feature that answers parses them.
 */
export interface InputRequest {
  readonly kind: InputKind
  readonly params: unknown
  readonly revision: Revision
  readonly call?: ParentCall | undefined
  /** It came while calls were open, and nothing says that it is for one of them: folders in the legacy era, which servers read when they like. */
  readonly isInCall?: boolean | undefined
  /** The modern era's key of this question within its round. */
  readonly key?: string | undefined
  /** The client said that it answers this, and somebody took that over: where it does not hold any more, the question is the client's again. */
  readonly isTakenOver?: boolean | undefined
}
