import { ConsentryError } from '../errors.ts'
import { systemClock, type Clock } from '../mcp/clock.ts'
import { Conversation, type ConversationOptions } from './conversation.ts'
import { FirstLine } from './first-line.ts'
import { Inlet, Outlet } from './flow.ts'
import { LineFeed } from './line-feed.ts'
import type { HttpServerOptions, ServerAddress } from './http-server.ts'
import type { ServerEnd, ServerPort } from './server-port.ts'
import { ServerProcess, type ServerCommand } from './server-process.ts'
import type { Readable, Writable } from './streams.ts'
import type { Wire } from './wire.ts'

export interface GatewayOptions extends Omit<ConversationOptions, 'clock' | 'newSecret'>, Partial<Pick<ConversationOptions, 'clock' | 'newSecret'>> {
  /** What is started, or which address is spoken to. */
  readonly server: ServerCommand | ServerAddress
  readonly client: { readonly input: Readable; readonly output: Writable }
  /** What the server says to people, as it came. */
  readonly onStderr: (bytes: Buffer) => void
  /** One sentence for a person. Words of peers stand in it as they came. */
  readonly notice: (sentence: string) => void
  /** True where whoever started us is gone. Looked at only while the client is not read. */
  readonly isOrphan?: (() => boolean) | undefined
  /**
   * Called with the first line of a client that does not answer everything itself, while the server starts; the line goes on when this has settled, so that
   * nothing is promised before it is known.
   */
  readonly prepare?: (() => Promise<unknown>) | undefined
  /** A longer line ends the connection. Default 64 MB. */
  readonly maxLineBytes?: number | undefined
  readonly platform: string
}

const defaultMaxLineBytes = 64 * 1024 * 1024
const orphanCheckMs = 2000
/** A client that has hung up is given so long to take what is left. */
const goodbyeMs = 1000
const newRandom = (): string => globalThis.crypto.randomUUID()

/**
 * Stands between a client and a server that it started. What they say to each other passes as the same bytes; what the server asks, and the client cannot
 * be asked, is answered here.
 */
export class Gateway {
  /** Resolves when the server is gone, and the client has all that it said. */
  readonly ended: Promise<ServerEnd>
  readonly #clock: Clock
  readonly #server: ServerPort
  readonly #conversation: Conversation
  readonly #fromClient: Inlet
  readonly #toClient: Outlet
  readonly #toServer: Outlet
  #isClientGone = false

