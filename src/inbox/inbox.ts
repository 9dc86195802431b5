import { ConsentryError } from '../errors.ts'
import {
  createListeners,
  type Decision,
  type FieldFault,
  type Review,
  type Reviewer,
  type ReviewKind,
  type ReviewRequest,
  type ServerIdentity,
  type Settlement,
} from '../protocol/index.ts'
import { allows, copyDecision } from './decision-shape.ts'
import { keyOf } from './asker-key.ts'
import { createDraft } from './draft.ts'
import { FloodGate, usualFloodLimits, type FloodLimits } from './flood-gate.ts'
import { QuestionHistory } from './question-history.ts'
import { RescuedAnswers } from './rescued-answers.ts'

/** Where a person can be asked: a terminal, an open console, a test's scripted person. */
export interface Surface {
  readonly name: string
  readonly kinds: readonly ReviewKind[]
}

interface EndedResult {
  readonly status: 'ended'
  readonly outcome: Settlement<ReviewKind>['outcome']
  readonly surface?: string | undefined
}

/** What became of a decision that somebody made. */
export type DecideResult =
  | { readonly status: 'decided' }
  /** The review stays open. */
  | { readonly status: 'faulty'; readonly faults: readonly FieldFault[] }
  /** Somebody or something was faster. */
  | EndedResult
  | { readonly status: 'unknown' }

/** How a review ended. */
export interface ClosedReview {
  readonly review: Review
  readonly settlement: Settlement<ReviewKind>
}

export interface InboxEvents {
  readonly 'review-opened': Review
  /** It has another subject: what it would take, or who would answer. */
  readonly 'review-changed': Review
  readonly 'review-closed': ClosedReview
  /** Other people can be asked now, or other servers are muted. */
  readonly 'surfaces-changed': undefined
}

export interface InboxOptions {
  /** How long a review waits for a person, in milliseconds. Default: 30 minutes. */
  readonly humanTimeoutMs?: number | undefined
  /** Reviews that may wait at once; more end as `too-many-waiting`. Default: 20,000. */
  readonly maximumWaiting?: number | undefined
  /** What one server may ask: more ends as `too-many-waiting` or `asked-too-often`. Default: 50 waiting, 120 a minute. */
  readonly perServer?: Partial<FloodLimits> | undefined
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined
  /** Milliseconds since no matter when, by a clock that nobody sets: how long something waits, and how often is asked. */
  readonly elapsed?: (() => number) | undefined
  readonly newId?: (() => string) | undefined
}

interface Waiting {
  readonly review: Review
  /** When it ends if nobody decides, by the clock that nobody sets. */
  readonly due: number
  readonly check: ((decision: Decision) => Promise<readonly FieldFault[]>) | undefined
  readonly sameness: string | undefined
  readonly end: (settlement: Settlement<ReviewKind>) => void
  /** Decisions are looked at one after the other, so that the first good one wins, not the one that is checked fastest. */
  turn: Promise<unknown>
}

const REMEMBERED_ENDS = 1000
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Reviews that wait for a person. The first decision wins, every other is told so, and each review ends exactly once:
 * decided, withdrawn, timed out, nobody left to ask, or the desk closed.
 *
 * Closing, timing out or losing a surface never counts as consent.
 */
