import { ConsentryError } from '../errors.ts'
import { latestLegacyRevision, type Era, type JsonObject, type Revision } from '../protocol/index.ts'
import { MemoryTransport } from './memory-transport.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { ClientAnswer, Script, ScriptedQuestion, ScriptedTool } from './script.ts'
import { ScriptedConnection, type ServerPlan } from './scripted-connection.ts'
import { ServerRecord, type RecordedAnswer } from './server-record.ts'

export interface ScriptedServerOptions {
  /** Default: `both`, and each request says which. */
  readonly era?: Era | 'both' | undefined
  /** The newest revision of the legacy era that it speaks. Default: 2025-11-25. */
  readonly revision?: Revision | undefined
  readonly tools?: Readonly<Record<string, Script | ScriptedTool>> | undefined
  readonly prompts?: Readonly<Record<string, Script>> | undefined
  /** By URI. */
  readonly resources?: Readonly<Record<string, Script>> | undefined
  readonly name?: string | undefined
  readonly instructions?: string | undefined
  /** What it says it can do. Default: what it can. */
  readonly capabilities?: JsonObject | undefined
}

/** Where a server that is started as a program reads and writes: `process.stdin` and `process.stdout`. */
export interface ServerStreams {
  readonly input: AsyncIterable<Uint8Array | string>
  readonly output: { write(text: string): unknown }
}

/** An MCP server that asks what it is told to ask, and remembers what it was answered. */
export interface ScriptedServer {
  /** Every message of the clients, oldest first, as it came. */
  readonly received: readonly JsonObject[]
  /** Every question with its answer, oldest first. */
  readonly answers: readonly RecordedAnswer[]
  /** What went wrong in the scripts themselves; the client got -32603. */
  readonly faults: readonly unknown[]
  /** Opens a connection in memory. @returns the client's end of it */
  connect(): MemoryTransport
  /** Serves one client over streams, until its input ends. */
  serve(streams: ServerStreams): Promise<void>
  /** Asks the client that connected last outside any call, which only the legacy era allows. */
  ask(question: ScriptedQuestion): Promise<ClientAnswer>
  /** Tells every client. */
  notify(method: string, params?: JsonObject): void
  /** The first message with this method: one that is there already, or the next that comes. Rejects with `CONNECTION_LOST` when the server is closed first. */
  waitFor(method: string, signal?: AbortSignal): Promise<JsonObject>
  /** Ends every connection. Safe to call twice. */
  close(): Promise<void>
}

/**
 * A server for tests of hosts: in either era, in memory or over stdio, without the SDK.
 *
 * It sends what the scripts say, also what a client did not declare or what the protocol forbids: that is what hosts have to withstand.
 *
 * @example
 * ```ts
 * import { createScriptedServer, formQuestion } from 'consentry/testing'
 *
 * const server = createScriptedServer({
 *   tools: {
 *     book: [formQuestion('Window or aisle?', { seat: { type: 'string', enum: ['window', 'aisle'] } })],
 *     greet: async ({ input, ask }) => {
 *       const answer = await ask({ method: 'roots/list' })
 *       return 'result' in answer ? `Hello, ${JSON.stringify(input)}` : { error: answer.error }
 *     },
 *   },
 * })
 * const transport = server.connect()
 * // … connect a client over `transport`, call `book`, then look at `server.answers`
 * await server.close()
 * ```
 */
export function createScriptedServer(options: ScriptedServerOptions = {}): ScriptedServer {
  return new PlannedServer(options)
}

class PlannedServer implements ScriptedServer {
  readonly #plan: ServerPlan
  readonly #record = new ServerRecord()
  /** How to end each open connection, in the order in which they came. */
  readonly #open = new Map<ScriptedConnection, () => Promise<void>>()

  constructor({
    era = 'both',
    revision = latestLegacyRevision,
    name = 'scripted',
    instructions,
    capabilities,
    tools = {},
    prompts = {},
    resources = {},
  }: ScriptedServerOptions) {
    this.#plan = {
      name,
      era,
      revision,
      instructions,
      capabilities,
      tools: new Map(Object.entries(tools).map(([tool, script]) => [tool, 'run' in script ? script : { run: script }])),
      prompts: new Map(Object.entries(prompts)),
      resources: new Map(Object.entries(resources)),
    }
  }

  get received(): readonly JsonObject[] {
    return this.#record.received
  }

  get answers(): readonly RecordedAnswer[] {
    return this.#record.answers
  }

  get faults(): readonly unknown[] {
    return this.#record.faults
  }

  connect(): MemoryTransport {
    const connection: ScriptedConnection = new ScriptedConnection(this.#plan, this.#record, (message) => transport.deliver(message))
    const transport: MemoryTransport = new MemoryTransport({ receive: (message) => connection.receive(message), end: () => this.#forget(connection) })
    this.#open.set(connection, () => transport.close())
    return transport
  }

  async serve({ input, output }: ServerStreams): Promise<void> {
    const connection = new ScriptedConnection(this.#plan, this.#record, (message) => void output.write(`${JSON.stringify(message)}\n`))
    const end = new AbortController()
    this.#open.set(connection, async () => end.abort())
    for await (const message of readJsonLines(input, end.signal)) connection.receive(message)
    this.#forget(connection)
  }

  async ask(question: ScriptedQuestion): Promise<ClientAnswer> {
    const latest = [...this.#open.keys()].at(-1)
    if (latest === undefined) throw new ConsentryError('CONNECTION_LOST', 'No client is connected to the scripted server.')
    return latest.ask(question)
  }

  notify(method: string, params?: JsonObject): void {
    for (const connection of this.#open.keys()) connection.notify(method, params)
  }

  waitFor(method: string, signal?: AbortSignal): Promise<JsonObject> {
    return this.#record.waitFor(method, signal)
  }

  async close(): Promise<void> {
    this.#record.close()
    await Promise.all([...this.#open.values()].map((end) => end()))
    for (const connection of this.#open.keys()) this.#forget(connection)
  }

  #forget(connection: ScriptedConnection): void {
    this.#open.delete(connection)
    connection.close()
  }
}
