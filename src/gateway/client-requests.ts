import type { KeptRequest } from '../host/kept-requests.ts'
import type { RequestId } from './envelope.ts'
import type { Owners } from './share-features.ts'

/** One request of the client, from the moment it is passed on until its response is. */
export interface ClientRequest {
  readonly id: RequestId
  /** The id as the client wrote it: so it is given back. */
  readonly writtenId: string
  readonly method: string
  /** The line as it came, where it may have to be sent again or named, a character for each byte; absent where nothing that it brings up can come here. */
  readonly line: string | undefined
  /** Who answers what it brings up, where the request says so itself (2026-07-28); absent in the older era. */
  owners: Owners | undefined
  /** Who would answer it if nothing were taken over. */
  agreed: Owners | undefined
  readonly progressToken: RequestId | undefined
  /** The last progress that the client was told of it. */
  progress: number
  /** What the server knows it by; undefined while what it brought up is answered here. */
  upstream: RequestId | undefined
  /** Another request with the same id came: nobody can tell their responses apart. */
  isAmbiguous: boolean
  /** How many others with the same id wait for a response as well. */
  twins: number
  /** What the server is told with it once and for all, where it agrees. */
  readonly told: KeptRequest | undefined
  /** How often the server asked something before it would go on. */
  rounds: number
  /** Aborted when the client gives the request up; there is one while something of it is answered here. */
  controller: AbortController | undefined
}

/** The line of a request that was kept, as it came. */
export function lineOf({ line }: ClientRequest): Buffer {
  return Buffer.from(line!, 'latin1')
}

/** Of so many that ended here it is remembered that they did; an id of the client comes only once, so that they would be more and more. */
const mostEnded = 10_000

/** The client's requests that are not answered yet, by the id that the server knows them by and by their own. */
export class ClientRequests {
  readonly #upstream = new Map<RequestId, ClientRequest>()
  /** What is under way under another id than its own, or not under way at all just now. */
  readonly #away = new Map<RequestId, ClientRequest>()
  readonly #tokens = new Map<RequestId, ClientRequest>()
  /** What ended here, because its server was replaced or somebody gave it up: no response to it is for anybody. */
  readonly #ended = new Set<RequestId>()
  #whenIdle: (() => void)[] | undefined
  readonly #watchers = new Set<(isEnd: boolean) => void>()

