import type { Clock } from '../mcp/clock.ts'

/** What was answered here of a round. */
export interface OurAnswers {
  /** By the server's key, as JSON. */
  readonly byKey: ReadonlyMap<string, string>
  /** Those of them that tell folders. */
  readonly folders: ReadonlySet<string>
  /** How often the folders had changed when the first of them was asked for. */
  readonly change: number
}

/** The part of a round that was answered here, kept until the client brings its own part. */
export interface HeldRound {
  /** What the request was: the client has to send the same again. */
  readonly fingerprint: string
  readonly answers: OurAnswers
  /** The server's own state, as it wrote it; null where it gave none. */
  readonly requestState: Buffer | null
}

/** Milliseconds that a handle is good for, and how many are kept; the oldest goes first. */
const lifetimeMs = 1_800_000
const most = 1000

/**
 * Rounds that are split between client and us. The client is given a handle in place of the server's state; it is bound to the request it was given for.
 *
 * Handles begin and end with a mark of this process, so that one that was changed anywhere is still recognised as one of ours, and refused.
 * @see MCP 2026-07-28 basic/patterns/mrtr "Server Requirements (Basic Workflow)"
 */
export class RoundHandles {
  readonly #clock: Clock
  readonly #newSecret: () => string
  #mark: string | undefined
  readonly #held = new Map<string, { readonly round: HeldRound; readonly until: number }>()

  constructor(clock: Clock, newSecret: () => string) {
    this.#clock = clock
    this.#newSecret = newSecret
  }

  hold(round: HeldRound): string {
    const now = this.#clock.now()
    for (const [handle, { until }] of this.#held) {
      if (until > now && this.#held.size < most) break
      this.#held.delete(handle)
    }
    this.#mark ??= this.#newSecret().replaceAll('-', '').slice(0, 12)
    const handle = `${this.#mark}.${this.#newSecret()}.${this.#mark}`
    this.#held.set(handle, { round, until: now + lifetimeMs })
    return handle
  }

  /** False: the state is the server's. */
  isOurs(state: string): boolean {
    return this.#mark !== undefined && (state.startsWith(this.#mark) || state.endsWith(this.#mark))
  }

  /** @returns undefined for a handle that was changed, is too old, or belongs to another request */
  find(handle: string, fingerprint: string): HeldRound | undefined {
    const held = this.#held.get(handle)
    return held && held.until > this.#clock.now() && held.round.fingerprint === fingerprint ? held.round : undefined
  }
}
