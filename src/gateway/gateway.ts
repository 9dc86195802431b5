import { ConsentryError } from '../errors.ts'
import { systemClock, type Clock } from '../mcp/clock.ts'
import { Conversation, type ConversationOptions } from './conversation.ts'
import { FirstLine } from './first-line.ts'
import type { FreshStart } from './fresh-start.ts'
import { Inlet, Outlet, readInto } from './flow.ts'
import { LineFeed } from './line-feed.ts'
import { Overhearing } from './overhearing.ts'
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
  /** Whoever the client is, somebody may want to answer in its place: it is prepared for all, and known who it is before its first line goes on. Default: false. */
  readonly preparesForAll?: boolean | undefined
  /** The command with which the server is started afresh, where a person says so. Absent: it cannot be. What it rejects with keeps the server as it is. */
  readonly prepareAgain?: (() => Promise<ServerCommand>) | undefined
  /** Told what became of a fresh start: `undefined` where it was done, or why the server goes on as it was. */
  readonly onRestarted?: ((fault: Error | undefined) => void) | undefined
  /** A longer line ends the connection. Default 64 MB. */
  readonly maxLineBytes?: number | undefined
  readonly platform: string
}

const defaultMaxLineBytes = 64 * 1024 * 1024
const orphanCheckMs = 2000
/** A client that has hung up is given so long to take what is left. */
const goodbyeMs = 1000
const newRandom = (): string => globalThis.crypto.randomUUID()

/** A server as it is spoken to. */
interface Attached {
  readonly port: ServerPort
  readonly inlet: Inlet
  readonly outlet: Outlet
  readonly feed: LineFeed
  /** Ends the reading. */
  readonly stop: () => void
}

/**
 * Stands between a client and a server that it started. What they say to each other passes as the same bytes; what the server asks, and the client cannot
 * be asked, is answered here.
 */
export class Gateway {
  /** Resolves when the server is gone, and the client has all that it said. */
  readonly ended: Promise<ServerEnd>
  readonly #clock: Clock
  readonly #options: GatewayOptions
  readonly #maxLineBytes: number
  readonly #conversation: Conversation
  readonly #fromClient: Inlet
  readonly #toClient: Outlet
  readonly #overhearing: Overhearing
  #server: Attached
  #finish: (end: ServerEnd) => void = () => {}
  #isClientGone = false
  /** Nothing is started any more. */
  #isEnding = false
  /** One server makes room for another: that it ends is no end. */
  #isReplacing = false
  #isRestarting = false
  /** It was asked for once more while it was under way. */
  #isDue = false
  /** One process is gone, and no other is there: nobody hears what is said to the server. */
  #isServerless = false

