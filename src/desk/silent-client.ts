import type { ClientSilence, ConnectionOrigin, Settlement } from '../protocol/index.ts'

/** Which clients show nobody what they are asked, as a person said once and for all. */
export interface TakeOvers {
  /** Rejects with whatever keeps it from being read: then nothing is taken over. */
  has(origin: ConnectionOrigin): Promise<boolean>
  add(origin: ConnectionOrigin): Promise<unknown>
}

export interface SilentClientNeeds {
  readonly takeOvers: TakeOvers | undefined
  readonly canReview: () => boolean
  readonly review: (reason: ClientSilence, signal: AbortSignal) => Promise<Settlement<'silent-client'>>
  /** What the client would be asked is asked here from now on. */
  readonly takeOver: () => void
}

/** A client that said that it shows forms, and shows nobody any: a person is offered to answer in its place, until its connection ends or each time. */
export class SilentClient {
  readonly #origin: ConnectionOrigin
  readonly #needs: SilentClientNeeds
  #offer: AbortController | undefined
  #isClosed = false
  #isTakenOver = false

  constructor(origin: ConnectionOrigin, needs: SilentClientNeeds) {
    this.#origin = origin
    this.#needs = needs
    if (needs.takeOvers && origin.client !== undefined) void this.#recall(needs.takeOvers)
  }

  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  report(how: ClientSilence | 'answers'): void {
    this.#offer?.abort(new Error('the client answers'))
    if (how !== 'answers' && !this.#isClosed && !this.#isTakenOver && this.#needs.canReview()) void this.#ask(how)
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true
    this.#offer?.abort(new Error('the connection was closed'))
  }

  async #recall(takeOvers: TakeOvers): Promise<void> {
    if (await takeOvers.has(this.#origin).catch(() => false)) this.#take()
  }

  /** Where the log cannot be written, everything stays with the client. */
  async #ask(reason: ClientSilence): Promise<void> {
    const offer = (this.#offer = new AbortController())
    try {
      const settlement = await this.#needs.review(reason, offer.signal)
      if (settlement.outcome !== 'decided' || settlement.decision.action !== 'take-over') return
      this.#take()
      if (settlement.decision.always === true) await this.#needs.takeOvers?.add(this.#origin)
    } catch {
      // It can be offered again, with the next silence.
    }
  }

  #take(): void {
    if (this.#isClosed) return
    this.#isTakenOver = true
    this.#needs.takeOver()
  }
}
