import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import {
  eraOf,
  isJsonObject,
  isRevision,
  latestLegacyRevision,
  type AnswerCapabilities,
  type DeskSession,
  type InputMethod,
  type InputResponse,
  type JsonObject,
  type Revision,
} from '../protocol/index.ts'
import { announceRoots, type RootsAnnouncer } from './announce-roots.ts'
import { answerInput, type InputObserver } from './answer-input.ts'
import { answerRequests } from './answer-requests.ts'
import { defaultCallTimeouts, type CallTimeouts } from './call-clock.ts'
import { responseIn, withMark, type CallMark } from './call-mark.ts'
import { Declaration, knownTo, toClientCapabilities, undeclared } from './capabilities.ts'
import { longestTimer, systemClock, unlessAborted, within, type Clock } from './clock.ts'
import { driveRounds, readStep } from './drive-rounds.ts'
import { metaKeys } from './meta-keys.ts'
import { onAbort } from './on-abort.ts'
import { OpenCalls, type OpenCall } from './open-calls.ts'
import { parentOf } from './parent-call.ts'
import { Rereading } from './rereading.ts'
import { fromSdkError } from './sdk-error.ts'
import { UrlVisits } from './url-required.ts'
import { VisitedPages } from './visited-pages.ts'
import { watchClient } from './watch-client.ts'

export interface AttachOptions {
  readonly timeouts?: Partial<CallTimeouts> | undefined
  readonly observer?: InputObserver | undefined
  readonly clock?: Clock | undefined
  /** Shared with a `StrictTransport`, so that every request says what can be answered when it leaves. */
  readonly declaration?: Declaration | undefined
  /** The revision, where it is known before the client knows it. */
  readonly revision?: (() => string | undefined) | undefined
  /** What to tell those who wait when the connection ends. */
  readonly describeLoss?: (() => ConsentryError) | undefined
}

/** How far a server says that it is. @see MCP basic/utilities/progress */
export interface CallProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface CallOptions {
  /** Aborted: the server is told once, questions of this call are withdrawn, and the call rejects with `CALL_CANCELLED`. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CallProgress) => void) | undefined
  readonly timeouts?: Partial<CallTimeouts> | undefined
  /** For this request only, over HTTP only. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Results pass as they came: nothing is checked away, nothing filled in. */
const asItCame: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'consentry', validate: (value) => ({ value: value as JsonObject }) },
}

/**
 * Gives an SDK client the answers of a desk. Before `connect`: afterwards it is too late to promise anything. Whoever waits for `session.known` first promises what
 * people had remembered, too.
 *
 * Use the calls of what is returned in place of the client's own: they drive the rounds of 2026-07-28, visit required URLs, and do not charge a call
 * for the time in which people think. The session stays the caller's to close.
 *
 * @throws ConsentryError `USAGE` when the client is connected already
 */
export function attach(client: Client, session: DeskSession, options: AttachOptions = {}): AttachedClient {
  if (client.transport !== undefined)
    throw new ConsentryError('USAGE', 'attach(client) comes before client.connect(): capabilities are promised in the handshake')
  return new AttachedClient(client, session, options)
}

/** Made by `attach`. */
export class AttachedClient {
  readonly client: Client
  readonly #session: DeskSession
  readonly #options: AttachOptions
  readonly #clock: Clock
  readonly #calls: OpenCalls
  readonly #declaration: Declaration
  readonly #roots: RootsAnnouncer
  readonly #rereading: Rereading

