import type { ConsentryError } from '../errors.ts'
import type { JsonObject } from './json.ts'
import type { FolderTerms } from './root.ts'

/** Who decided: a person, a rule the user wrote, an answers file, or nobody. */
export type DecidedBy = 'person' | 'rule' | 'script' | 'none'

/** Why nobody's answer went out; for the audit log, the exit code and people, never for the server. */
export type UnansweredReason =
  | 'no-one-to-ask'
  | 'answer-does-not-fit'
  | 'timed-out'
  | 'audit-unavailable'
  | 'desk-closed'
  /** The desk of another process was lost, and did not come back in time. */
  | 'desk-lost'
  | 'too-many-waiting'
  | 'asked-too-often'
  | 'muted'

interface Ended {
  readonly by: DecidedBy
  /** Set where the answer is nobody's (`cancel`, no completion). */
  readonly unanswered?: UnansweredReason | undefined
  /** For the audit log and for people: names, counts, choices. Never a value that somebody typed. */
  readonly facts?: JsonObject | undefined
}

/** `result` goes to the server as it stands. */
export interface Answered extends Ended {
  readonly outcome: 'answered'
  readonly result: JsonObject
  /** Of folders: what a server that is held to them is held to. Never part of what goes to it. */
  readonly terms?: readonly FolderTerms[] | undefined
}

/** The server gets an error: the request was not valid, a person said no to a completion, or nobody was there to ask. */
export interface Refused extends Ended {
  readonly outcome: 'refused'
  readonly error: ConsentryError
}

/** What became of one question. Exactly one of these ends it. */
export type InputResponse =
  | Answered
  | Refused
  /** The asker is gone or took the question back: nothing is sent. */
  | {
      readonly outcome: 'withdrawn'
      readonly reason: string
      /** It was asked here in place of the client, which does not hold any more: the client is to be asked. */
      readonly isForClient?: boolean | undefined
    }
