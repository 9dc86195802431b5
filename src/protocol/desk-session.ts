import type { ConsentryError } from '../errors.ts'
import type { InputKind, InputRequest } from './input-request.ts'
import type { InputResponse } from './input-response.ts'
import type { FreshStartEnd, KeptFoldersReport } from './kept-folders.ts'
import type { ConnectionOrigin } from './origin.ts'
import type { ClientSilence, ReviewKind } from './review.ts'

/** What can be answered at this moment; the adapter cuts it down to what a revision knows. */
export interface AnswerCapabilities {
  readonly roots: boolean
  readonly form: boolean
  readonly url: boolean
  readonly sampling: boolean
  readonly samplingTools: boolean
}

/** Why a server is started afresh: `folders`, it does not read its list again; `sandbox`, what holds it to its folders is drawn anew; `person`, somebody says so. */
export type RestartReason = 'folders' | 'sandbox' | 'person'

/** What is told of a server beside its questions, for people to look at; nothing follows from it. */
export type Heard =
  /** The server wrote this to its stderr. */
  | { readonly kind: 'stderr'; readonly text: string }
  /**
   * One message as it stands on the wire. `bytes`: it is so long that only its beginning is here. `missed`: so many before it were left out, because there was no
   * room for them.
   */
  | {
      readonly kind: 'traffic'
      readonly from: 'client' | 'server'
      readonly line: string
      readonly bytes?: number | undefined
      readonly missed?: number | undefined
    }

export interface DeskSessionEvents {
  /** The list that this server would get now differs from the one before. */
  readonly 'roots-changed': undefined
  readonly 'capabilities-changed': undefined
  /** The server may go on in folders that it should know no longer: for whoever reads what is said where it was started. */
  readonly 'folders-kept': KeptFoldersReport
  /** What the server knew before its last folder was taken back, as long as nobody has said what else is done; then nothing. For whoever tells the desk that comes next. */
  readonly 'folders-undecided': readonly string[] | undefined
  /** The server is to be started afresh: it goes on in folders that it may not know any more, and a person, or what they had remembered, says so. */
  readonly 'restart-asked': RestartReason
  /** The server is to be ended, and not started again: it could not be started afresh, and a person says so. */
  readonly 'end-asked': undefined
  /** What the client was to answer of this kind is to be asked here from now on: a person says so. */
  readonly 'take-over-asked': InputKind
  /** That is taken back: from now on the client is asked what it declared. What is asked here already stays here. */
  readonly 'take-over-ended': InputKind
  /** Whether somebody wants to see all that client and server say to each other: from now on, or no more. */
  readonly 'traffic-wanted': boolean
  /** A person is being asked: human time starts. */
  readonly waiting: { readonly kind: ReviewKind }
  /** Nobody is being asked any more: human time ends. */
  readonly resumed: undefined
}

const told: Readonly<Record<keyof DeskSessionEvents, true>> = {
  'roots-changed': true,
  'capabilities-changed': true,
  'folders-kept': true,
  'folders-undecided': true,
  'restart-asked': true,
  'end-asked': true,
  'take-over-asked': true,
  'take-over-ended': true,
  'traffic-wanted': true,
  waiting: true,
  resumed: true,
}

/** Everything that a session tells of, for whoever passes it on. */
export const sessionEvents: readonly (keyof DeskSessionEvents)[] = Object.keys(told) as (keyof DeskSessionEvents)[]

/** Everything that one connection needs to have questions answered. Whoever holds it knows nothing of people, models or rules. */
export interface DeskSession {
  readonly origin: ConnectionOrigin
  capabilities(): AnswerCapabilities
  /** Resolves when `capabilities` says all that can be answered: a promise that is made only once waits for it. Never rejects. Absent: it does at once. */
  readonly known?: Promise<void> | undefined
  /**
   * Answers one question. Never rejects: what went wrong is a refused response.
   * An aborted signal ends it as `withdrawn`.
   */
  answer(request: InputRequest, signal: AbortSignal): Promise<InputResponse>
  /** Told of a question that was refused before it came here (it had not been promised), so that the log knows of it too. */
  refused?(request: InputRequest, error: ConsentryError): void
  /** Told of a client that shows nobody what it said it would answer, so that a person can say who answers; `answers`: it does after all. */
  reportClient?(kind: InputKind, how: ClientSilence | 'answers'): void
  /** Told what became of a fresh start that `restart-asked` asked for. */
  restarted?(end: FreshStartEnd): void
  /** What the client was to answer and is asked here: said with `take-over-asked` when it comes to that. Absent: nothing. */
  readonly takenOver?: ReadonlySet<InputKind> | undefined
  /** Whether somebody wants to see all that client and server say to each other, at this moment. */
  readonly wantsTraffic?: boolean | undefined
  /** Told what a server says beside its questions. @returns false: there is no room for it, and it is lost */
  heard?(heard: Heard): boolean
  /** The server reported that what a URL stood for is done; unknown and repeated ids are ignored. @see MCP 2025-11-25 client/elicitation "Completion Notifications" */
  complete(elicitationId: string): void
  /**
   * Waits until every listed id was reported complete or somebody says to go on (a script does at once). Cancelled: the person gave up, or the signal was aborted.
   *
   * @throws ConsentryError `AUDIT_UNAVAILABLE`
   */
  awaitCompletion(waiting: UrlWait, signal: AbortSignal): Promise<'completed' | 'continued' | 'cancelled'>
  /** @returns the function that undoes it */
  on<Name extends keyof DeskSessionEvents>(event: Name, listener: (detail: DeskSessionEvents[Name]) => void): () => void
  /** Withdraws everything of this connection that still waits. Safe to call twice. */
  close(): void
}

export interface UrlWait {
  readonly ids: readonly string[]
  readonly message: string
  readonly urls: readonly string[]
  readonly request: Pick<InputRequest, 'revision' | 'call'>
  /** The call goes on meanwhile: only a person who gives up cancels it, and where nobody can be shown that it waits, it is `continued`. */
  readonly goesOn?: boolean | undefined
}

/** Where questions are decided. Three implementations, one contract suite. */
export interface Desk {
  open(origin: ConnectionOrigin): DeskSession
  /** Ends every session. Safe to call twice. */
  close(): Promise<void>
}