  /** @internal */
  constructor(client: Client, session: DeskSession, options: AttachOptions) {
    this.client = client
    this.#session = session
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#calls = new OpenCalls(this.#clock)
    const rereading = new Rereading(this.#clock)
    this.#rereading = rereading
    this.#declaration = options.declaration ?? new Declaration(session)
    client.registerCapabilities(toClientCapabilities(latestLegacyRevision, this.#declaration.handshake))
    answerRequests(client, { calls: this.#calls, clock: this.#clock, rereading, context: () => this.#context(this.#declaration.handshake) })
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => session.complete(params.elicitationId))
    this.#roots = announceRoots(client, session, { declaration: this.#declaration, isModern: () => this.#isModern(), rereading })
    watchClient(client, { onConnected: () => this.#roots.ready(), onClosed: () => this.#end() })
  }

  /** What was agreed on; the newest legacy revision until then. */
  get revision(): Revision {
    const known = this.#options.revision?.() ?? this.client.getNegotiatedProtocolVersion() ?? latestLegacyRevision
    return isRevision(known) ? known : '2024-11-05'
  }

  /** @throws ConsentryError see `request` */
  callTool(params: { readonly name: string; readonly arguments?: JsonObject | undefined }, options?: CallOptions): Promise<JsonObject> {
    return this.request('tools/call', params, options)
  }

  /** @throws ConsentryError see `request` */
  getPrompt(params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined }, options?: CallOptions): Promise<JsonObject> {
    return this.request('prompts/get', params, options)
  }

  /** @throws ConsentryError see `request` */
  readResource(params: { readonly uri: string }, options?: CallOptions): Promise<JsonObject> {
    return this.request('resources/read', params, options)
  }

  /**
   * Sends any request, answers what the server asks meanwhile, and resolves with the result as the server sent it (without `resultType`).
   *
   * @throws ConsentryError `SERVER_ERROR` with the server's own error, `INPUT_REFUSED`, `TOO_MANY_ROUNDS`, `PROTOCOL_VIOLATION`, `CALL_CANCELLED`, `CALL_TIMED_OUT`, `CONNECTION_LOST`
   */
  async request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    const timeouts = { ...defaultCallTimeouts, ...this.#options.timeouts, ...options.timeouts }
    const parent = parentOf(method, params)
    const call = this.#calls.open(parent, timeouts, options.signal)
    try {
      const work = parent === undefined ? this.#requestOnce(method, params, call, options) : this.#requestAsking(method, params, call, options)
      return await unlessAborted(work, call.signal)
    } finally {
      call.finish()
    }
  }

  /** Lets open calls come to their end for so long; what is open then ends with the reason, as does whatever is called later. */
  async drain(milliseconds: number, reason: ConsentryError): Promise<void> {
    await within(this.#clock, milliseconds, this.#calls.idle())
    this.#calls.close(reason)
  }

  /** Withdraws what waits, ends what is open, and lets go of the session. The client and its connection stay. Safe to call twice. */
  close(): void {
    this.#roots.stop()
    this.#rereading.close()
    this.#calls.close(new ConsentryError('CALL_CANCELLED', 'The connection is being closed'))
  }

  #end(): void {
    this.#rereading.close()
    this.#calls.endAll((this.#options.describeLoss ?? connectionLost)())
  }

  async #requestOnce(method: string, params: JsonObject, call: OpenCall, options: CallOptions): Promise<JsonObject> {
    const answer = await this.#send(method, params, call, options)
    if (!this.#isModern()) return answer
    const step = readStep(answer)
    if (step.kind === 'complete') return step.result
    throw new ConsentryError('PROTOCOL_VIOLATION', `The server broke the protocol: it asked for input in answer to ${method}, where it must not`)
  }

  async #requestAsking(method: string, params: JsonObject, call: OpenCall, options: CallOptions): Promise<JsonObject> {
    if (this.#isModern()) return this.#requestInRounds(method, params, call, options)
    // A call that overtakes the server's reading of its new folders would run in the old ones.
    if (this.#rereading.over) await unlessAborted(this.#rereading.over, call.signal)
    const visits = new UrlVisits()
    for (;;) {
      try {
        return await this.#send(method, params, call, options)
      } catch (error) {
        if (!(await this.#visit(visits, error, call))) throw error
      }
    }
  }

  async #requestInRounds(method: string, params: JsonObject, call: OpenCall, options: CallOptions): Promise<JsonObject> {
    let promised = this.#declaration.handshake
    const request = { revision: this.revision, call: call.parent }
    const [pause, giveUp] = [() => call.clock.pause(), () => this.#calls.giveUp(call)]
    let folderChanges = 0
    const stopCounting = this.#session.on('roots-changed', () => (folderChanges += 1))
    const pages = new VisitedPages({ session: this.#session, clock: this.#clock, request, pause, giveUp, signal: call.signal })
    try {
      const result = await driveRounds({
        signal: call.signal,
        pause,
        folderChanges: () => folderChanges,
        sleep: (milliseconds) => pages.rest(milliseconds),
        send: (retry) => {
          promised = this.#declaration.now()
          pages.sent()
          return this.#send(method, { ...params, ...retry }, call, options)
        },
        mayAsk: (asked, given) => undeclared(asked, given, knownTo(this.revision, promised)) === undefined,
        answer: async (key, asked, given, signal) => {
          pages.asked()
          const response = await this.#answer(asked, given, promised, call, signal, key)
          pages.answered(given, response)
          return response
        },
      })
      pages.returned(result)
      return result
    } finally {
      stopCounting()
      pages.close()
    }
  }

  /** Only 2025-11-25 has this error. */
  async #visit(visits: UrlVisits, error: unknown, call: OpenCall): Promise<boolean> {
    const { revision } = this
    if (revision !== '2025-11-25' || call.signal.aborted) return false
    const resume = call.clock.pause()
    try {
      return await visits.satisfy(error, {
        session: this.#session,
        request: { revision, call: call.parent },
        answer: (params, signal) => this.#answer('elicitation/create', params, this.#declaration.handshake, call, signal),
        signal: call.signal,
      })
    } finally {
      resume()
    }
  }

  #answer(method: InputMethod, params: unknown, promised: AnswerCapabilities, call: OpenCall, signal: AbortSignal, key?: string): Promise<InputResponse> {
    return answerInput(method, params, { ...this.#context(promised), call: call.parent, key }, signal)
  }

  /** One request over the wire. The SDK's own timeout is out of the way: ours knows when people think. */
  async #send(method: string, params: JsonObject, call: OpenCall, { onProgress, headers }: CallOptions): Promise<JsonObject> {
    const mark: CallMark = {}
    const leg = new AbortController()
    const cancel = (): void => leg.abort((call.signal.reason as ConsentryError).message)
    if (call.signal.aborted) cancel()
    const stopWatching = onAbort(call.signal, cancel)
    call.clock.restart()
    try {
      const result = await this.client.request({ method, params: withMark(this.#withPromise(params), mark) }, asItCame, {
        signal: leg.signal,
        timeout: longestTimer,
        allowInputRequired: true,
        ...(headers && { headers }),
        onprogress: (progress) => {
          call.clock.progress()
          onProgress?.(progress)
        },
      })
      return responseIn(mark) ?? result
    } catch (error) {
      const response = responseIn(mark)
      if (response) return response
      throw fromSdkError(error)
    } finally {
      stopWatching()
    }
  }

  /** For clients whose transport is not ours: the SDK would repeat what it knew when it was made. */
  #withPromise(params: JsonObject): JsonObject {
    if (!this.#isModern()) return params
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    return { ...params, _meta: { ...meta, [metaKeys.clientCapabilities]: toClientCapabilities(this.revision, this.#declaration.now()) } }
  }

  #isModern(): boolean {
    return eraOf(this.revision) === 'modern'
  }

  #context(promised: AnswerCapabilities): { session: DeskSession; promised: AnswerCapabilities; revision: Revision; observer: InputObserver | undefined } {
    return { session: this.#session, promised, revision: this.revision, observer: this.#options.observer }
  }
}

function connectionLost(): ConsentryError {
  return new ConsentryError('CONNECTION_LOST', 'The connection to the server is lost')
}
