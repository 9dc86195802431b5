import { countHanging, countHangingCalls } from './hanging-calls.ts'
import { whenLate } from './when-late.ts'

/** Asks one question, and may ask it a second time by another way. */
export interface LaneQuestion<Result> {
  readonly near: () => Promise<Result>
  /** By way of another process, where that is possible. */
  readonly far?: (() => Promise<Result>) | undefined
  /** What is said where nothing answers. */
  readonly late: Result
}

export interface LaneOptions {
  /** Milliseconds after which a call of this process is asked again by way of another. */
  readonly slow: number
  /** Milliseconds after which nothing is expected any more. */
  readonly patience: number
  /** Questions never go by this process. */
  readonly isFar?: boolean | undefined
}

/** With so many calls that hang, this process asks nothing itself any more. */
const MOST_HANGING = 2

/**
 * The way to one device: one question at a time, so that a device that hangs holds one thread, not all.
 *
 * A question that takes long is asked again by another process, and so is every following one, until the first is answered. Where that hangs
 * too, everything is late until it does answer.
 */
export class Lane {
  readonly #options: LaneOptions
  readonly #waiting: (() => void)[] = []
  #isBusy = false
  #isSlow = false
  #isBlocked = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Questions go by another process. */
  get isSlow(): boolean {
    return this.#options.isFar === true || this.#isSlow || countHangingCalls() >= MOST_HANGING
  }

  /** Never rejects: a question that fails is late. */
  async ask<Result>({ near, far, late }: LaneQuestion<Result>): Promise<Result> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isBusy = true
    try {
      if (this.#isBlocked) return late
      if (!this.isSlow) return await this.#askNear(near, far, late)
      return far ? await this.#askFar(far, late) : late
    } finally {
      this.#handOn()
    }
  }

  #askNear<Result>(near: () => Promise<Result>, far: (() => Promise<Result>) | undefined, late: Result): Promise<Result> {
    const { slow, patience } = this.#options
    const answer = near().catch(() => late)
    return new Promise((resolve) => {
      void answer.then(resolve)
      whenLate(answer, far ? slow : patience, () => {
        this.#isSlow = true
        countHanging(answer)
        void answer.then(() => (this.#isSlow = false))
        if (far) void this.#askFar(far, late).then(resolve)
        else resolve(late)
      })
    })
  }

  #askFar<Result>(far: () => Promise<Result>, late: Result): Promise<Result> {
    const answer = far().catch(() => late)
    return new Promise((resolve) => {
      void answer.then(resolve)
      whenLate(answer, this.#options.patience, () => {
        this.#isBlocked = true
        void answer.then(() => (this.#isBlocked = false))
        resolve(late)
      })
    })
  }

  /** The next one has its turn before anybody who comes now. */
  #handOn(): void {
    const next = this.#waiting.shift()
    this.#isBusy = next !== undefined
    next?.()
  }
}
