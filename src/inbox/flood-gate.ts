import type { ReviewKind, ServerIdentity } from '../protocol/index.ts'
import { keyOf } from './asker-key.ts'

/** How much one server may ask of people. */
export interface FloodLimits {
  /** Questions of one server that may wait at once. */
  readonly waiting: number
  /** Questions of one server that may be shown within any minute. */
  readonly perMinute: number
}

/** Nobody decides more than this; who asks more wants to wear people down. */
export const usualFloodLimits: FloodLimits = { waiting: 50, perMinute: 120 }

interface Asker {
  readonly server: ServerIdentity
  waiting: number
  /** When its latest questions were let in, oldest first, as far as they count. */
  readonly times: number[]
  isMuted: boolean
}

const MINUTE_MS = 60_000
/** From so many on, servers of which nothing is left to know are forgotten. */
const MANY_ASKERS = 256

/** What follows from a question that was let in is let in too: somebody has begun to answer it. */
const followUps: ReadonlySet<ReviewKind> = new Set<ReviewKind>(['url-wait', 'completion', 'budget', 'kept-folders', 'silent-client'])

/** Keeps one server from asking more than people can answer, and from asking at all where somebody has had enough of it for this run. */
export class FloodGate {
  readonly #limits: FloodLimits
  readonly #askers = new Map<string, Asker>()
  #forgetAt = MANY_ASKERS

  constructor(limits: FloodLimits) {
    this.#limits = limits
  }

  /** Servers that nobody wants to be asked by any more. */
  get muted(): readonly ServerIdentity[] {
    return [...this.#askers.values()].filter(({ isMuted }) => isMuted).map(({ server }) => server)
  }

  isMuted(server: ServerIdentity): boolean {
    return this.#askers.get(keyOf(server))?.isMuted === true
  }

  setMuted(server: ServerIdentity, isMuted: boolean): void {
    this.#askerOf(server).isMuted = isMuted
  }

  /** Servers that something is known of. */
  get size(): number {
    return this.#askers.size
  }

  /** Lets a question in, or says why not. One that is let in is followed by `leave`, once. @param now milliseconds by a clock that nobody sets */
  enter(server: ServerIdentity, kind: ReviewKind, now: number): 'let-in' | 'muted' | 'too-many-waiting' | 'asked-too-often' {
    if (this.#askers.size >= this.#forgetAt) this.#forget(now)
    const asker = this.#askerOf(server)
    if (asker.isMuted) return 'muted'
    if (!followUps.has(kind)) {
      if (asker.waiting >= this.#limits.waiting) return 'too-many-waiting'
      while (asker.times.length > 0 && now - asker.times[0]! >= MINUTE_MS) asker.times.shift()
      if (asker.times.length >= this.#limits.perMinute) return 'asked-too-often'
      asker.times.push(now)
    }
    asker.waiting += 1
    return 'let-in'
  }

  /** A question that was let in waits no longer. */
  leave(server: ServerIdentity): void {
    this.#askerOf(server).waiting -= 1
  }

  /** Names are the server's own choice where nobody configured it: whoever takes a new one each time must fill no memory. */
  #forget(now: number): void {
    for (const [key, { waiting, times, isMuted }] of this.#askers)
      if (waiting === 0 && !isMuted && !(now - (times.at(-1) ?? -Infinity) < MINUTE_MS)) this.#askers.delete(key)
    this.#forgetAt = Math.max(MANY_ASKERS, 2 * this.#askers.size)
  }

  #askerOf(server: ServerIdentity): Asker {
    const key = keyOf(server)
    const asker = this.#askers.get(key) ?? { server, waiting: 0, times: [], isMuted: false }
    this.#askers.set(key, asker)
    return asker
  }
}
