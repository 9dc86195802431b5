import { ConsentryError } from '../errors.ts'
import { within, type Clock } from '../mcp/clock.ts'
import { HttpTransport } from '../mcp/http-transport.ts'
import { OAuthAccess, type SignInNeeds } from '../mcp/oauth-access.ts'
import { fromSdkError, wordsOf } from '../mcp/sdk-error.ts'
import { serverErrorOf, wireCodes } from '../mcp/wire-error.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { ArgumentHeaders } from './argument-headers.ts'
import { readEnvelope, type Envelope, type RequestId } from './envelope.ts'
import { LineFeed } from './line-feed.ts'
import { readRequest } from './read-request.ts'
import { errorLine } from './request-lines.ts'
import type { ServerEnd, ServerPort } from './server-port.ts'
import { PassThrough, Writable } from './streams.ts'
import { writtenId } from './wire.ts'

/** A server at an address. */
export interface ServerAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How a person signs in where the server wants that; absent: its refusal is passed on. */
  readonly signIn?: SignInNeeds | undefined
}

export interface HttpServerOptions extends ServerAddress {
  readonly clock: Clock
  readonly newSecret: () => string
  readonly maxLineBytes: number
  /** One sentence for a person. */
  readonly notice: (sentence: string) => void
}

/** A request that was sent, and is not answered yet. */
interface OpenRequest {
  readonly id: RequestId
  /** As the client wrote it. */
  readonly writtenId: string
  readonly method: string
  readonly isModern: boolean
  readonly controller: AbortController
  /** What it was sent over; another one after the server forgot its session. */
  transport: HttpTransport | undefined
}

type Message = JsonObject & { readonly jsonrpc: '2.0' }
type Sent = Parameters<HttpTransport['send']>

/** How long whatever comes next waits for a server to take a notification, to shake hands anew, or to open its own stream; and how long the last answers are waited for. */
const patienceMs = { notification: 5000, handshake: 30_000, listening: 1000, goodbye: 1500 }

/**
 * A server at an address, held like a process behind pipes: each line that goes in is sent as a message of its own, each message that comes is a line.
 *
 * A session that the server has forgotten is made anew, with the client's own handshake; the request that found out is sent again, all others end.
 * @see MCP 2025-11-25 basic/transports "Streamable HTTP", 2026-07-28 basic/transports/streamable-http
 */
