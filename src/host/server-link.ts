import { ConsentryError } from '../errors.ts'
import {
  connect,
  sleep,
  unlessAborted,
  type CallOptions,
  type Clock,
  type ConnectOptions,
  type ListChange,
  type ListName,
  type ServerConnection,
  type ServerLogEntry,
} from '../mcp/index.ts'
import type { Desk, DeskSession, InputRequest, InputResponse, JsonObject } from '../protocol/index.ts'
import { delayBefore, type ReconnectOptions } from './backoff.ts'
import { KeptLists } from './kept-lists.ts'
import { KeptRequests } from './kept-requests.ts'
import { identityOf, isRepeatable, targetOf, type ServerOptions } from './server-options.ts'
import type { ServerStatus } from './server-status.ts'

/** What a link reports while it lives. */
export interface ServerLinkEvents {
  readonly status: (status: ServerStatus) => void
  readonly requested: (request: InputRequest) => void
  readonly answered: (request: InputRequest, response: InputResponse) => void
  readonly changed: (list: ListChange, entries: readonly JsonObject[]) => void
  readonly stderr: (text: string) => void
  readonly log: (entry: ServerLogEntry) => void
  readonly traffic: (from: 'client' | 'server', message: unknown) => void
}

export interface ServerLinkNeeds extends Pick<ConnectOptions, 'clientInfo' | 'timeouts' | 'eras' | 'requestsAtOnce'> {
  readonly desk: Desk
  readonly clock: Clock
  readonly random: () => number
  readonly newConnectionId: () => string
  readonly reconnect: ReconnectOptions
  readonly events: ServerLinkEvents
}

interface Held {
  readonly connection: ServerConnection
  readonly session: DeskSession
  readonly lists: KeptLists
  readonly since: number
  readonly stopListening: () => void
}

/** A connection that held for so long was sound: the next loss counts as the first. */
const soundMs = 60_000
/** What runs when a server is started afresh is given so long to come to its end. */
const drainMs = 2000
/** For each thing that a fresh server is told once more. */
const repeatMs = 5000

/** One server of a host: its connection, made again when it is lost, each with a session of its own. */
export class ServerLink {
  readonly #options: ServerOptions
  readonly #needs: ServerLinkNeeds
  readonly #closing = new AbortController()
  #status: ServerStatus = { state: 'idle' }
  /** The connection that is there or on its way, or the failure that nobody has tried to mend. */
  #current: Promise<Held> | undefined
  #held: Held | undefined
  #losses = 0
  #closed: Promise<void> | undefined
  #hurry = new AbortController()
  #restarting: Promise<void> | undefined
  readonly #kept = new KeptRequests()

  constructor(options: ServerOptions, needs: ServerLinkNeeds) {
    this.#options = options
    this.#needs = needs
  }

  get status(): ServerStatus {
    return this.#status
  }

  /** What the desk knows the connection by, while there is one. */
  get connectionId(): string | undefined {
    return this.#held?.session.origin.connection
  }

  /** The connection as soon as there is one. @throws ConsentryError why there is none */
  async connection(signal?: AbortSignal): Promise<ServerConnection> {
    return (await this.#wait(signal)).connection
  }

  /** What the server offers; read once, and again when it changes. @throws ConsentryError see `connection` */
  async list(list: ListName, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    return (await this.#wait(signal)).lists.get(list)
  }

  /** Connects now, also where the last try failed or the next one is not due yet. Never rejects: see `status`. */
  async connect(): Promise<void> {
    this.#hurry.abort()
    if (this.#status.state === 'failed') this.#current = undefined
    await this.#wait().catch(() => {})
  }

  /** Sends a request, and what has to hold for a fresh process too is remembered. @throws ConsentryError see `connection` */
  async request(method: string, params: JsonObject | undefined, options: CallOptions): Promise<JsonObject> {
    const connection = await this.connection(options.signal)
    const result = await connection.request(method, params, options)
    this.#kept.note({ method, params })
    return result
  }

  /**
   * Starts the server afresh: calls that run are given a moment to come to their end, then end with `CONNECTION_LOST`, and none is sent again.
   * What is called meanwhile waits for the fresh one, which is told its subscriptions and its log level again. Never rejects: see `status`.
   */
  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined))
    return this.#restarting
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort(new ConsentryError('CALL_CANCELLED', 'The host is closed'))
    await this.#current?.catch(() => {})
    const held = this.#held
    await held?.connection.close()
    if (held) this.#letGo(held)
    this.#tell({ state: 'closed' })
  }

