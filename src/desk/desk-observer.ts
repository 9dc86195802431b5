import type { DeskSession, InputRequest, InputResponse, Origin } from '../protocol/index.ts'

/** Who watches a desk: told what is asked and what comes of it, for people to look at. Never steers, and must not throw. */
export interface DeskObserver {
  opened(session: DeskSession): void
  closed(session: DeskSession): void
  /** `origin.question` is the question's id, the same in its reviews and in the audit log. */
  asked(request: InputRequest, origin: Origin): void
  ended(response: InputResponse, origin: Origin): void
}
