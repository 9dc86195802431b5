export { createDraft } from './draft.ts'
export type { ClosedReview, DecideResult, InboxEvents, InboxOptions, Surface } from './inbox.ts'
export { Inbox } from './inbox.ts'
