import { heartbeatMs, type ConsoleEvent } from '../../src/console-api/contract.ts'
import { CallFailure, failureOf, post } from './call.ts'
import { applyEvent, type DeskView } from './desk-view.ts'
import { EventReader } from './read-events.ts'

/** How it stands with the stream. `stopped`: the desk said goodbye. `refused`: the desk is there, and takes nothing from this page. `ended`: the session is over, nothing is tried any more. */
export type LinkState = 'connecting' | 'live' | 'lost' | 'stopped' | 'refused' | 'ended'

export interface LinkSnapshot {
  readonly state: LinkState
  readonly view: DeskView | undefined
}

const SHORTEST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 5000

/** The one stream of a tab: keeps the view up to date, opens itself again after a loss, and goes on where it was. */
export class DeskLink {
  #snapshot: LinkSnapshot = { state: 'connecting', view: undefined }
  #after: string | undefined
  #attempt: AbortController | undefined
  #pause: { readonly timer: ReturnType<typeof setTimeout>; readonly end: () => void } | undefined
  #closed = false
  #isStopped = false
  readonly #changed = new Set<() => void>()
  readonly #heard = new Set<(event: ConsoleEvent) => void>()

  /** Opens the stream, and opens it again until `close`. */
  start(): void {
    void this.#run()
  }

  readonly read = (): LinkSnapshot => this.#snapshot

  /** @returns the function that undoes it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#changed.add(listener)
    return () => this.#changed.delete(listener)
  }

  /** Hears every event after the view has taken it in. @returns the function that undoes it */
  onEvent(listener: (event: ConsoleEvent) => void): () => void {
    this.#heard.add(listener)
    return () => this.#heard.delete(listener)
  }

  /** Tries at once, where the next try is still due: the network is back, or somebody looks. */
  hurry(): void {
    this.#pause?.end()
  }

  /** Says that the session is over: nothing is tried any more. */
  end(): void {
    this.close()
    this.#set({ state: 'ended', view: this.#snapshot.view })
  }

  /** Safe to call twice. */
  close(): void {
    this.#closed = true
    this.#attempt?.abort()
    this.#pause?.end()
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closed; failures += 1) {
      const before = this.#after
      const failure = await this.#listen().catch((error: unknown) => error)
      if (this.#closed) return
      if (failure instanceof CallFailure && failure.code === 'SESSION_ENDED') return this.end()
      this.#set({ ...this.#snapshot, state: failure instanceof CallFailure && failure.isRefusal ? 'refused' : this.#isStopped ? 'stopped' : 'lost' })
      if (this.#after !== before) failures = 0
      await this.#rest(Math.min(SHORTEST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))
    }
  }

  async #listen(): Promise<void> {
    const attempt = (this.#attempt = new AbortController())
    let silence = setTimeout(() => attempt.abort(), 2 * heartbeatMs)
    try {
      const response = await post('events', { after: this.#after }, { signal: attempt.signal })
      if (!response.ok) throw await failureOf(response)
      const reader = new EventReader()
      const pieces = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { value, done } = await pieces.read()
        if (done) return
        clearTimeout(silence)
        silence = setTimeout(() => attempt.abort(), 2 * heartbeatMs)
        for (const { id, data } of reader.read(value)) this.#take(JSON.parse(data) as ConsoleEvent, id)
      }
    } finally {
      clearTimeout(silence)
      attempt.abort()
    }
  }

  #take(event: ConsoleEvent, id: string | undefined): void {
    this.#after = id ?? this.#after
    this.#isStopped = event.type === 'session-ended'
    if (event.type === 'session-ended' && event.reason !== 'desk-closed') return this.end()
    const view = applyEvent(this.#snapshot.view, event, Date.now())
    const state = this.#isStopped ? 'stopped' : 'live'
    if (view !== this.#snapshot.view || this.#snapshot.state !== state) this.#set({ state, view })
    for (const listener of this.#heard) listener(event)
  }

  #set(snapshot: LinkSnapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#changed) listener()
  }

  async #rest(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#pause = { timer: setTimeout(resolve, milliseconds), end: resolve }
    })
    clearTimeout(this.#pause?.timer)
    this.#pause = undefined
  }
}
