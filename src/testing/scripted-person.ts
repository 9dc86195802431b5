import type { DecideResult, Inbox } from '../inbox/index.ts'
import { reviewKinds, type Decision, type FieldFault, type Review, type ReviewKind } from '../protocol/index.ts'

/** What a scripted person decides: `undefined` means that they do not act, and the review waits on. `faults` say what was wrong with the decision before. */
export type Decide = (review: Review, faults: readonly FieldFault[]) => Decision | undefined | Promise<Decision | undefined>

export interface ScriptedPersonOptions {
  readonly inbox: Pick<Inbox, 'attach' | 'on' | 'decide'>
  /** A function, or decisions in the order in which they are needed. When the list is used up, the person leaves: what is asked then finds nobody. */
  readonly decide: Decide | readonly Decision[]
  /** What the person can be shown. Default: everything. */
  readonly kinds?: readonly ReviewKind[] | undefined
  /** The surface's name in reviews and in the audit log. Default: `scripted-person`. */
  readonly name?: string | undefined
}

export interface ScriptedDecision {
  readonly review: Review
  readonly decision: Decision
  readonly result: Promise<DecideResult>
}

/** Somebody who sits in front of an inbox. */
export interface ScriptedPerson {
  /** Every review that was shown, oldest first. */
  readonly reviews: readonly Review[]
  /** Every decision that was made, oldest first, and what became of it. */
  readonly decisions: readonly ScriptedDecision[]
  /** What the function threw; the review was cancelled then. */
  readonly faults: readonly unknown[]
  /** The person goes away. Safe to call twice. */
  leave(): void
}

/**
 * Puts a person into a test who decides by script what waits in an inbox: through the same door as real people, and recorded like them.
 *
 * A decision that does not fit is put right by the next one of the list, or by the function, which is called again with the faults;
 * the same wrong decision twice, or a fault of the function, cancels. So nothing waits for ever.
 *
 * @example
 * ```ts
 * import { createScriptedPerson } from 'consentry/testing'
 * import type { Inbox } from 'consentry'
 *
 * function sayYes(inbox: Inbox): void {
 *   createScriptedPerson({
 *     inbox,
 *     decide: (review) => (review.kind === 'form' ? { action: 'accept', content: { seat: 'aisle' } } : { action: 'cancel' }),
 *   })
 * }
 * ```
 */
export function createScriptedPerson({ inbox, decide, kinds = reviewKinds, name = 'scripted-person' }: ScriptedPersonOptions): ScriptedPerson {
  const reviews: Review[] = []
  const decisions: ScriptedDecision[] = []
  const faults: unknown[] = []
  const list = typeof decide === 'function' ? undefined : [...decide]
  const detach = inbox.attach({ name, kinds })
  const stopListening = inbox.on('review-opened', (review) => void show(review))

  function leave(): void {
    stopListening()
    detach()
  }

  async function show(review: Review): Promise<void> {
    if (!kinds.includes(review.kind)) return
    reviews.push(review)
    if (review.kind === 'completion') await untilWritten(review)
    try {
      await settle(review)
    } catch (fault) {
      faults.push(fault)
      await inbox.decide(review.id, { action: 'cancel' }, name)
    }
  }

  async function settle(review: Review): Promise<void> {
    let wrong: readonly FieldFault[] = []
    for (let before: Decision | undefined; ;) {
      const decision = await next(review, wrong)
      if (decision === undefined) return
      // Who says the same again, although it did not fit, will never say anything else.
      const said = wrong.length > 0 && JSON.stringify(decision) === JSON.stringify(before) ? ({ action: 'cancel' } as const) : decision
      const result = inbox.decide(review.id, said, name)
      decisions.push({ review, decision: said, result })
      const outcome = await result
      if (outcome.status !== 'faulty') return
      before = decision
      wrong = outcome.faults
    }
  }

  async function next(review: Review, wrong: readonly FieldFault[]): Promise<Decision | undefined> {
    if (list === undefined) return (decide as Decide)(review, wrong)
    const decision = list.shift()
    if (decision === undefined) leave()
    return decision
  }

  return { reviews, decisions, faults, leave }
}

/** A person reads an answer to its end before they decide. */
function untilWritten({ draft }: Review<'completion'>): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (draft.value.progress === 'streaming') return
      stop()
      resolve()
    }
    const stop = draft.subscribe(look)
    look()
  })
}
