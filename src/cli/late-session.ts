import {
  createListeners,
  type AnswerCapabilities,
  type ClientSilence,
  type ConnectionOrigin,
  type DeskSession,
  type DeskSessionEvents,
  type FreshStartEnd,
  type Heard,
  type InputKind,
  type InputRequest,
  type InputResponse,
  type UrlWait,
} from '../protocol/index.ts'
import { sessionEvents } from '../protocol/desk-session.ts'
import type { ConsentryError } from '../errors.ts'

export interface LateSessionOptions {
  /** At the desk that does not answer yet. */
  readonly atDesk: DeskSession
  /** What can be answered until then without it: folders, and what rules say. */
  readonly here: DeskSession
  /** Told once, when the desk is there. */
  readonly onReached: () => void
}

/** A session at a desk that is still to come: until it says what it can answer, what needs nobody is answered here, and then everything there. */
export class LateSession implements DeskSession {
  readonly origin: ConnectionOrigin
  readonly #options: LateSessionOptions
  readonly #listeners = createListeners<DeskSessionEvents>()
  #isReached = false

  constructor(options: LateSessionOptions) {
    this.#options = options
    const { atDesk, here } = options
    this.origin = atDesk.origin
    // First, so that whoever hears of it asks in the right place.
    atDesk.on('capabilities-changed', () => this.#reach())
    for (const name of sessionEvents) {
      atDesk.on(name, (detail) => this.#listeners.emit(name, detail))
      here.on(name, (detail) => this.#listeners.emit(name, detail))
    }
  }

  capabilities(): AnswerCapabilities {
    return this.#current.capabilities()
  }

  answer(request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    return this.#current.answer(request, signal)
  }

  refused(request: InputRequest, error: ConsentryError): void {
    this.#current.refused?.(request, error)
  }

  reportClient(kind: InputKind, how: ClientSilence | 'answers'): void {
    this.#current.reportClient?.(kind, how)
  }

  restarted(end: FreshStartEnd): void {
    this.#current.restarted?.(end)
  }

  get takenOver(): ReadonlySet<InputKind> | undefined {
    return this.#options.atDesk.takenOver
  }

  get wantsTraffic(): boolean {
    return this.#options.atDesk.wantsTraffic === true
  }

  heard(heard: Heard): boolean {
    return this.#options.atDesk.heard?.(heard) ?? false
  }

  complete(elicitationId: string): void {
    this.#options.atDesk.complete(elicitationId)
    this.#options.here.complete(elicitationId)
  }

  awaitCompletion(wait: UrlWait, signal: AbortSignal): Promise<'completed' | 'continued' | 'cancelled'> {
    return this.#current.awaitCompletion(wait, signal)
  }

  on<Name extends keyof DeskSessionEvents>(event: Name, listener: (detail: DeskSessionEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  close(): void {
    this.#listeners.clear()
    this.#options.atDesk.close()
    this.#options.here.close()
  }

  get #current(): DeskSession {
    return this.#isReached ? this.#options.atDesk : this.#options.here
  }

  #reach(): void {
    if (this.#isReached) return
    this.#isReached = true
    this.#options.here.close()
    this.#options.onReached()
    // It may have been told other folders from here.
    this.#listeners.emit('roots-changed', undefined)
  }
}
