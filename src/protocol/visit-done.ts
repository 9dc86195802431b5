import type { ReviewKind, Settlement } from './review.ts'

/** Why a review of a page is withdrawn that the server is done with, which it says with a notification, with its next question or with the result of the call: nobody took it back. */
export const visitDone: string = 'the server is done with the page'

/** Why a review of a page is withdrawn whose call is over without a result that says so. */
export const visitOver: string = 'the call is over'

/** How a review ended, in one word for whoever reads of it later: the decision, or what became of it without one. */
export function wordOfEnd(settlement: Settlement<ReviewKind>): string {
  if (settlement.outcome === 'decided') return settlement.decision.action
  return settlement.outcome === 'withdrawn' && settlement.reason === visitDone ? 'completed' : settlement.outcome
}
