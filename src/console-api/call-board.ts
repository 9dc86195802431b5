import { ConsentryError } from '../errors.ts'
import type { Host } from '../host/index.ts'
import type { Inbox } from '../inbox/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { ConsoleEvent, ToolCall, ToolCallResult } from './contract.ts'
import type { MediaShelf } from './media-shelf.ts'
import { faultOf } from './server-board.ts'
import type { Timeline } from './timeline.ts'

export interface CallBoardNeeds {
  readonly host: Pick<Host, 'callTool' | 'connectionOf'>
  readonly inbox: Pick<Inbox, 'on'>
  readonly media: MediaShelf
  readonly timeline: Pick<Timeline, 'add'>
  readonly tell: (event: ConsoleEvent, about?: string) => void
  readonly now: () => number
}

const KEPT_ENDED = 20
const MOST_RUNNING = 50

/** Calls that people make from the console: they run on when a window is closed, and every window sees them. */
export class CallBoard {
  readonly #needs: CallBoardNeeds
  readonly #calls = new Map<string, ToolCall>()
  readonly #running = new Map<string, AbortController>()
  readonly #stop: () => void
  #count = 0

  constructor(needs: CallBoardNeeds) {
    this.#needs = needs
    this.#stop = needs.inbox.on('review-opened', ({ id, kind, origin }) => {
      // A wrap may stand in front of a server of the same name: its questions belong to its own client's calls.
      if (needs.host.connectionOf(origin.server.name) !== origin.connection) return
      for (const call of this.#calls.values()) {
        if (call.state !== 'running' || call.server !== origin.server.name) continue
        // Nobody knows what for folders are asked; a call that runs meanwhile may well wait for them.
        const isFolders = kind === 'folders' && origin.isInCall === true
        const isIts = isFolders || origin.call?.kind === 'one-of' || (origin.call?.kind === 'tool' && origin.call.name === call.tool)
        if (isIts) this.#change(call.id, { reviews: [...call.reviews, id] })
      }
    })
  }

  /** Those that run and the latest that ended, oldest first. */
  list(): readonly ToolCall[] {
    return [...this.#calls.values()]
  }

  /** Calls a tool. @throws ConsentryError `LIMIT_REACHED` when too many run at once */
  call(server: string, tool: string, given: JsonObject): ToolCall {
    if (this.#running.size >= MOST_RUNNING) throw new ConsentryError('LIMIT_REACHED', `${MOST_RUNNING} calls run already: wait, or cancel one.`)
    const id = `call-${(this.#count += 1)}`
    const call: ToolCall = { id, server, tool, arguments: given, startedAt: this.#needs.now(), state: 'running', reviews: [] }
    const stop = new AbortController()
    this.#calls.set(id, call)
    this.#running.set(id, stop)
    this.#needs.timeline.add({ thread: id, server, from: 'you', to: 'server', kind: 'called', name: tool }, { name: tool, arguments: given })
    this.#needs.tell({ type: 'call-changed', call })
    void this.#run(call, stop.signal)
    return call
  }

  /** Takes a call back; one that has ended stays as it is. */
  cancel(id: string): void {
    this.#running.get(id)?.abort()
  }

  /** Takes back what runs. Safe to call twice. */
  close(): void {
    this.#stop()
    for (const running of this.#running.values()) running.abort()
  }

  async #run({ id, server, tool, arguments: given }: ToolCall, signal: AbortSignal): Promise<void> {
    const { host, media } = this.#needs
    const arrow = { thread: id, server, from: 'server', to: 'you', kind: 'returned', name: tool } as const
    try {
      const result = await host.callTool({
        server,
        name: tool,
        arguments: given,
        signal,
        onProgress: ({ progress, total, message }) => this.#change(id, { progress: { progress, total, message } }),
      })
      this.#needs.timeline.add({ ...arrow, outcome: result['isError'] === true ? 'error' : 'done' }, result)
      const content = Array.isArray(result['content']) ? result['content'] : []
      this.#end(id, { state: 'done', result: { ...result, content: media.hide(id, content) } as ToolCallResult })
    } catch (error) {
      const fault = faultOf(error instanceof ConsentryError ? error : new ConsentryError('INTERNAL', 'The call could not be made: an error of ours.'))
      this.#needs.timeline.add({ ...arrow, outcome: signal.aborted ? 'cancelled' : 'error', error: fault.code })
      this.#end(id, { state: signal.aborted ? 'cancelled' : 'failed', fault })
    }
  }

  #end(id: string, how: Partial<ToolCall>): void {
    this.#running.delete(id)
    this.#change(id, { ...how, endedAt: this.#needs.now() })
    const ended = [...this.#calls.values()].filter(({ state }) => state !== 'running')
    for (const { id: oldest } of ended.slice(0, -KEPT_ENDED)) {
      this.#calls.delete(oldest)
      this.#needs.media.forget(oldest)
    }
  }

  #change(id: string, change: Partial<ToolCall>): void {
    const before = this.#calls.get(id)
    if (before === undefined) return
    const call = { ...before, ...change }
    this.#calls.set(id, call)
    this.#needs.tell({ type: 'call-changed', call }, `call ${id}`)
  }
}