  /** @returns false where an open request has this id and was sent again under another one: the two could not be told apart any more */
  open(request: ClientRequest): boolean {
    const { id, progressToken } = request
    if (this.#away.has(id)) return false
    this.#ended.delete(id)
    const twin = this.#upstream.get(id)
    if (twin) Object.assign(twin, { isAmbiguous: true, twins: twin.twins + 1 })
    else this.#upstream.set(id, request)
    if (progressToken !== undefined) this.#tokens.set(progressToken, request)
    return true
  }

  /** The request that a response of the server answers. */
  answeredBy(upstream: RequestId): ClientRequest | undefined {
    return this.#upstream.get(upstream)
  }

  /** The request that the client means. */
  find(id: RequestId): ClientRequest | undefined {
    return this.#away.get(id) ?? this.#upstream.get(id)
  }

  /** Whether the client has made a request with this id that the server does not have: not this server, or not under this id. */
  isUnheard(id: RequestId): boolean {
    return this.#ended.has(id) || this.#away.has(id)
  }

  withToken(token: RequestId): ClientRequest | undefined {
    return this.#tokens.get(token)
  }

  isOpen(request: ClientRequest): boolean {
    return this.find(request.id) === request
  }

  /** Every open request of the older era that may bring up a question. */
  thatMayAsk(): readonly ClientRequest[] {
    const all = new Set([...this.#upstream.values(), ...this.#away.values()])
    return [...all].filter(({ owners, method }) => owners === undefined && mayAsk(method))
  }

  /** The server has answered, and what it wants is settled here before anything goes on. */
  pause(request: ClientRequest): void {
    if (request.upstream !== undefined) this.#upstream.delete(request.upstream)
    request.upstream = undefined
    request.controller ??= new AbortController()
    this.#away.set(request.id, request)
    if (this.#whenIdle) this.#tellIdle()
  }

  /** The request goes to the server once more. */
  resend(request: ClientRequest, upstream: RequestId): void {
    request.upstream = upstream
    this.#upstream.set(upstream, request)
  }

  /** It has its response, or gets none; where others have its id, one of them goes on in its place. */
  close(request: ClientRequest): void {
    if (request.twins > 0) request.twins -= 1
    else this.drop(request)
  }

  /** The same for all that have its id. */
  drop(request: ClientRequest): void {
    const { upstream, id, progressToken } = request
    if (upstream !== undefined) this.#upstream.delete(upstream)
    if (this.#away.get(id) === request) this.#away.delete(id)
    if (progressToken !== undefined && this.#tokens.get(progressToken) === request) this.#tokens.delete(progressToken)
    if (this.#whenIdle) this.#tellIdle()
    if (this.#watchers.size > 0) this.#tellWatchers(false)
  }

  /** The same for one that is ended here: a response of the server that comes all the same is for nobody. */
  endHere(request: ClientRequest): void {
    if (request.upstream !== undefined) this.#rememberEnded(request.upstream)
    this.drop(request)
  }

  /** Calls back once, when none of these is open any more. @returns the function that undoes it */
  whenOver(requests: readonly ClientRequest[], callback: () => void): () => void {
    const look = (): void => {
      if (!requests.some((request) => this.isOpen(request)) && this.#watchers.delete(look)) callback()
    }
    this.#watchers.add(look)
    return () => void this.#watchers.delete(look)
  }

  /** Calls back when nobody makes requests any more. @returns the function that undoes it */
  whenEnded(callback: () => void): () => void {
    const look = (isEnd: boolean): void => {
      if (isEnd && this.#watchers.delete(look)) callback()
    }
    this.#watchers.add(look)
    return () => void this.#watchers.delete(look)
  }

  /** Resolves when the server has answered everything that it was asked. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      ;(this.#whenIdle ??= []).push(resolve)
      this.#tellIdle()
    })
  }

  /** The server is gone: takes out what it had, and what it would have got again in the older era. The rest does not depend on which process answers it. */
  takeFromServer(): readonly ClientRequest[] {
    const taken = [...this.#upstream.values(), ...[...this.#away.values()].filter(({ upstream, owners }) => upstream === undefined && owners === undefined)]
    for (const request of taken) {
      this.drop(request)
      this.#rememberEnded(request.id)
      request.controller?.abort(new Error('the server was started afresh'))
    }
    return taken
  }

  /** Nobody waits for any of them any more: whatever is answered here for one ends. */
  end(reason: Error): void {
    const away = [...this.#away.values()]
    for (const requests of [this.#upstream, this.#away, this.#tokens]) requests.clear()
    for (const { controller } of away) controller?.abort(reason)
    this.#tellIdle()
    this.#tellWatchers(true)
  }

  #rememberEnded(id: RequestId): void {
    this.#ended.add(id)
    if (this.#ended.size <= mostEnded) return
    const [oldest] = this.#ended
    this.#ended.delete(oldest!)
  }

  #tellWatchers(isEnd: boolean): void {
    for (const look of this.#watchers) look(isEnd)
  }

  #tellIdle(): void {
    if (this.#upstream.size > 0) return
    for (const resolve of this.#whenIdle ?? []) resolve()
    this.#whenIdle = undefined
  }
}

/** The methods that a server may ask something for. @see MCP 2026-07-28 basic/patterns/mrtr "Supported Requests" */
export function mayAsk(method: string): boolean {
  return method === 'tools/call' || method === 'prompts/get' || method === 'resources/read'
}
