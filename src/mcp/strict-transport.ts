import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isInputMethod, type JsonObject } from '../protocol/index.ts'
import { AskedRequests, type Reply } from './asked-requests.ts'
import { systemClock, within } from './clock.ts'
import { OrderedDelivery } from './ordered-delivery.ts'
import { RequestGate } from './request-gate.ts'
import { wireCodes } from './wire-error.ts'
import { idKey, isWireId, readMessage, type Reading, type RequestMessage, type ResponseMessage, type WireId } from './wire-message.ts'

export interface StrictTransportOptions {
  /** How many requests of one kind are handled at once; the rest wait their turn. Default 16. */
  readonly requestsAtOnce?: number | undefined
  /** How many of one kind may wait; more are refused. Default 10,000. */
  readonly requestsWaiting?: number | undefined
  /** Told of every message as it leaves and as it comes, for people who look on. Never steers. */
  readonly onTraffic?: ((from: 'client' | 'server', message: unknown) => void) | undefined
  /** The last word on every request of ours, when it leaves. */
  readonly prepare?: ((request: RequestMessage) => RequestMessage) | undefined
  /** What the server did against the protocol, in words for a log. */
  readonly onFault?: ((fault: string) => void) | undefined
}

/** The SDK counts its ids from 0 and does not come this far. */
const firstOwnId = 1_000_000_000
const malformed = 'its _meta is malformed'
/** Longer than answers take that are ready, shorter than anybody notices. */
const finishMs = 200
/** The one revision that knows batches. */
const batchRevision = '2025-03-26'

/**
 * Stands around any transport and holds both sides to the protocol, where the SDK lets things slip.
 *
 * Ids keep their type; an answer to nothing that was asked is dropped; an id that is still open is refused without disturbing the first; requests
 * are handled a bounded number at a time; each gets at most one response; a modern result without `resultType` counts as complete; what is broken is
 * answered where it can be; and a response never overtakes the notifications before it.
 */
