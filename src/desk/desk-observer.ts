import type { ConnectionOrigin, DeskSession, Heard, InputRequest, InputResponse, Origin } from '../protocol/index.ts'

/** A connection as it is shown to people. */
export interface ObservedSession extends DeskSession {
  /** Somebody wants to see all that client and server say to each other, or no more. */
  showTraffic(isWanted: boolean): void
}

/** Who watches a desk: told what is asked and what comes of it, for people to look at. Never steers, and must not throw. */
export interface DeskObserver {
  opened(session: ObservedSession): void
  closed(session: DeskSession): void
  /** `origin.question` is the question's id, the same in its reviews and in the audit log. */
  asked(request: InputRequest, origin: Origin): void
  ended(response: InputResponse, origin: Origin): void
  /** What a server says beside its questions, as another process tells it. */
  heard?(heard: Heard, origin: ConnectionOrigin): void
}
