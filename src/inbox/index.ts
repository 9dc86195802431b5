export { createDraft } from './draft.ts'
export { usualFloodLimits, type FloodLimits } from './flood-gate.ts'
export type { ClosedReview, DecideResult, InboxEvents, InboxOptions, Surface } from './inbox.ts'
export { Inbox } from './inbox.ts'