export class StrictTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  readonly #base: Transport
  readonly #options: StrictTransportOptions
  readonly #asked = new AskedRequests()
  readonly #gate: RequestGate
  readonly #delivery: OrderedDelivery
  #opening: Promise<void> | undefined
  #closed = false
  #revision: string | undefined
  #questions = 0
  #announceAnswered: () => void = () => {}

  constructor(base: Transport, options: StrictTransportOptions = {}) {
    this.#base = base
    this.#options = options
    this.#delivery = new OrderedDelivery(
      () => this.onmessage,
      (error) => this.onerror?.(error),
    )
    this.#gate = new RequestGate({ atOnce: options.requestsAtOnce ?? 16, waiting: options.requestsWaiting ?? 10_000 })
  }

  get sessionId(): string | undefined {
    return this.#base.sessionId
  }

  get hasPerRequestStream(): boolean {
    return this.#base.hasPerRequestStream === true
  }

  /** The revision that was agreed on, as soon as the server has said so. */
  get revision(): string | undefined {
    return this.#revision
  }

  setProtocolVersion(version: string): void {
    this.#revision = version
    this.#base.setProtocolVersion?.(version)
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#base.setSupportedProtocolVersions?.(versions)
  }

  /** Opens the transport below while nobody listens yet: what arrives is kept until `start`. */
  open(): Promise<void> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  async start(): Promise<void> {
    await this.open()
    if (this.#closed) throw new ConsentryError('CONNECTION_LOST', 'The connection was closed before it was used')
    this.#delivery.resume()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) return 'id' in message ? this.#ask(message as RequestMessage, options) : this.#notify(message, options)
    // Answered already, taken back by the server, or never asked: then there is nobody to answer.
    if (!isWireId(message.id) || !this.#gate.isRunning(idKey(message.id))) return
    this.#gate.release(idKey(message.id))
    await this.#send(message, options)
    if (this.#gate.size === 0) this.#announceAnswered()
  }

  /** Asks something past the SDK. Never rejects. @param requestSignal ends the request where each has a stream of its own */
  ask(method: string, params: JsonObject, requestSignal?: AbortSignal): Promise<Reply> {
    this.#questions += 1
    const id = firstOwnId + this.#questions
    return new Promise((settle) => {
      if (this.#closed) settle({ kind: 'closed' })
      else this.#ask({ jsonrpc: '2.0', id, method, params }, { requestSignal }, settle).catch((error: unknown) => settle({ kind: 'failed', error }))
    })
  }

  /** Lets the answers leave that are on their way: whoever was asked has been told that it is over. */
  async finish(): Promise<void> {
    if (this.#gate.size === 0 || this.#closed) return
    const answered = new Promise<void>((resolve) => {
      this.#announceAnswered = resolve
    })
    await within(systemClock, finishMs, answered)
  }

  async close(): Promise<void> {
    await this.#base.close()
    this.#end()
  }

  async #open(): Promise<void> {
    const onmessage = (value: unknown, extra?: MessageExtraInfo): void => this.#receive(value, extra)
    Object.assign(this.#base, { onmessage, onclose: () => this.#end(), onerror: (error: Error) => this.onerror?.(error) })
    await this.#base.start()
  }

  #send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#options.onTraffic?.('client', message)
    return this.#base.send(message, options)
  }

  async #ask(message: RequestMessage, options?: TransportSendOptions, settle?: (reply: Reply) => void): Promise<void> {
    this.#asked.add(message, settle)
    const forget = (): void => this.#asked.forget(message.id)
    options?.requestSignal?.addEventListener('abort', forget, { once: true })
    const onRequestStreamEnd = options?.onRequestStreamEnd ?? ((): void => this.#settleLost(message.id))
    try {
      await this.#send(this.#options.prepare?.(message) ?? message, this.hasPerRequestStream ? { ...options, onRequestStreamEnd } : options)
    } catch (error) {
      forget()
      throw error
    }
  }

  async #notify(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId']
      if (isWireId(id)) this.#asked.forget(id)
    }
    await this.#send(message, options)
  }

  #receive(value: unknown, extra: MessageExtraInfo | undefined): void {
    this.#options.onTraffic?.('server', value)
    if (!Array.isArray(value)) {
      this.#take(readMessage(value), extra)
      return
    }
    const isAllowed = this.#revision === batchRevision && value.length > 0
    if (!isAllowed) this.#fault('it sent a batch, which this revision does not know')
    for (const part of value) this.#take(isAllowed ? readMessage(part) : refused(readMessage(part)), extra)
  }

  #take(reading: Reading, extra: MessageExtraInfo | undefined): void {
    switch (reading.kind) {
      case 'request':
        if (isSound(reading)) this.#admit(reading.message, extra)
        else this.#refuse(reading.message.id, malformed)
        return
      case 'response':
        if (!this.#asked.has(reading.message.id)) this.#drop(reading.message.id)
        else if (isSound(reading)) this.#settle(reading.message, extra)
        else this.#settleBroken(reading.message.id, malformed, extra)
        return
      case 'notification':
        this.#takeBack(reading.message)
        if (isSound(reading)) this.#delivery.push(reading.message, extra)
        else this.#fault(`its ${reading.message.method} is dropped: ${malformed}`)
        return
      case 'broken':
        if (reading.of === 'request' && reading.id !== undefined) this.#refuse(reading.id, reading.why)
        else if (reading.id !== undefined && this.#asked.has(reading.id)) this.#settleBroken(reading.id, reading.why, extra)
        else this.#fault(`it sent something that is dropped: ${reading.why}`)
        return
      default:
        reading satisfies never
    }
  }

  #admit(message: RequestMessage, extra: MessageExtraInfo | undefined): void {
    if (this.#revision !== undefined && this.#revision > '2025-11-25') {
      this.#fault(`it sent the request ${message.method}, which ${this.#revision} does not allow; dropped`)
      return
    }
    const lane = isInputMethod(message.method) || message.method === 'ping' ? message.method : 'other'
    const verdict = this.#gate.admit(idKey(message.id), lane, () => this.#delivery.push(message, extra))
    if (verdict === 'duplicate') this.#refuse(message.id, 'a request with this id is still open')
    if (verdict === 'full') this.#refuse(message.id, 'too many requests wait already')
  }

  #settle(response: ResponseMessage, extra: MessageExtraInfo | undefined): void {
    const message = this.#asked.settle(response)
    if (message !== undefined) this.#delivery.push(message, extra)
  }

  /** The asker gets an error instead of waiting for ever. */
  #settleBroken(id: WireId, why: string, extra: MessageExtraInfo | undefined): void {
    const mark = this.#asked.markOf(id)
    if (mark) mark.broken = why
    this.#fault(`its response is broken: ${why}`)
    this.#settle({ jsonrpc: '2.0', id, error: { code: wireCodes.internal, message: `The response of the server is broken: ${why}` } }, extra)
  }

  /** Nothing else would tell the asker that its stream has ended without a response. */
  #settleLost(id: WireId): void {
    if (!this.#asked.has(id)) return
    const mark = this.#asked.markOf(id)
    if (mark) mark.isLost = true
    this.#settle({ jsonrpc: '2.0', id, error: { code: wireCodes.internal, message: 'The stream of the request ended before its response came' } }, undefined)
  }

  #drop(id: WireId): void {
    if (!this.#asked.wasForgotten(id)) this.#fault(`it answered ${JSON.stringify(id)}, which nobody asked; dropped`)
  }

  /** The server wants no answer any more: none is sent, whatever comes. */
  #takeBack({ method, params }: { readonly method: string; readonly params?: JsonObject }): void {
    const id = params?.['requestId']
    if (method === 'notifications/cancelled' && isWireId(id)) this.#gate.release(idKey(id))
  }

  #refuse(id: WireId, why: string): void {
    this.#fault(`its request ${JSON.stringify(id)} is refused: ${why}`)
    const refusal = { jsonrpc: '2.0' as const, id, error: { code: wireCodes.invalidRequest, message: `Invalid request: ${why}` } }
    this.#send(refusal).catch((error: Error) => this.onerror?.(error))
  }

  #fault(what: string): void {
    this.#options.onFault?.(`The server breaks the protocol: ${what}`)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    // What came before the end counts.
    this.#delivery.flush()
    this.#gate.clear()
    this.#announceAnswered()
    this.#asked.end()
    this.onclose?.()
  }
}

/** Whether the SDK takes it: what it does not take, it drops without a word. */
function isSound({ kind, message }: Exclude<Reading, { readonly kind: 'broken' }>): boolean {
  if (kind === 'request') return isJSONRPCRequest(message)
  return kind === 'notification' ? isJSONRPCNotification(message) : isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
}

/** What stands in a batch that must not be: each asker is told, nothing is done. */
function refused(reading: Reading): Reading {
  const why = 'it came in a batch'
  if (reading.kind === 'request' || reading.kind === 'response') return { kind: 'broken', of: reading.kind, why, id: reading.message.id }
  return { kind: 'broken', of: 'unknown', why }
}
