import { serverKey } from '../policy/index.ts'
import type { Decision, LimitState, ServerIdentity, Settlement } from '../protocol/index.ts'
import { untilAborted } from './until-aborted.ts'

export interface BudgetQuestion {
  readonly server: ServerIdentity
  /** A person has said yes to this very request: that they had said "wait" before is no answer to it. */
  readonly isApproved: boolean
  /** The limits that have no room. */
  readonly limits: readonly LimitState[]
  /** Shows the question; the signal ends when nobody waits for the answer any more. */
  readonly open: (signal: AbortSignal) => Promise<Settlement<'budget'>>
  /** Carries out what was decided, once, whoever else waits for it. */
  readonly act: (decision: Decision<'budget'>) => Promise<void> | void
}

interface OpenQuestion {
  readonly end: Promise<Decision<'budget'> | undefined>
  readonly stop: AbortController
  waiting: number
}

/** One question at a time for each server, however many of its requests wait for the answer; after "wait" none, until there is room again by itself. */
export class BudgetQuestions {
  readonly #open = new Map<string, OpenQuestion>()
  readonly #waitUntil = new Map<string, number>()
  readonly #now: () => number

  constructor({ now = Date.now }: { readonly now?: (() => number) | undefined } = {}) {
    this.#now = now
  }

  /** @returns what the person said; undefined where nobody decided. @throws the signal's reason where the asker is gone */
  async ask(question: BudgetQuestion, signal: AbortSignal): Promise<Decision<'budget'> | undefined> {
    const key = serverKey(question.server)
    if (!question.isApproved && this.#now() < (this.#waitUntil.get(key) ?? 0)) return { action: 'wait' }
    const open = this.#open.get(key) ?? this.#begin(key, question)
    open.waiting += 1
    return untilAborted(open.end, signal, () => {
      open.waiting -= 1
      if (open.waiting === 0) open.stop.abort(signal.reason)
    })
  }

  #begin(key: string, question: BudgetQuestion): OpenQuestion {
    const stop = new AbortController()
    const open = { end: this.#decide(key, question, stop.signal), stop, waiting: 0 }
    // Whoever still waits hears of it; nobody else has to.
    open.end.catch(() => undefined)
    this.#open.set(key, open)
    return open
  }

  async #decide(key: string, { limits, open, act }: BudgetQuestion, signal: AbortSignal): Promise<Decision<'budget'> | undefined> {
    try {
      const settlement = await open(signal)
      if (settlement.outcome !== 'decided') return undefined
      const { decision } = settlement
      if (decision.action === 'wait') this.#waitUntil.set(key, Math.max(...limits.map(({ resetsAt = Infinity }) => resetsAt)))
      await act(decision)
      return decision
    } finally {
      this.#open.delete(key)
    }
  }
}
