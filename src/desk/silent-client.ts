import type { ClientSilence, ConnectionOrigin, InputKind, Settlement } from '../protocol/index.ts'

/** Which clients show nobody what they are asked, as a person said once and for all. */
export interface TakeOvers {
  /** Rejects with whatever keeps it from being read: then nothing is taken over. */
  has(origin: ConnectionOrigin, kind: InputKind): Promise<boolean>
  add(origin: ConnectionOrigin, kind: InputKind): Promise<unknown>
  /** Calls back whenever something was revoked. @returns the function that undoes it */
  onRevoked(callback: () => void): () => void
}

export interface SilentClientNeeds {
  readonly takeOvers: TakeOvers | undefined
  /** Whether somebody can be asked, and what the client would be asked can be answered here. */
  readonly canReview: () => boolean
  readonly review: (reason: ClientSilence, signal: AbortSignal) => Promise<Settlement<'silent-client'>>
  /** What the client would be asked is asked here from now on. */
  readonly takeOver: () => void
  /** The client is asked again what it declared. */
  readonly giveBack: () => void
}

/**
 * A client that said that it answers what is asked of one kind, and shows it to nobody: a person is offered to answer in its place, until its connection ends, or
 * each time until that is revoked.
 */
export class SilentClient {
  readonly #origin: ConnectionOrigin
  readonly #kind: InputKind
  readonly #needs: SilentClientNeeds
  /** Resolves when it is known whether the client is taken over because that is remembered. Never rejects. */
  readonly known: Promise<void>
  #offer: AbortController | undefined
  #isClosed = false
  #isTakenOver = false
  /** It is taken over because that is remembered. */
  #isKept = false
  #stopFollowing: () => void = () => undefined

  constructor(origin: ConnectionOrigin, kind: InputKind, needs: SilentClientNeeds) {
    this.#origin = origin
    this.#kind = kind
    this.#needs = needs
    const { takeOvers } = needs
    const mayBeKept = takeOvers !== undefined && origin.client !== undefined
    if (mayBeKept) this.#stopFollowing = takeOvers.onRevoked(() => void this.#lookAgain())
    this.known = mayBeKept ? this.#recall(takeOvers) : Promise.resolve()
  }

  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  /** Whether it is still taken over, at this moment: what is remembered may have ended, or been revoked by another process. */
  async holds(): Promise<boolean> {
    await this.known
    await this.#lookAgain()
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
    if (!(await takeOvers.has(this.#origin, this.#kind).catch(() => false))) return
    this.#isKept = true
    this.#take()
  }

  /** What is kept no longer holds no longer, nor does what cannot be read; what was said for this connection alone does. */
  async #lookAgain(): Promise<void> {
    if (!this.#isKept || (await this.#needs.takeOvers?.has(this.#origin, this.#kind).catch(() => false))) return
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
      await this.#needs.takeOvers.add(this.#origin, this.#kind)
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
