import { longestTimer, type Clock } from './clock.ts'

/** How long a call may take, in milliseconds. */
export interface CallTimeouts {
  /** Time in which the server works and says nothing; progress starts it anew. Default 60 s. */
  readonly callTimeoutMs: number
  /** All time in which the server works on one request, whatever progress it reports. Default 10 min. */
  readonly callTimeoutCapMs: number
  /** Time in which somebody here is asked, or the server has only asked us to come back. Default 30 min. */
  readonly humanTimeoutMs: number
}

export const defaultCallTimeouts: CallTimeouts = { callTimeoutMs: 60_000, callTimeoutCapMs: 600_000, humanTimeoutMs: 1_800_000 }

/**
 * Two clocks for one call, of which only one runs at a time: the server's, and the person's while anything of this call waits here.
 * @see MCP 2025-11-25 basic/lifecycle "Timeouts"
 */
export class CallClock {
  readonly #clock: Clock
  readonly #timeouts: CallTimeouts
  readonly #onExpired: (whose: 'machine' | 'human') => void
  #pauses = 0
  #silent = 0
  #worked = 0
  #thought = 0
  #since: number
  #cancel: () => void = () => {}
  #stopped = false

  constructor(clock: Clock, timeouts: CallTimeouts, onExpired: (whose: 'machine' | 'human') => void) {
    this.#clock = clock
    this.#timeouts = timeouts
    this.#onExpired = onExpired
    this.#since = clock.now()
    this.#arm()
  }

  /** Something waits here: the person's clock runs until the function that is returned has been called. */
  pause(): () => void {
    this.#turn(1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#turn(-1)
    }
  }

  /** The server has said that it works. */
  progress(): void {
    this.#account()
    this.#silent = 0
    this.#arm()
  }

  /** A new request of the same call: the server's time starts anew, the person's does not. */
  restart(): void {
    this.#account()
    this.#silent = 0
    this.#worked = 0
    this.#arm()
  }

  /** Nothing runs any more, and no timer is left. */
  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  #turn(step: 1 | -1): void {
    this.#account()
    this.#pauses += step
    this.#arm()
  }

  #account(): void {
    const now = this.#clock.now()
    const passed = now - this.#since
    this.#since = now
    if (this.#pauses > 0) this.#thought += passed
    else {
      this.#silent += passed
      this.#worked += passed
    }
  }

  #arm(): void {
    this.#cancel()
    if (this.#stopped) return
    const left = this.#left()
    this.#cancel = this.#clock.after(Math.min(Math.max(left, 0), longestTimer), () => {
      this.#account()
      if (this.#left() > 0) this.#arm()
      else this.#onExpired(this.#pauses > 0 ? 'human' : 'machine')
    })
  }

  #left(): number {
    const { callTimeoutMs, callTimeoutCapMs, humanTimeoutMs } = this.#timeouts
    return this.#pauses > 0 ? humanTimeoutMs - this.#thought : Math.min(callTimeoutMs - this.#silent, callTimeoutCapMs - this.#worked)
  }
}
