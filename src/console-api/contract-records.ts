import type { DecidedBy, InputKind, JsonObject, ReviewKind } from '../protocol/index.ts'

/** Who takes part in a conversation: a lane of the diagram each. */
export type Lane = 'you' | 'desk' | 'client' | 'server' | 'model'

/** One arrow of the timeline. */
export interface TimelineEvent {
  /** Grows by at least 1 with each event of this run of the desk. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly from: Lane
  readonly to: Lane
  /**
   * `asked`, `answered`, `withdrawn`: the question itself. `shown`, `decided`: its reviews. `completed`: the server reports that a person is done on a page. `model-asked`, `model-answered`. `called`, `returned`: a call made here.
   * `message`: traffic, where it is switched on.
   */
  readonly kind: 'asked' | 'shown' | 'decided' | 'model-asked' | 'model-answered' | 'answered' | 'withdrawn' | 'completed' | 'called' | 'returned' | 'message'
  readonly server: string
  readonly connection?: string | undefined
  readonly client?: string | undefined
  /** Joins what belongs together: a question and all that comes of it, or a call and its result. */
  readonly thread: string
  readonly request?: InputKind | undefined
  readonly review?: string | undefined
  readonly reviewKind?: ReviewKind | undefined
  /** The tool, prompt or resource; for `message` the method. */
  readonly name?: string | undefined
  readonly by?: DecidedBy | undefined
  readonly outcome?: string | undefined
  /** A code of `docs/errors.md`. */
  readonly error?: string | undefined
  /** `timeline/message` has its JSON. */
  readonly hasMessage: boolean
}

export interface TimelineFilter {
  readonly server?: string | undefined
  readonly connection?: string | undefined
  readonly request?: InputKind | undefined
  /** Without traffic. */
  readonly questionsOnly?: boolean | undefined
  /** A text that is in the name, the server, the outcome or the message. */
  readonly search?: string | undefined
}

/** An entry of the audit log. */
export interface AuditRow {
  readonly position: number
  /** ISO 8601. */
  readonly at: string
  readonly event: 'asked' | 'review-opened' | 'decided' | 'answered' | 'withdrawn' | 'granted' | 'revoked'
  readonly question: string
  readonly request: InputKind
  readonly mode?: 'form' | 'url' | undefined
  readonly server: string
  readonly connection: string
  readonly call?: string | undefined
  readonly by?: DecidedBy | undefined
  readonly outcome?: string | undefined
  readonly surface?: string | undefined
  readonly unanswered?: string | undefined
  readonly facts?: JsonObject | undefined
  readonly error?: string | undefined
}

export interface AuditFilter {
  readonly server?: string | undefined
  readonly request?: InputKind | undefined
  readonly mode?: AuditRow['mode']
  readonly event?: AuditRow['event'] | undefined
  readonly by?: DecidedBy | undefined
  /** `YYYY-MM-DD`, local days, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** A text anywhere in the entry. */
  readonly search?: string | undefined
}

export type AuditVerification =
  | { readonly ok: true; readonly entries: number }
  | { readonly ok: false; readonly firstBad: number; readonly fault: 'altered' | 'missing'; readonly reason: string }

/** What one server asked and used on one day. */
export interface UsageDay {
  /** `YYYY-MM-DD`, local. */
  readonly day: string
  readonly server: string
  readonly asked: { readonly roots: number; readonly elicitation: number; readonly sampling: number }
  /** Answered by a person or a rule with a yes; said no to; ended without an answer. */
  readonly answered: number
  readonly refused: number
  readonly unanswered: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** USD, of the answers whose price is known. */
  readonly cost: number
  /** Answers of models whose price is not known. */
  readonly unpriced: number
}

export type Language = 'en' | 'ko' | 'zh'

/** What a person likes; kept by the desk, because the browser forgets it with the port. Absent: as the browser says. */
export interface Preferences {
  readonly language?: Language | undefined
  readonly theme?: 'light' | 'dark' | undefined
  readonly notifications?: boolean | undefined
  readonly tourSeen?: boolean | undefined
}

/** What the desk is, for the settings page. */
export interface DeskFacts {
  readonly version: string
  readonly configFile: string
  readonly stateFolder: string
  readonly pid: number
  readonly startedAt: number
  /** How long a review waits for a person, in milliseconds. */
  readonly humanTimeoutMs: number
  readonly sessionIdleMs: number
  /** Windows that are open now, this one included. */
  readonly windows: number
}