  private constructor(port: ServerPort, options: GatewayOptions) {
    const { client, notice, prepare, isOrphan, clock = systemClock, newSecret = newRandom, maxLineBytes = defaultMaxLineBytes } = options
    this.#clock = clock
    this.#options = options
    this.#maxLineBytes = maxLineBytes
    this.#fromClient = new Inlet(client.input)
    this.#toClient = new Outlet(client.output, () => this.#hangUp())
    const wire: Wire = {
      toClient: (text) => void (this.#server.feed.insert(text) || this.#toClient.inject(text, this.#fromClient)),
      toServer: (text) => void (clientFeed.insert(text) || this.#tellServer(text)),
      notice,
    }
    const conversation = (this.#conversation = new Conversation(wire, {
      ...options,
      clock,
      newSecret,
      onRestartAsked: () => this.#askAfresh(),
      onEndAsked: () => this.#endAsAsked(),
    }))
    this.#overhearing = new Overhearing(clock)
    conversation.onSession((session) => this.#overhearing.follow(session))
    const clientFeed = new LineFeed({
      maxBytes: maxLineBytes,
      judge: (bytes, line, flaw) => conversation.judgeClient(bytes, line, flaw),
      forward: (pieces) => this.#server.outlet.forward(pieces, this.#fromClient),
      onTooLong: () => this.#breakOff(),
    })
    const stopReading = readInto(prepare ? this.#knowingFirst(clientFeed, prepare) : clientFeed, client.input, () => this.#hangUp())
    const stopLooking = isOrphan ? this.#lookForClient(isOrphan) : () => {}
    const finished = new Promise<ServerEnd>((resolve) => (this.#finish = resolve))
    this.#server = this.#attach(port)
    this.ended = finished.then(async (end) => {
      stopReading()
      stopLooking()
      conversation.close(new ConsentryError('CONNECTION_LOST', 'The server is gone'))
      await this.#sayGoodbye()
      return end
    })
  }

  /** Lets a client talk to a server that was started. */
  static before(server: ServerPort, options: GatewayOptions): Gateway {
    return new Gateway(server, options)
  }

  get conversation(): Pick<Conversation, 'owners' | 'openDesk' | 'announceRoots' | 'onSession' | 'whenSettled'> {
    return this.#conversation
  }

  /** Passes a signal on to the server, and ends it. */
  end(signal: NodeJS.Signals): void {
    this.#isEnding = true
    this.#server.port.signal(signal)
  }

  /** Leaves nothing running: for the moment in which we go ourselves. */
  kill(): void {
    this.#isEnding = true
    this.#server.port.kill()
  }

  /** The same feed, that gets nothing before it is known what can be promised. */
  #knowingFirst(feed: LineFeed, prepare: () => Promise<unknown>): Pick<LineFeed, 'push' | 'end'> {
    const { wishes, preparesForAll = false } = this.#options
    const first = new FirstLine({
      wishes,
      isForAll: preparesForAll,
      prepare: async (line) => {
        await prepare()
        if (preparesForAll) await this.#conversation.introduce(line)
      },
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
    this.#isClientGone = this.#isEnding = true
    this.#conversation.close(new ConsentryError('CONNECTION_LOST', 'The client is gone'))
    this.#server.outlet.close()
  }

  #attach(port: ServerPort): Attached {
    const conversation = this.#conversation
    const inlet = new Inlet(port.output)
    const feed = new LineFeed({
      maxBytes: this.#maxLineBytes,
      judge: (bytes, line, flaw) => conversation.judgeServer(bytes, line, flaw),
      judgeBegun: (bytes) => conversation.judgeBegunServer(bytes),
      forward: (pieces) => this.#toClient.forward(pieces, inlet),
      onTooLong: () => this.#breakOff(),
    })
    void port.ended.then((end) => {
      if (this.#server.port === port && !this.#isReplacing) this.#finish(end)
    })
    const outlet = new Outlet(port.input, () => port.end())
    this.#overhearing.attach(port.output, outlet)
    return { port, inlet, feed, outlet, stop: readInto(feed, port.output, () => port.end()) }
  }

  #tellServer(text: Buffer | string): void {
    if (!this.#isServerless) this.#server.outlet.inject(text, this.#server.inlet)
  }

  #breakOff(): void {
    const megabytes = Math.floor(this.#maxLineBytes / 1024 / 1024)
    this.#options.notice(`a message is longer than ${megabytes} MB: nobody can tell whom it is for, and the connection ends`)
    this.#isEnding = true
    this.#server.port.end()
  }

  #endAsAsked(): void {
    this.#options.notice('it is ended, because somebody says so at the desk')
    this.end('SIGTERM')
  }

  #askAfresh(): void {
    this.#isDue = this.#isRestarting
    const { prepareAgain } = this.#options
    if (prepareAgain === undefined || this.#isRestarting) return
    this.#isRestarting = true
    this.#conversation.whenSettled(() => void this.#startAfresh(prepareAgain))
  }

  /** Another process takes the server's place, and the client goes on as if nothing had happened. */
  async #startAfresh(prepareAgain: () => Promise<ServerCommand>): Promise<void> {
    const { notice, onRestarted } = this.#options
    const old = this.#server
    if (this.#isEnding) return
    this.#isReplacing = true
    this.#conversation.hold()
    try {
      const command = await prepareAgain()
      notice('it is started afresh; what runs has a moment to come to its end')
      await this.#replace(old, command, await this.#conversation.freshStart())
      onRestarted?.(undefined)
    } catch (error) {
      const isOver = this.#isServerless || this.#server !== old
      notice(`it ${isOver ? 'could not be' : 'is not'} started afresh${isOver ? '' : ', and goes on as it is'}: ${(error as Error).message}`)
      this.#isServerless = false
      if (this.#server !== old) this.#server.port.end()
      else if (isOver) this.#finish({ code: null, signal: null })
      else {
        this.#conversation.goOn()
        onRestarted?.(error as Error)
      }
    }
    this.#isReplacing = this.#isRestarting = false
    // One that ended by itself meanwhile was not heard.
    void old.port.ended.then((end) => this.#server === old && this.#finish(end))
    if (this.#isDue) this.#askAfresh()
  }

  async #replace(old: Attached, command: ServerCommand, change: FreshStart): Promise<void> {
    const { platform, onStderr } = this.#options
    await change.drain(old.port.ended)
    // What it still says is read, and nobody hears it.
    old.feed.end()
    old.stop()
    old.port.output.resume()
    this.#isServerless = true
    old.outlet.close()
    change.cutOff()
    await old.port.ended
    if (this.#isEnding) return
    const port = await ServerProcess.start({ ...command, platform, clock: this.#clock, onStderr })
    this.#server = this.#attach(port)
    this.#isReplacing = this.#isServerless = false
    if (this.#isEnding) return port.end()
    await change.greet()
    change.goOn()
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

/** A server at an address: only for that is loaded what speaks HTTP. */
export async function openAddress(server: ServerAddress, { notice, ...options }: GatewayOptions): Promise<ServerPort> {
  const { HttpServer } = await import('./http-server.ts')
  const { clock = systemClock, newSecret = newRandom, maxLineBytes = defaultMaxLineBytes } = options
  return new HttpServer({ ...server, clock, newSecret, maxLineBytes, notice } satisfies HttpServerOptions)
}
