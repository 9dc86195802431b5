import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** A request of which a fresh process has to hear as well. */
export interface KeptRequest {
  readonly method: string
  readonly params: JsonObject | undefined
}

/** What a server was told to do from then on: a fresh process of it knows nothing of that, and is told again. Calls are never kept. */
export class KeptRequests {
  readonly #kept = new Map<string, KeptRequest>()

  /** A request that the server has answered. */
  note({ method, params }: KeptRequest): void {
    const uri = isJsonObject(params) ? params['uri'] : undefined
    if (method === 'logging/setLevel') this.#keep('level', { method, params })
    else if (method === 'resources/subscribe' && typeof uri === 'string') this.#keep(`resource ${uri}`, { method, params })
    else if (method === 'resources/unsubscribe' && typeof uri === 'string') this.#kept.delete(`resource ${uri}`)
  }

  /** In the order in which they were made. What the server refuses now is left out. */
  async replay(request: (method: string, params: JsonObject | undefined) => Promise<unknown>): Promise<void> {
    for (const { method, params } of this.#kept.values()) await request(method, params).catch(() => undefined)
  }

  #keep(key: string, request: KeptRequest): void {
    this.#kept.delete(key)
    this.#kept.set(key, request)
  }
}
