import type { ReviewKind, Settlement } from './review.ts'

/** Why a review of a page is withdrawn that the server reports done: nobody took it back. */
export const visitDone: string = 'the server reported that it is done'

/** How a review ended, in one word for whoever reads of it later: the decision, or what became of it without one. */
export function wordOfEnd(settlement: Settlement<ReviewKind>): string {
  if (settlement.outcome === 'decided') return settlement.decision.action
  return settlement.outcome === 'withdrawn' && settlement.reason === visitDone ? 'completed' : settlement.outcome
}