export class HttpServer implements ServerPort {
  readonly input: Writable
  readonly output: PassThrough = new PassThrough()
  readonly ended: Promise<ServerEnd>
  readonly #options: HttpServerOptions
  readonly #open = new Map<RequestId, OpenRequest>()
  readonly #headers = new ArgumentHeaders()
  readonly #access: OAuthAccess | undefined
  #transport: Promise<HttpTransport> | undefined
  /** The handshake of the older era as the client made it, for when a session has to be made anew. */
  #handshake: Message | undefined
  #renewal: { readonly id: string; readonly settle: (response: JsonObject) => void } | undefined
  #resolveEnd: (end: ServerEnd) => void = () => {}
  #whenIdle: (() => void) | undefined
  #isReached = false
  #isEnding = false

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#access = options.signIn && new OAuthAccess(options.signIn)
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve))
    let lines: Buffer[] = []
    const feed = new LineFeed({
      maxBytes: options.maxLineBytes,
      judge: (bytes, { start, end }) => {
        lines.push(Buffer.from(bytes.subarray(start, end)))
        return 'drop'
      },
      forward: () => {},
      onTooLong: () => this.end(),
    })
    this.input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        feed.push(chunk)
        const ready = lines
        lines = []
        void this.#takeAll(ready, done)
      },
      final: (done) => {
        done()
        this.end()
      },
    })
    // Whoever writes after the end is told by the end.
    this.input.on('error', () => {})
  }

  end(): void {
    void this.#end({ code: 0, signal: null }, patienceMs.goodbye)
  }

  signal(signal: NodeJS.Signals): void {
    void this.#end({ code: null, signal }, 0)
  }

  kill(): void {
    void this.#end({ code: null, signal: 'SIGKILL' }, 0)
  }

  async #takeAll(lines: readonly Buffer[], done: () => void): Promise<void> {
    for (const line of lines) if (!this.#isEnding) await this.#take(line)
    done()
  }

  /** Requests are only sent; whatever else the client says is waited for, so that nothing that follows overtakes it. */
  async #take(line: Buffer): Promise<void> {
    const envelope = readEnvelope(line, { start: 0, end: line.length })
    const message = parse(line)
    if (envelope.kind === 'request') {
      if (message === undefined) this.output.write(errorLine(writtenId(line, envelope.id), invalid('it is no JSON')))
      else void this.#request(line, envelope, message)
    } else if (message === undefined) this.#options.notice('the client sent a message that is no JSON, which cannot be sent to an address')
    else if (envelope.kind === 'notification') await this.#tell(envelope.method, message)
    else await this.#post(message)
  }

  async #request(line: Buffer, { id, method, params }: Extract<Envelope, { readonly kind: 'request' }>, message: Message): Promise<void> {
    if (this.#open.has(id.value)) return void this.output.write(errorLine(writtenId(line, id), invalid('a request with this id is still open')))
    const parts = readRequest(line, params)
    const isModern = typeof parts !== 'string' && parts.isModern
    const request: OpenRequest = { id: id.value, writtenId: writtenId(line, id), method, isModern, controller: new AbortController(), transport: undefined }
    this.#open.set(request.id, request)
    if (method === 'initialize') this.#handshake = message
    try {
      await this.#send(
        message,
        {
          requestSignal: request.controller.signal,
          headers: this.#headers.of(message),
          onRequestStreamEnd: () => this.#fail(request, 'The stream of the request ended before its response came'),
        },
        request,
      )
    } catch (error) {
      this.#fail(request, error)
    }
  }

  async #tell(method: string, message: Message): Promise<void> {
    if (method === 'notifications/cancelled' && this.#cancel(message)) return
    await this.#post(message)
    if (method !== 'notifications/initialized') return
    const transport = await this.#transport?.catch(() => undefined)
    if (transport) await within(this.#options.clock, patienceMs.listening, transport.listening)
  }

  /** @returns true where the end of its stream tells the server: so it is in 2026-07-28 */
  #cancel({ params }: Message): boolean {
    const id = isJsonObject(params) ? params['requestId'] : undefined
    const request = this.#open.get(id as RequestId)
    if (request === undefined) return false
    this.#settle(request)
    if (request.isModern) request.controller.abort()
    return request.isModern
  }

  async #post(message: Message): Promise<void> {
    const sent = this.#send(message, undefined, undefined).catch((error: unknown) => {
      if (!this.#isEnding) this.#options.notice(`the server did not take a message: ${fromSdkError(error).message}`)
    })
    await within(this.#options.clock, patienceMs.notification, sent)
  }

  async #send(message: Message, options: Sent[1], request: OpenRequest | undefined): Promise<void> {
    this.#transport ??= this.#connect(message['method'] !== 'initialize')
    const opening = this.#transport
    const transport = await this.#opened(opening)
    if (request) request.transport = transport
    try {
      await transport.send(message as unknown as Sent[0], options)
      this.#isReached = true
    } catch (error) {
      const known = fromSdkError(error)
      if (known.data?.['status'] !== undefined || serverErrorOf(known)) this.#isReached = true
      if (!transport.isForgotten || message['method'] === 'initialize') throw error
      // It has done nothing of what it was asked.
      if (request) request.transport = undefined
      if (this.#transport === opening || this.#transport === undefined) this.#transport = this.#connect(true)
      const renewed = await this.#opened(this.#transport)
      if (request) request.transport = renewed
      await renewed.send(message as unknown as Sent[0], options)
    }
  }

  /** One that fails is not kept: the next message tries again. */
  async #opened(opening: Promise<HttpTransport>): Promise<HttpTransport> {
    try {
      return await opening
    } catch (error) {
      if (this.#transport === opening) this.#transport = undefined
      throw error
    }
  }

  /** @param isAgain a handshake that was made before is made again first */
  async #connect(isAgain: boolean): Promise<HttpTransport> {
    const { url, headers, newSecret } = this.#options
    const transport = new HttpTransport({ url, headers, access: this.#access })
    Object.assign(transport, {
      onmessage: (message: Message) => this.#receive(message),
      onclose: () => this.#lose(transport),
      onerror: (error: Error) => {
        if (error.name === 'SyntaxError' || error.name === 'ZodError') this.#options.notice(`the server sent something that is dropped: ${wordsOf(error)}`)
      },
    })
    await transport.start()
    if (!isAgain || this.#handshake === undefined) return transport
    const id = `consentry-${newSecret()}`
    const response = new Promise<JsonObject>((settle) => (this.#renewal = { id, settle }))
    await transport.send({ ...this.#handshake, id } as unknown as Sent[0])
    const answer = await within(this.#options.clock, patienceMs.handshake, response)
    if (answer === undefined) throw new ConsentryError('SERVER_UNREACHABLE', 'The server lost its session, and did not make a new one')
    setRevision(transport, answer['result'])
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await within(this.#options.clock, patienceMs.listening, transport.listening)
    this.#options.notice('the session with the server was lost, and made anew')
    return transport
  }

  #receive(message: Message): void {
    const { id, method, result } = message
    if (method === undefined) {
      if (this.#renewal !== undefined && this.#renewal.id === id) return this.#renewal.settle(message)
      const request = this.#open.get(id as RequestId)
      if (request) this.#settle(request)
      if (request?.method === 'initialize' && request.transport) setRevision(request.transport, result)
      if (request?.method === 'tools/list' && request.isModern) this.#headers.learn(result)
    }
    this.output.write(`${JSON.stringify(message)}\n`)
  }

  /** Nothing more comes over it, whoever waits. */
  #lose(transport: HttpTransport): void {
    if (this.#isEnding) return
    const opening = this.#transport
    opening?.then(
      (current) => {
        if (current === transport && this.#transport === opening) this.#transport = undefined
      },
      () => {},
    )
    for (const request of this.#open.values()) if (request.transport === transport) this.#fail(request, 'The connection to the server is lost')
  }

  #fail(request: OpenRequest, error: unknown): void {
    if (this.#open.get(request.id) !== request) return
    this.#settle(request)
    const known: ConsentryError | undefined = typeof error === 'string' ? undefined : fromSdkError(error)
    const wire = serverErrorOf(known) ?? { code: wireCodes.internal, message: known?.message ?? String(error) }
    this.output.write(errorLine(request.writtenId, wire))
  }

  #settle(request: OpenRequest): void {
    this.#open.delete(request.id)
    if (this.#open.size === 0) this.#whenIdle?.()
  }

  async #end(end: ServerEnd, goodbyeMs: number): Promise<void> {
    if (goodbyeMs > 0 && this.#open.size > 0 && !this.#isEnding)
      await within(this.#options.clock, goodbyeMs, new Promise<void>((resolve) => (this.#whenIdle = resolve)))
    if (this.#isEnding) return
    this.#isEnding = true
    const transport = await this.#transport?.catch(() => undefined)
    await transport?.close()
    this.output.end()
    this.#resolveEnd(this.#isReached || end.signal !== null ? end : { code: null, signal: null })
  }
}

/** The header that says it goes with everything from then on. */
function setRevision(transport: HttpTransport, result: unknown): void {
  const version = isJsonObject(result) ? result['protocolVersion'] : undefined
  if (typeof version === 'string') transport.setProtocolVersion(version)
}

function parse(line: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isJsonObject(value) ? (value as Message) : undefined
  } catch {
    return undefined
  }
}

function invalid(why: string): { readonly code: number; readonly message: string } {
  return { code: wireCodes.invalidRequest, message: `Invalid request: ${why}` }
}