  async #restart(): Promise<void> {
    const held = this.#held
    if (this.#closing.signal.aborted || (held && !isRepeatable(this.#options))) return
    // One that is on its way is fresh.
    if (held === undefined) return this.connect()
    this.#losses = 0
    this.#current = this.#keep(this.#replace(held))
    await this.#current.catch(() => {})
  }

  async #replace(held: Held): Promise<Held> {
    this.#held = undefined
    this.#tell({ state: 'connecting' })
    const reason = new ConsentryError('CONNECTION_LOST', 'The server was started afresh while this ran; it was ended, and is not sent again', {
      data: { restarted: true },
    })
    await unlessAborted(held.connection.retire(drainMs, reason), this.#closing.signal).catch(() => held.connection.close())
    this.#letGo(held)
    return this.#connectOnce().catch((error: ConsentryError) => this.#connectAgain(error))
  }

  #wait(signal?: AbortSignal): Promise<Held> {
    this.#current ??= this.#keep(this.#connectFirst())
    if (signal === undefined) return this.#current
    return unlessAborted(this.#current, signal).catch((error: unknown) => {
      throw signal.aborted ? new ConsentryError('CALL_CANCELLED', 'The call was cancelled', { cause: error }) : error
    })
  }

  #keep(current: Promise<Held>): Promise<Held> {
    current.catch((error: ConsentryError) => this.#closing.signal.aborted || this.#tell({ state: 'failed', error }))
    return current
  }

  #connectFirst(): Promise<Held> {
    this.#losses = 0
    return this.#connectOnce()
  }

  async #connectAgain(loss: ConsentryError): Promise<Held> {
    const { clock, random, reconnect } = this.#needs
    let error = loss
    for (;;) {
      this.#losses += 1
      if (this.#losses > reconnect.attempts || !isRepeatable(this.#options)) throw error
      const inMs = delayBefore(this.#losses, reconnect, random)
      this.#tell({ state: 'reconnecting', error, attempt: this.#losses, inMs })
      this.#hurry = new AbortController()
      await sleep(clock, inMs, AbortSignal.any([this.#closing.signal, this.#hurry.signal])).catch(() => {})
      this.#closing.signal.throwIfAborted()
      try {
        return await this.#connectOnce()
      } catch (failure) {
        error = failure as ConsentryError
      }
    }
  }

  async #connectOnce(): Promise<Held> {
    this.#closing.signal.throwIfAborted()
    this.#tell({ state: 'connecting' })
    const { desk, newConnectionId, clock, events, clientInfo, timeouts, eras, requestsAtOnce } = this.#needs
    const { startedWith, ...target } = await targetOf(this.#options)
    const session = desk.open({
      server: identityOf(this.#options),
      connection: newConnectionId(),
      canRestart: isRepeatable(this.#options),
      startedWith,
    })
    let loss: ConsentryError | undefined
    try {
      const connection = await connect({
        target,
        session,
        clock,
        clientInfo,
        timeouts,
        eras,
        requestsAtOnce,
        protocol: this.#options.protocol,
        signal: this.#closing.signal,
        observer: { requested: events.requested, answered: events.answered },
        onStderr: events.stderr,
        onLog: events.log,
        onTraffic: events.traffic,
        onListChanged: (list) => this.#change(list),
        onLost: (error) => {
          loss = error
          if (this.#held?.session === session) this.#lose(this.#held, error)
        },
      })
      if (loss) throw loss
      await this.#kept.replay((method, params) => connection.request(method, params, { timeouts: { callTimeoutMs: repeatMs } }))
      if (loss) throw loss
      return this.#hold(connection, session)
    } catch (error) {
      session.close()
      throw error
    }
  }

  #hold(connection: ServerConnection, session: DeskSession): Held {
    const { clock, events } = this.#needs
    const lists = new KeptLists({ clock, read: (list) => connection.list(list), onChanged: events.changed })
    const stopListening = session.on('restart-asked', () => void this.restart())
    this.#held = { connection, session, lists, since: clock.now(), stopListening }
    this.#tell({ state: 'ready', revision: connection.revision, server: connection.server })
    return this.#held
  }

  #lose(held: Held, loss: ConsentryError): void {
    this.#letGo(held)
    if (this.#closing.signal.aborted) return
    if (this.#needs.clock.now() - held.since > soundMs) this.#losses = 0
    this.#current = this.#keep(this.#connectAgain(loss))
  }

  #letGo({ lists, session, stopListening }: Held): void {
    stopListening()
    this.#held = undefined
    lists.close()
    session.close()
  }

  #change(list: ListChange): void {
    this.#held?.lists.change(list)
    if (list === 'resources') this.#held?.lists.forget('resourceTemplates')
  }

  #tell(status: ServerStatus): void {
    this.#status = status
    this.#needs.events.status(status)
  }
}
