import { Client } from '@modelcontextprotocol/client'
import type { ConsentryError } from '../errors.ts'
import { eraOf, isJsonObject, latestRevision, revisions, type Era, type JsonObject, type Revision } from '../protocol/index.ts'
import { attach, type AttachedClient } from './attach.ts'
import { Declaration } from './capabilities.ts'
import { longestTimer, within, type Clock } from './clock.ts'
import type { ConnectOptions } from './connect-options.ts'
import { openChannel, type Channel } from './open-channel.ts'
import { probe, type Probe } from './probe.ts'
import { fromSdkError, isLoss, wordsOf } from './sdk-error.ts'
import { ServerConnection, type ServerDescription } from './server-connection.ts'
import { StrictTransport } from './strict-transport.ts'
import { hearListChanges, subscribeToLists } from './watch-lists.ts'

/** How a connection is agreed on. */
export type Way = { readonly era: 'modern'; readonly discover: JsonObject } | { readonly era: 'legacy'; readonly offer: Revision; readonly timeoutMs: number }

const legacyRevisions = revisions.filter((revision) => eraOf(revision) === 'legacy').toReversed()
/** A server that does not open its stream at once may still never do so. */
const listeningMs = 1000

/** One transport on its way to a connection, and what holds the connection afterwards. */
export class ConnectionAttempt {
  readonly #options: ConnectOptions
  readonly #clock: Clock
  readonly #declaration: Declaration
  readonly #over = new AbortController()
  #channel: Channel | undefined
  #transport: StrictTransport | undefined
  #attached: AttachedClient | undefined
  #isClosing = false
  #isReady = false

  constructor(options: ConnectOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
    this.#declaration = new Declaration(options.session)
  }

  /** Starts the server, or gets ready to speak to it. @throws ConsentryError `SERVER_UNREACHABLE` */
  async open(): Promise<void> {
    const { target, onStderr, onTraffic, requestsAtOnce } = this.#options
    const onFault = (fault: string): void => this.#logFault(fault)
    this.#channel = await openChannel(target, { onStderr, onFault, clock: this.#clock })
    this.#transport = new StrictTransport(this.#channel.transport, { prepare: this.#declaration.into, onFault, onTraffic, requestsAtOnce })
    await this.#transport.open()
  }

  probe(milliseconds: number): Promise<Probe> {
    return probe(this.#opened, clientInfoOf(this.#options), milliseconds, this.#clock)
  }

  /** @throws ConsentryError when the server does not take it */
  async finish(way: Way): Promise<ServerConnection> {
    const client = this.#makeClient(way)
    const attached = this.#attach(client)
    try {
      const how =
        way.era === 'modern' ? { prior: { kind: 'modern' as const, discover: way.discover as never } } : { timeout: Math.min(way.timeoutMs, longestTimer) }
      await client.connect(this.#opened, how)
    } catch (error) {
      throw isLoss(error) && !this.#isClosing ? this.describeLoss(error) : fromSdkError(error)
    }
    const server = describe(client)
    await this.#startHearing(client, way.era, server)
    if (this.#over.signal.aborted) throw this.describeLoss()
    this.#isReady = true
    return new ServerConnection({
      attached,
      revision: attached.revision,
      server,
      isHttp: this.#options.target.kind === 'http',
      onFault: (fault) => this.#logFault(fault),
      close: () => this.abandon(),
    })
  }

  describeLoss(cause?: unknown): ConsentryError {
    return this.#channel!.describeLoss(cause)
  }

  /** Withdraws what waits, which the server is told, and ends the server, orderly. Safe to call twice. */
  async abandon(): Promise<void> {
    this.#isClosing = true
    this.#over.abort()
    this.#attached?.close()
    await this.#transport?.finish()
    await this.#transport?.close()
  }

  get #opened(): StrictTransport {
    return this.#transport!
  }

  /** A legacy server's own messages can arrive before we say that we are ready; a modern one is asked for the little that it may say. */
  async #startHearing(client: Client, era: Era, { capabilities }: ServerDescription): Promise<void> {
    const listening = this.#channel?.listening
    if (era === 'legacy') await (listening && within(this.#clock, listeningMs, listening))
    else if (this.#options.onListChanged) void subscribeToLists(client, capabilities, this.#clock, this.#over.signal)
  }

  #makeClient(way: Way): Client {
    const offers = way.era === 'legacy' ? [way.offer, ...legacyRevisions.filter((revision) => revision !== way.offer)] : [latestRevision]
    const client = new Client(clientInfoOf(this.#options), { supportedProtocolVersions: offers, inputRequired: { autoFulfill: false } })
    const { onLog, onListChanged } = this.#options
    Object.assign(client, { onerror: (error: Error) => this.#logFault(wordsOf(error)), onclose: () => this.#lose() })
    client.setNotificationHandler('notifications/message', ({ params }) => onLog?.({ from: 'server', level: params.level, data: params.data }))
    hearListChanges(client, (list) => onListChanged?.(list))
    return client
  }

  #attach(client: Client): AttachedClient {
    const { session, timeouts, observer } = this.#options
    this.#attached = attach(client, session, {
      timeouts,
      observer,
      clock: this.#clock,
      declaration: this.#declaration,
      revision: () => this.#opened.revision,
      describeLoss: () => this.describeLoss(),
    })
    return this.#attached
  }

  #lose(): void {
    this.#over.abort()
    this.#attached?.close()
    if (this.#isReady && !this.#isClosing) this.#options.onLost?.(this.describeLoss())
  }

  #logFault(data: string): void {
    this.#options.onLog?.({ from: 'connection', level: 'warning', data })
  }
}

function clientInfoOf({ clientInfo }: ConnectOptions): { name: string; version: string; title?: string } {
  const { name = 'consentry', version = '0', title } = clientInfo ?? {}
  return { name, version, ...(title !== undefined && { title }) }
}

function describe(client: Client): ServerDescription {
  const { name, version } = client.getServerVersion() ?? {}
  const capabilities = client.getServerCapabilities() as unknown
  return { name, version, instructions: client.getInstructions(), capabilities: isJsonObject(capabilities) ? capabilities : {} }
}