  private constructor(server: ServerPort, options: GatewayOptions) {
    const { client, notice, prepare, isOrphan, clock = systemClock, newSecret = newRandom, maxLineBytes = defaultMaxLineBytes } = options
    this.#clock = clock
    this.#server = server
    this.#fromClient = new Inlet(client.input)
    this.#toClient = new Outlet(client.output, () => this.#hangUp())
    const fromServer = new Inlet(server.output)
    this.#toServer = new Outlet(server.input, () => server.end())
    const wire: Wire = {
      toClient: (text) => void (serverFeed.insert(text) || this.#toClient.inject(text, this.#fromClient)),
      toServer: (text) => void (clientFeed.insert(text) || this.#toServer.inject(text, fromServer)),
      notice,
    }
    const conversation = (this.#conversation = new Conversation(wire, { ...options, clock, newSecret }))
    const onTooLong = (): void => {
      notice(`a message is longer than ${Math.floor(maxLineBytes / 1024 / 1024)} MB: nobody can tell whom it is for, and the connection ends`)
      server.end()
    }
    const clientFeed = new LineFeed({
      maxBytes: maxLineBytes,
      judge: (bytes, line, flaw) => conversation.judgeClient(bytes, line, flaw),
      forward: (pieces) => this.#toServer.forward(pieces, this.#fromClient),
      onTooLong,
    })
    const serverFeed = new LineFeed({
      maxBytes: maxLineBytes,
      judge: (bytes, line, flaw) => conversation.judgeServer(bytes, line, flaw),
      judgeBegun: (bytes) => conversation.judgeBegunServer(bytes),
      forward: (pieces) => this.#toClient.forward(pieces, fromServer),
      onTooLong,
    })
    const stopReading = readInto(prepare ? this.#knowingFirst(clientFeed, prepare, options.wishes) : clientFeed, client.input, () => this.#hangUp())
    readInto(serverFeed, server.output, () => server.end())
    const stopLooking = isOrphan ? this.#lookForClient(isOrphan) : () => {}
    this.ended = server.ended.then(async (end) => {
      stopReading()
      stopLooking()
      conversation.close(new ConsentryError('CONNECTION_LOST', 'The server is gone'))
      await this.#sayGoodbye()
      return end
    })
  }

  /** Starts the server, and lets client and server talk. @throws ConsentryError `SERVER_UNREACHABLE` when the command cannot be started */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const { server, platform, clock = systemClock, onStderr } = options
    if ('url' in server) return new Gateway(await openAddress(server, options), options)
    return new Gateway(await ServerProcess.start({ ...server, platform, clock, onStderr }), options)
  }

  get conversation(): Pick<Conversation, 'owners' | 'openDesk' | 'announceRoots'> {
    return this.#conversation
  }

  /** Passes a signal on to the server, and ends it. */
  end(signal: NodeJS.Signals): void {
    this.#server.signal(signal)
  }

  /** Leaves nothing running: for the moment in which we go ourselves. */
  kill(): void {
    this.#server.kill()
  }

  /** The same feed, that gets nothing before it is known what can be promised. */
  #knowingFirst(feed: LineFeed, prepare: () => Promise<unknown>, wishes: ConversationOptions['wishes']): Pick<LineFeed, 'push' | 'end'> {
    const first = new FirstLine({
      wishes,
      prepare,
      hold: () => this.#fromClient.hold(feed),
      release: () => this.#fromClient.release(feed),
      push: (chunk) => feed.push(chunk),
    })
    return {
      push: (chunk) => first.push(chunk),
      end: () => {
        first.flush()
        feed.end()
      },
    }
  }

  /** The client is gone: what waits for it ends, and so does the server. */
  #hangUp(): void {
    if (this.#isClientGone) return
    this.#isClientGone = true
    this.#conversation.close(new ConsentryError('CONNECTION_LOST', 'The client is gone'))
    this.#toServer.close()
  }

  /** While the client is not read, its end cannot be seen on its stream. */
  #lookForClient(isOrphan: () => boolean): () => void {
    let cancel = (): void => {}
    const look = (): void => {
      if (this.#fromClient.isHeld && isOrphan()) this.#hangUp()
      else cancel = this.#clock.after(orphanCheckMs, look)
    }
    cancel = this.#clock.after(orphanCheckMs, look)
    return () => cancel()
  }

  /** What the server said last reaches the client, which may be slow; one that hung up is not waited for long. */
  async #sayGoodbye(): Promise<void> {
    const drained = this.#toClient.drained()
    if (!this.#isClientGone) return drained
    let cancel = (): void => {}
    const tooLate = new Promise<void>((resolve) => (cancel = this.#clock.after(goodbyeMs, resolve)))
    await Promise.race([drained, tooLate])
    cancel()
  }
}

/** What speaks HTTP is loaded only for a server at an address. */
async function openAddress(server: ServerAddress, { notice, ...options }: GatewayOptions): Promise<ServerPort> {
  const { HttpServer } = await import('./http-server.ts')
  const { clock = systemClock, newSecret = newRandom, maxLineBytes = defaultMaxLineBytes } = options
  return new HttpServer({ ...server, clock, newSecret, maxLineBytes, notice } satisfies HttpServerOptions)
}

/** @returns the function that ends the reading */
function readInto(feed: Pick<LineFeed, 'push' | 'end'>, stream: Readable, onEnd: () => void): () => void {
  const push = (chunk: Buffer): void => feed.push(chunk)
  const end = (): void => {
    feed.end()
    onEnd()
  }
  stream.on('data', push)
  stream.once('end', end)
  stream.once('close', end)
  // What broke shows in the end that follows.
  stream.on('error', () => {})
  return () => {
    stream.off('data', push)
    stream.pause()
  }
}