export class Inbox implements Reviewer {
  readonly #humanTimeoutMs: number
  readonly #maximumWaiting: number
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #newId: () => string
  /** Oldest first; every review waits equally long, so that the first one also has the first deadline. */
  readonly #waiting = new Map<string, Waiting>()
  /** How reviews ended, and nothing of what was in them: words of servers may be large, answers of people private. */
  readonly #ends = new Map<string, EndedResult>()
  readonly #history = new QuestionHistory()
  readonly #rescued = new RescuedAnswers()
  readonly #gate: FloodGate
  readonly #surfaces = new Set<Surface>()
  readonly #listeners = createListeners<InboxEvents>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(options: InboxOptions = {}) {
    let count = 0
    this.#humanTimeoutMs = options.humanTimeoutMs ?? 30 * 60_000
    this.#maximumWaiting = options.maximumWaiting ?? 20_000
    this.#gate = new FloodGate({ ...usualFloodLimits, ...options.perServer })
    this.#now = options.now ?? Date.now
    this.#elapsed = options.elapsed ?? (() => performance.now())
    this.#newId = options.newId ?? (() => `review-${(count += 1)}`)
  }

  /** Reviews that wait now. */
  get size(): number {
    return this.#waiting.size
  }

  /** Announces a place where people can be asked. @returns the function that takes it away again; questions that nobody else can show end then */
  attach(surface: Surface): () => void {
    this.#surfaces.add(surface)
    this.#listeners.emit('surfaces-changed', undefined)
    return () => {
      if (!this.#surfaces.delete(surface)) return
      this.#listeners.emit('surfaces-changed', undefined)
      for (const { review, end } of this.#waiting.values()) if (!this.canReview(review.kind)) end({ outcome: 'nobody' })
    }
  }

  canReview(kind: ReviewKind, server?: ServerIdentity): boolean {
    if (this.#closed || (server && this.#gate.isMuted(server))) return false
    for (const surface of this.#surfaces) if (surface.kinds.includes(kind)) return true
    return false
  }

  review<Kind extends ReviewKind>(request: ReviewRequest<Kind>, signal: AbortSignal): Promise<Settlement<Kind>> {
    if (this.#closed) return Promise.resolve({ outcome: 'desk-closed' })
    if (signal.aborted) return Promise.resolve({ outcome: 'withdrawn', reason: reasonOf(signal) })
    if (!this.canReview(request.kind)) return Promise.resolve({ outcome: 'nobody' })
    if (this.#waiting.size >= this.#maximumWaiting) return Promise.resolve({ outcome: 'too-many-waiting' })
    const entry = this.#gate.enter(request.origin.server, request.kind, this.#elapsed())
    if (entry !== 'let-in') return Promise.resolve({ outcome: entry })
    return new Promise((resolve) => this.#open(request, signal, resolve as (settlement: Settlement<ReviewKind>) => void))
  }

  /**
   * Decides a review. Only code that holds a person's act may call it. The decision counts as it is now, whatever is done to it afterwards.
   *
   * @throws ConsentryError `USAGE` when the decision is not one of this kind of review, or not plain data
   */
  async decide(id: string, act: Decision, surface: string): Promise<DecideResult> {
    const waiting = this.#waiting.get(id)
    if (!waiting) {
      this.#rescued.takeLate(id, act, this.#now())
      return this.#endOf(id)
    }
    const decision = copyDecision(act)
    if (!allows(waiting.review.kind, decision)) {
      throw new ConsentryError('USAGE', `A ${waiting.review.kind} review has no decision like this one.`, { data: { kind: waiting.review.kind } })
    }
    const turn = waiting.turn.then(() => this.#take(waiting, decision, surface))
    waiting.turn = turn.catch(() => undefined)
    return turn
  }

  get(id: string): Review | undefined {
    return this.#waiting.get(id)?.review
  }

  /**
   * The other reviews that wait with the same question of the same server, oldest first. Each is decided for itself: one answer stands for two only where
   * a person says so, and then whoever shows them decides both.
   */
  sameAs(id: string): readonly Review[] {
    const waiting = this.#waiting.get(id)
    if (waiting?.sameness === undefined) return []
    const { sameness, review } = waiting
    const isSame = (other: Waiting): boolean =>
      other !== waiting && other.sameness === sameness && keyOf(other.review.origin.server) === keyOf(review.origin.server)
    return [...this.#waiting.values()].filter(isSame).map((other) => other.review)
  }

  /** Servers that are not shown any more in this run. */
  get muted(): readonly ServerIdentity[] {
    return this.#gate.muted
  }

  /** Nothing more of this server is shown: what waits ends as `muted`, and so does what it asks from now on. */
  mute(server: ServerIdentity): void {
    this.#gate.setMuted(server, true)
    for (const { review, end } of this.#waiting.values()) if (keyOf(review.origin.server) === keyOf(server)) end({ outcome: 'muted' })
    this.#listeners.emit('surfaces-changed', undefined)
  }

  /** Shows a server again. */
  unmute(server: ServerIdentity): void {
    this.#gate.setMuted(server, false)
    this.#listeners.emit('surfaces-changed', undefined)
  }

  /** Reviews that wait, oldest first. */
  list({ limit = Infinity, after }: { limit?: number | undefined; after?: string | undefined } = {}): readonly Review[] {
    const found: Review[] = []
    let isPast = after === undefined
    for (const [id, { review }] of this.#waiting) {
      if (found.length >= limit) break
      if (isPast) found.push(review)
      isPast ||= id === after
    }
    return found
  }

  /** @returns the function that undoes it */
  on<Name extends keyof InboxEvents>(event: Name, listener: (detail: InboxEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Ends everything that waits, as `desk-closed`. Safe to call twice. */
  close(): void {
    this.#closed = true
    for (const { end } of this.#waiting.values()) end({ outcome: 'desk-closed' })
    this.#surfaces.clear()
  }

  #open<Kind extends ReviewKind>(request: ReviewRequest<Kind>, signal: AbortSignal, resolve: (settlement: Settlement<ReviewKind>) => void): void {
    const id = this.#newId()
    const openedAt = this.#now()
    // Of forms only: everything else is decided in a moment.
    const { server, client } = request.origin
    const question = request.kind === 'form' && request.sameness !== undefined ? JSON.stringify([keyOf(server), client, request.sameness]) : undefined
    const rescued = question === undefined ? undefined : this.#rescued.find(question, openedAt)
    let { subject } = request
    const review = {
      id,
      kind: request.kind,
      origin: request.origin,
      get subject() {
        return subject
      },
      draft: createDraft(rescued?.values ?? request.draft),
      rescuedAt: rescued?.at,
      weigh: request.weigh,
      asked: this.#history.note(request.origin.server, request.sameness, openedAt),
      openedAt,
      deadline: openedAt + this.#humanTimeoutMs,
    } as unknown as Review
    const withdraw = (): void => end({ outcome: 'withdrawn', reason: reasonOf(signal) })
    const end = (settlement: Settlement<ReviewKind>): void => {
      if (!this.#waiting.delete(id)) return
      this.#gate.leave(request.origin.server)
      signal.removeEventListener('abort', withdraw)
      this.#remember(id, settlement)
      if (question !== undefined) this.#rescued.takeEnd(review as Review<'form'>, question, settlement, this.#now())
      this.#setTimer()
      resolve(settlement)
      this.#listeners.emit('review-closed', { review, settlement })
    }
    signal.addEventListener('abort', withdraw, { once: true })
    void request.failure?.then((failure) => end({ outcome: 'withdrawn', reason: failure.sentence, failure }))
    const due = this.#elapsed() + this.#humanTimeoutMs
    this.#waiting.set(id, { review, due, check: request.check as Waiting['check'], sameness: request.sameness, end, turn: Promise.resolve() })
    if (this.#waiting.size === 1) this.#setTimer()
    this.#listeners.emit('review-opened', review)
    if (!this.#waiting.has(id)) return
    const change = (next: typeof subject): void => {
      if (!this.#waiting.has(id)) return
      subject = next
      this.#listeners.emit('review-changed', review)
    }
    ;(request.onOpen as ((draft: Review['draft'], change: (next: typeof subject) => void) => void) | undefined)?.(review.draft, change)
  }

  async #take({ review, check, end }: Waiting, decision: Decision, surface: string): Promise<DecideResult> {
    if (!this.#waiting.has(review.id)) return this.#endOf(review.id)
    const faults = (await check?.(decision)) ?? []
    if (!this.#waiting.has(review.id)) return this.#endOf(review.id)
    if (faults.length > 0) return { status: 'faulty', faults }
    end({ outcome: 'decided', decision, by: 'person', surface })
    if (decision.action === 'cancel' && decision.stopAsking === true) this.mute(review.origin.server)
    return { status: 'decided' }
  }

  #endOf(id: string): DecideResult {
    return this.#ends.get(id) ?? { status: 'unknown' }
  }

  #remember(id: string, settlement: Settlement<ReviewKind>): void {
    const { outcome } = settlement
    this.#ends.set(id, outcome === 'decided' ? { status: 'ended', outcome, surface: settlement.surface } : { status: 'ended', outcome })
    if (this.#ends.size <= REMEMBERED_ENDS) return
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest)
      break
    }
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { due } of this.#waiting.values()) {
      const delay = Math.min(Math.max(Math.ceil(due - this.#elapsed()), 0), LONGEST_TIMER_MS)
      this.#timer = setTimeout(() => this.#expire(), delay)
      this.#timer.unref?.()
      break
    }
  }

  #expire(): void {
    const now = this.#elapsed()
    for (const { due, end } of this.#waiting.values()) {
      if (due > now) break
      end({ outcome: 'timed-out' })
    }
    this.#setTimer()
  }
}

function reasonOf(signal: AbortSignal): string {
  const { reason } = signal as { reason: unknown }
  return reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : 'the question was taken back'
}
