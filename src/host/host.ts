import { ConsentryError } from '../errors.ts'
import { systemClock, type CallOptions, type CallProgress, type Clock, type ConnectOptions, type ListName, type ServerLogEntry } from '../mcp/index.ts'
import { createListeners, type Desk, type Era, type InputRequest, type InputResponse, type JsonObject } from '../protocol/index.ts'
import { defaultReconnect, type ReconnectOptions } from './backoff.ts'
import { ServerLink, type ServerLinkEvents, type ServerLinkNeeds } from './server-link.ts'
import { isSameServer, type ServerOptions } from './server-options.ts'
import type { ServerStatus } from './server-status.ts'

export interface HostOptions extends Pick<ConnectOptions, 'clientInfo' | 'timeouts' | 'requestsAtOnce'> {
  /** Answers what the servers ask. Stays the caller's to close. */
  readonly desk: Desk
  readonly servers: readonly ServerOptions[]
  readonly reconnect?: Partial<ReconnectOptions> | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
  /** Default: random identifiers. */
  readonly newConnectionId?: (() => string) | undefined
}

/** Something that a server offers. */
export interface Listed {
  readonly server: string
  /** What to call, get or read it by: the name of a tool or prompt, the URI of a resource, the template of a family of them. */
  readonly name: string
  /** As the server sent it. */
  readonly definition: JsonObject
}

export interface HostEvents {
  /** It is not one of this host's servers any more. */
  'server-removed': { readonly server: string }
  'server-status': { readonly server: string; readonly status: ServerStatus }
  'input-requested': { readonly server: string; readonly request: InputRequest }
  /** How a question ended, refused and withdrawn ones included. */
  'input-answered': { readonly server: string; readonly request: InputRequest; readonly response: InputResponse }
  'tools-changed': { readonly server: string; readonly entries: readonly Listed[] }
  'prompts-changed': { readonly server: string; readonly entries: readonly Listed[] }
  'resources-changed': { readonly server: string; readonly entries: readonly Listed[] }
  progress: { readonly server: string; readonly name: string; readonly progress: CallProgress }
  stderr: { readonly server: string; readonly text: string }
  log: { readonly server: string; readonly entry: ServerLogEntry }
  /** Every message of every connection, as it is on the wire; `client` is this host. */
  traffic: { readonly server: string; readonly from: 'client' | 'server'; readonly message: unknown }
}

/** Which server, and how long and for whom. */
export interface HostCall extends CallOptions {
  readonly server: string
}

const keys: Readonly<Record<ListName, string>> = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' }

/**
 * Many servers, one connection each, with every question of theirs answered by one desk.
 *
 * Servers are connected side by side; one that fails hurts no other. A connection that is lost is made again; a call that it interrupted is not.
 *
 * @example
 * ```ts
 * import { Host, type Desk } from 'consentry'
 *
 * async function book(desk: Desk): Promise<void> {
 *   const host = new Host({ desk, servers: [{ name: 'travel', command: 'node', args: ['travel-server.js'] }] })
 *   await host.connect()
 *   console.log(await host.callTool({ server: 'travel', name: 'book_trip' }))
 *   await host.close()
 * }
 * ```
 */
export class Host {
  readonly #links = new Map<string, ServerLink>()
  readonly #servers = new Map<string, ServerOptions>()
  readonly #needs: Omit<ServerLinkNeeds, 'events'>
  readonly #listeners = createListeners<HostEvents>()
  /** Links that servers have no more, while they end. */
  readonly #ending = new Set<Promise<void>>()
  #isClosed = false

