import type { ConsentryError } from '../errors.ts'
import { eraOf, isJsonObject, type JsonObject, type Revision } from '../protocol/index.ts'
import type { AttachedClient, CallOptions } from './attach.ts'
import { paramHeaders, readParamHeaders, type ParamHeader } from './param-headers.ts'
import { readList, type ListName } from './server-lists.ts'
import { serverErrorOf, wireCodes } from './wire-error.ts'

/** What a server says about itself: words for people, nothing to rely on. */
export interface ServerDescription {
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly instructions?: string | undefined
  readonly capabilities: JsonObject
}

export interface ServerConnectionNeeds {
  readonly attached: AttachedClient
  readonly revision: Revision
  readonly server: ServerDescription
  /** Each request is an HTTP request of its own. */
  readonly isHttp: boolean
  readonly onFault: (fault: string) => void
  readonly close: () => Promise<void>
}

/** A live connection to one server, until it is closed or lost. Made by `connect`. */
export class ServerConnection {
  readonly revision: Revision
  readonly server: ServerDescription
  readonly #needs: ServerConnectionNeeds
  readonly #mirrors: boolean
  #headers = new Map<string, readonly ParamHeader[]>()
  #closing: Promise<void> | undefined

  constructor(needs: ServerConnectionNeeds) {
    this.#needs = needs
    this.revision = needs.revision
    this.server = needs.server
    this.#mirrors = needs.isHttp && eraOf(needs.revision) === 'modern'
  }

  get attached(): AttachedClient {
    return this.#needs.attached
  }

  /** @throws ConsentryError see `AttachedClient.request` */
  async callTool(params: { readonly name: string; readonly arguments?: JsonObject | undefined }, options: CallOptions = {}): Promise<JsonObject> {
    if (!this.#mirrors) return this.attached.callTool(params, options)
    try {
      return await this.attached.callTool(params, this.#withHeaders(params, options))
    } catch (error) {
      if (serverErrorOf(error)?.code !== wireCodes.headerMismatch) throw error
      // The server refused before it did anything: what it wants stands in its list of tools.
      await this.list('tools')
      return this.attached.callTool(params, this.#withHeaders(params, options))
    }
  }

  /** @throws ConsentryError see `AttachedClient.request` */
  getPrompt(params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined }, options?: CallOptions): Promise<JsonObject> {
    return this.attached.getPrompt(params, options)
  }

  /** @throws ConsentryError see `AttachedClient.request` */
  readResource(params: { readonly uri: string }, options?: CallOptions): Promise<JsonObject> {
    return this.attached.readResource(params, options)
  }

  /** @throws ConsentryError see `AttachedClient.request` */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return this.attached.request(method, params, options)
  }

  /** The whole list, each entry as it came; an empty one from a server that has none of that kind. */
  async list(list: ListName, options?: CallOptions): Promise<readonly JsonObject[]> {
    const capability = list === 'resourceTemplates' ? 'resources' : list
    if (!isJsonObject(this.server.capabilities[capability])) return []
    const entries = await readList(list, (method, params) => this.request(method, params, options))
    return list === 'tools' && this.#mirrors ? this.#usableTools(entries) : entries
  }

  /** Lets open calls come to their end for so long, ends the others with the reason, and then closes. Nothing is sent again. */
  async retire(drainMs: number, reason: ConsentryError): Promise<void> {
    await this.attached.drain(drainMs, reason)
    await this.close()
  }

  /** Withdraws what waits, ends the calls, and ends the server where we started it. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#needs.close()
    return this.#closing
  }

  #withHeaders({ name, arguments: given }: { readonly name: string; readonly arguments?: JsonObject | undefined }, options: CallOptions): CallOptions {
    return { ...options, headers: { ...options.headers, ...paramHeaders(this.#headers.get(name) ?? [], given) } }
  }

  #usableTools(tools: readonly JsonObject[]): readonly JsonObject[] {
    this.#headers = new Map()
    return tools.filter(({ name, inputSchema }) => {
      const wanted = readParamHeaders(inputSchema)
      if (typeof wanted === 'string') this.#needs.onFault(`The tool ${JSON.stringify(name)} is left out: ${wanted}`)
      else if (typeof name === 'string') this.#headers.set(name, wanted)
      return typeof wanted !== 'string'
    })
  }
}
