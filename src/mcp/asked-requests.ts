import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { markOf, type CallMark } from './call-mark.ts'
import { metaKeys } from './meta-keys.ts'
import type { WireError } from './wire-error.ts'
import { idKey, type RequestMessage, type ResponseMessage, type WireId } from './wire-message.ts'

/** What became of a question that was asked past the SDK. */
export type Reply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: WireError }
  /** It could not be sent. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'closed' }

interface Asked {
  readonly isModern: boolean
  readonly mark: CallMark | undefined
  readonly settle: ((reply: Reply) => void) | undefined
}

const remembered = 1000

/** What we asked the server and it has not answered yet, by typed id. */
export class AskedRequests {
  readonly #open = new Map<string, Asked>()
  /** What was cancelled and is not answered yet: an answer that crosses the cancellation is no fault of the server's. */
  readonly #forgotten = new Set<string>()

  add({ id, params }: RequestMessage, settle?: (reply: Reply) => void): void {
    const meta = params?.['_meta']
    const isModern = isJsonObject(meta) && typeof meta[metaKeys.protocolVersion] === 'string'
    this.#open.set(idKey(id), { isModern, mark: markOf(params), settle })
  }

  has(id: WireId): boolean {
    return this.#open.has(idKey(id))
  }

  markOf(id: WireId): CallMark | undefined {
    return this.#open.get(idKey(id))?.mark
  }

  /** Whoever asked does not wait any more. */
  forget(id: WireId): void {
    if (!this.#open.delete(idKey(id))) return
    this.#forgotten.add(idKey(id))
    const [oldest] = this.#forgotten
    if (this.#forgotten.size > remembered && oldest !== undefined) this.#forgotten.delete(oldest)
  }

  wasForgotten(id: WireId): boolean {
    return this.#forgotten.delete(idKey(id))
  }

  /** Takes the response to a request that is open. @returns what the SDK has to see of it; undefined where it did not ask */
  settle(response: ResponseMessage): ResponseMessage | undefined {
    const asked = this.#open.get(idKey(response.id))
    this.#open.delete(idKey(response.id))
    const whole = asked?.isModern ? withResultType(response) : response
    if (asked?.mark) asked.mark.response = whole
    if (asked?.settle === undefined) return whole
    asked.settle('result' in whole ? { kind: 'result', result: whole.result } : { kind: 'error', error: whole.error })
    return undefined
  }

  end(): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const { settle } of open) settle?.({ kind: 'closed' })
  }
}

/** @see MCP 2026-07-28 basic "ResultType": an absent one means complete */
function withResultType(response: ResponseMessage): ResponseMessage {
  if (!('result' in response) || Object.hasOwn(response.result, 'resultType')) return response
  return { ...response, result: { ...response.result, resultType: 'complete' } }
}
