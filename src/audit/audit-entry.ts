import type { ErrorCode } from '../errors.ts'
import type { DecidedBy, InputKind, JsonObject, UnansweredReason } from '../protocol/index.ts'

/**
 * What happens to a question, in this order: every one is asked, and ends answered or withdrawn, or, taken back while its answer was written down, as both: then nothing left.
 * `granted` and `revoked` come of no question: a person gave a consent, or took it back, by themselves.
 */
export type AuditEvent = 'asked' | 'review-opened' | 'decided' | 'answered' | 'withdrawn' | 'granted' | 'revoked'

/** One thing that happened. Names, choices and counts; never a value that somebody typed. */
export interface AuditEntry {
  /** ISO 8601; absent: now. */
  readonly at?: string | undefined
  readonly event: AuditEvent
  /** The question's id, the same in all of its entries; for what came of none an id of its own. */
  readonly question: string
  readonly request: InputKind
  readonly mode?: 'form' | 'url' | undefined
  /** Our name for the server. */
  readonly server: string
  readonly connection: string
  /** The tool, prompt or resource in whose middle it was asked. */
  readonly call?: string | undefined
  readonly by?: DecidedBy | undefined
  readonly outcome?: string | undefined
  /** Where it was decided. */
  readonly surface?: string | undefined
  readonly unanswered?: UnansweredReason | undefined
  readonly facts?: JsonObject | undefined
  readonly error?: ErrorCode | undefined
}

/** Where entries go. */
export interface AuditSink {
  /**
   * Resolves once the entry is kept for good; whoever acts on a question waits for it.
   *
   * @throws ConsentryError `AUDIT_UNAVAILABLE`
   */
  append(entry: AuditEntry): Promise<void>
  /** Whether the next entry could be written. @throws ConsentryError `AUDIT_UNAVAILABLE` */
  tryWriting?(): Promise<void>
}
