import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import { serverError } from './wire-error.ts'
import type { ResponseMessage } from './wire-message.ts'

/** Travels with the parameters of a call to our own transport, never over the wire, and brings the server's response back as it was: the SDK rewrites some errors and rejects some results. */
export interface CallMark {
  response?: ResponseMessage
  /** Why the response could not be read, where that is so. */
  broken?: string
  /** The stream that should have brought it has ended. */
  isLost?: boolean
}

const callMark: unique symbol = Symbol('consentry call')

/** JSON leaves symbols out, and copying keeps them. */
export function withMark(params: JsonObject, mark: CallMark): JsonObject {
  return Object.assign({ ...params }, { [callMark]: mark })
}

export function markOf(params: { readonly [callMark]?: CallMark } | undefined): CallMark | undefined {
  return params?.[callMark]
}

/** The response as the server sent it, where our own transport brought it back. @throws ConsentryError `SERVER_ERROR`, `PROTOCOL_VIOLATION` */
export function responseIn({ response, broken, isLost }: CallMark): JsonObject | undefined {
  if (isLost) throw new ConsentryError('CONNECTION_LOST', 'The stream of the call ended before its result came')
  if (broken !== undefined) throw new ConsentryError('PROTOCOL_VIOLATION', `The server broke the protocol: its response is broken, ${broken}`)
  if (response === undefined) return undefined
  if ('error' in response) throw serverError(response.error)
  return response.result
}