  /** @throws ConsentryError `USAGE` for two servers with one name */
  constructor({ servers, reconnect, clock = systemClock, random = Math.random, newConnectionId = () => crypto.randomUUID(), ...options }: HostOptions) {
    const eras = new Map<string, Era>()
    this.#needs = { ...options, clock, random, newConnectionId, eras, reconnect: { ...defaultReconnect, ...reconnect } }
    for (const server of servers) {
      if (this.#links.has(server.name)) throw new ConsentryError('USAGE', `Two servers are called ${JSON.stringify(server.name)}`)
      this.#put(server)
    }
  }

  /**
   * Puts other servers in the place of these: new ones are idle until somebody connects them or calls, those that are gone or different are ended, all others go on.
   *
   * @returns the names of those that are new or different
   * @throws ConsentryError `USAGE` for two servers with one name: nothing has changed then
   */
  update(servers: readonly ServerOptions[]): readonly string[] {
    if (this.#isClosed) return []
    const next = new Map(servers.map((server) => [server.name, server]))
    if (next.size < servers.length) throw new ConsentryError('USAGE', 'Two servers have the same name')
    for (const name of this.#links.keys()) {
      if (next.has(name)) continue
      this.#end(name)
      this.#servers.delete(name)
      this.#listeners.emit('server-removed', { server: name })
    }
    const changed = servers.filter((server) => !isSameServer(server, this.#servers.get(server.name)))
    for (const server of changed) {
      this.#end(server.name)
      this.#put(server)
    }
    return changed.map(({ name }) => name)
  }

  /** Ends one server; a call, or `connect`, starts it again. @throws ConsentryError `SERVER_NOT_FOUND` */
  async stop(server: string): Promise<void> {
    const link = this.#link(server)
    const options = this.#servers.get(server)
    await link.close()
    if (this.#links.get(server) === link && options !== undefined && !this.#isClosed) this.#put(options)
  }

  /** @returns the function that undoes it */
  on<Name extends keyof HostEvents>(event: Name, listener: (detail: HostEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Connects every server that is not, and resolves when each is ready or has failed. With a name: that one, now. Never rejects because of a server. */
  async connect(server?: string): Promise<void> {
    await Promise.all(server === undefined ? [...this.#links.values()].map((link) => link.connect()) : [this.#link(server).connect()])
  }

  /** What the desk knows a server's connection by (`origin.connection`), while there is one: another program may speak to a server of the same name. */
  connectionOf(server: string): string | undefined {
    return this.#links.get(server)?.connectionId
  }

  /** How it stands with each server. */
  statuses(): ReadonlyMap<string, ServerStatus> {
    return new Map([...this.#links].map(([name, { status }]) => [name, status]))
  }

  /** @throws ConsentryError `SERVER_NOT_FOUND` */
  status(server: string): ServerStatus {
    return this.#link(server).status
  }

  /** The tools of one server, or of all that are ready. @throws ConsentryError why that one has none to offer */
  listTools(server?: string): Promise<readonly Listed[]> {
    return this.#list('tools', server)
  }

  /** @throws ConsentryError see `listTools` */
  listPrompts(server?: string): Promise<readonly Listed[]> {
    return this.#list('prompts', server)
  }

  /** @throws ConsentryError see `listTools` */
  listResources(server?: string): Promise<readonly Listed[]> {
    return this.#list('resources', server)
  }

  /** @throws ConsentryError see `listTools` */
  listResourceTemplates(server?: string): Promise<readonly Listed[]> {
    return this.#list('resourceTemplates', server)
  }

  /**
   * Calls a tool, answers what the server asks meanwhile, and resolves with the result as the server sent it. Waits for a connection that is on its way.
   *
   * @throws ConsentryError `SERVER_NOT_FOUND`, `SERVER_UNREACHABLE`, `SERVER_ERROR` with the server's own error, `INPUT_REFUSED`, `TOO_MANY_ROUNDS`,
   * `PROTOCOL_VIOLATION`, `CALL_CANCELLED`, `CALL_TIMED_OUT`, `CONNECTION_LOST`
   */
  async callTool({ name, arguments: given, ...call }: HostCall & { readonly name: string; readonly arguments?: JsonObject | undefined }): Promise<JsonObject> {
    const connection = await this.#link(call.server).connection(call.signal)
    return connection.callTool({ name, ...(given && { arguments: given }) }, this.#watched(call, name))
  }

  /** @throws ConsentryError see `callTool` */
  async getPrompt({
    name,
    arguments: given,
    ...call
  }: HostCall & { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined }): Promise<JsonObject> {
    const connection = await this.#link(call.server).connection(call.signal)
    return connection.getPrompt({ name, ...(given && { arguments: given }) }, this.#watched(call, name))
  }

  /** @throws ConsentryError see `callTool` */
  async readResource({ uri, ...call }: HostCall & { readonly uri: string }): Promise<JsonObject> {
    const connection = await this.#link(call.server).connection(call.signal)
    return connection.readResource({ uri }, this.#watched(call, uri))
  }

  /** Any other request. @throws ConsentryError see `callTool` */
  async request({ method, params, ...call }: HostCall & { readonly method: string; readonly params?: JsonObject | undefined }): Promise<JsonObject> {
    return this.#link(call.server).request(method, params, this.#watched(call, method))
  }

  /**
   * Starts one server afresh: calls that run get a moment to end, then end with `CONNECTION_LOST`, and none is sent again; later ones wait for the fresh
   * server, which is told its subscriptions and its log level again. Never rejects because of the server.
   *
   * @throws ConsentryError `SERVER_NOT_FOUND`
   */
  async restart(server: string): Promise<void> {
    await this.#link(server).restart()
  }

  /** Withdraws what waits, ends the calls and the servers that were started. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#ending, ...Array.from(this.#links.values(), (link) => link.close())])
  }

  #put(server: ServerOptions): void {
    const { status, ...events } = this.#eventsOf(server.name)
    // One that was replaced or taken away has nothing more to say of the name.
    const link: ServerLink = new ServerLink(server, {
      ...this.#needs,
      events: { ...events, status: (next) => this.#links.get(server.name) === link && status(next) },
    })
    this.#servers.set(server.name, server)
    this.#links.set(server.name, link)
    status(link.status)
  }

  #end(name: string): void {
    const link = this.#links.get(name)
    if (link === undefined) return
    this.#links.delete(name)
    const end = link.close().finally(() => this.#ending.delete(end))
    this.#ending.add(end)
  }

  async #list(list: ListName, server: string | undefined): Promise<readonly Listed[]> {
    if (server !== undefined) return listed(server, list, await this.#link(server).list(list))
    const ready = [...this.#links].filter(([, { status }]) => status.state === 'ready')
    const lists = await Promise.allSettled(ready.map(async ([name, link]) => listed(name, list, await link.list(list))))
    return lists.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  }

  #watched({ server, onProgress, ...call }: HostCall, name: string): CallOptions {
    return {
      ...call,
      onProgress: (progress) => {
        this.#listeners.emit('progress', { server, name, progress })
        onProgress?.(progress)
      },
    }
  }

  #link(server: string): ServerLink {
    const link = this.#links.get(server)
    if (link) return link
    const known = [...this.#links.keys()].map((name) => JSON.stringify(name)).join(', ')
    throw new ConsentryError('SERVER_NOT_FOUND', `There is no server ${JSON.stringify(server)}; there is ${known || 'none'}`)
  }

  #eventsOf(server: string): ServerLinkEvents {
    const listeners = this.#listeners
    return {
      status: (status) => listeners.emit('server-status', { server, status }),
      requested: (request) => listeners.emit('input-requested', { server, request }),
      answered: (request, response) => listeners.emit('input-answered', { server, request, response }),
      changed: (list, entries) => listeners.emit(`${list}-changed`, { server, entries: listed(server, list, entries) }),
      stderr: (text) => listeners.emit('stderr', { server, text }),
      log: (entry) => listeners.emit('log', { server, entry }),
      traffic: (from, message) => listeners.emit('traffic', { server, from, message }),
    }
  }
}

/** Entries that cannot be asked for, because they have no name, are left out. */
function listed(server: string, list: ListName, entries: readonly JsonObject[]): readonly Listed[] {
  return entries.flatMap((definition) => {
    const name = definition[keys[list]]
    return typeof name === 'string' ? [{ server, name, definition }] : []
  })
}
