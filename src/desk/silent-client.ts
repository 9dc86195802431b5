import type { ClientSilence, ConnectionOrigin, Settlement } from '../protocol/index.ts'

/** Which clients show nobody what they are asked, as a person said once and for all. */
export interface TakeOvers {
  /** Rejects with whatever keeps it from being read: then nothing is taken over. */
  has(origin: ConnectionOrigin): Promise<boolean>
  add(origin: ConnectionOrigin): Promise<unknown>
  /** Calls back whenever something was revoked. @returns the function that undoes it */
  onRevoked(callback: () => void): () => void
}

export interface SilentClientNeeds {
  readonly takeOvers: TakeOvers | undefined
  readonly canReview: () => boolean
  readonly review: (reason: ClientSilence, signal: AbortSignal) => Promise<Settlement<'silent-client'>>
  /** What the client would be asked is asked here from now on. */
  readonly takeOver: () => void
  /** The client is asked again what it declared. */
  readonly giveBack: () => void
}

/** A client that said that it shows forms, and shows nobody any: a person is offered to answer in its place, until its connection ends, or each time until that is revoked. */
export class SilentClient {
  readonly #origin: ConnectionOrigin
  readonly #needs: SilentClientNeeds
  /** Resolves when it is known whether the client is taken over because that is remembered. Never rejects. */
  readonly known: Promise<void>
  #offer: AbortController | undefined
  #isClosed = false
  #isTakenOver = false
  /** It is taken over because that is remembered. */
  #isKept = false
  #stopFollowing: () => void = () => undefined

  constructor(origin: ConnectionOrigin, needs: SilentClientNeeds) {
    this.#origin = origin
    this.#needs = needs
    const { takeOvers } = needs
    const isKnown = takeOvers === undefined || origin.client === undefined
    if (!isKnown) this.#stopFollowing = takeOvers.onRevoked(() => void this.#lookAgain(takeOvers))
    this.known = isKnown ? Promise.resolve() : this.#recall(takeOvers)
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
    this.#stopFollowing()
    this.#offer?.abort(new Error('the connection was closed'))
  }

  async #recall(takeOvers: TakeOvers): Promise<void> {
    if (!(await takeOvers.has(this.#origin).catch(() => false))) return
    this.#isKept = true
    this.#take()
  }

  /** What is kept no longer holds no longer; what was said for this connection alone does. */
  async #lookAgain(takeOvers: TakeOvers): Promise<void> {
    if (!this.#isKept || (await takeOvers.has(this.#origin).catch(() => true))) return
    // It may be closed by now, or have been looked at by another call.
    if (!this.#isKept || this.#isClosed) return
    this.#isKept = this.#isTakenOver = false
    this.#needs.giveBack()
  }

  /** Where the log cannot be written, everything stays with the client. */
  async #ask(reason: ClientSilence): Promise<void> {
    const offer = (this.#offer = new AbortController())
    try {
      const settlement = await this.#needs.review(reason, offer.signal)
      if (settlement.outcome !== 'decided' || settlement.decision.action !== 'take-over') return
      this.#take()
      if (settlement.decision.always !== true || this.#needs.takeOvers === undefined) return
      await this.#needs.takeOvers.add(this.#origin)
      this.#isKept = true
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
