import type { JsonObject } from '../protocol/index.ts'
import type { ResponseMessage } from './wire-message.ts'

/** Travels with the parameters of a call to our own transport, never over the wire, and brings the server's response back as it was: the SDK rewrites some errors and rejects some results. */
export interface CallMark {
  response?: ResponseMessage
  /** Why the response could not be read, where that is so. */
  broken?: string
}

const callMark: unique symbol = Symbol('consentry call')

/** JSON leaves symbols out, and copying keeps them. */
export function withMark(params: JsonObject, mark: CallMark): JsonObject {
  return Object.assign({ ...params }, { [callMark]: mark })
}

export function markOf(params: { readonly [callMark]?: CallMark } | undefined): CallMark | undefined {
  return params?.[callMark]
}
