import type { FieldFault, Form } from './form.ts'
import type { InputKind } from './input-request.ts'
import type { KeptChoice, KeptReason } from './kept-folders.ts'
import type { Origin, ServerIdentity } from './origin.ts'
import type { Phrase } from './phrase.ts'
import type { ProposedFolder } from './root.ts'
import type {
  BudgetDecisions,
  BudgetSubject,
  CompletionDecisions,
  CompletionDraft,
  CompletionSubject,
  PromptDecisions,
  PromptDraft,
  PromptSubject,
} from './sampling-review.ts'

/** Something about a URL that a person should know before opening it. */
export interface UrlWarning extends Phrase {
  /** For machines: the key, and what a lookalike looks like: `punycode`, `looks-like-apple.com`. */
  readonly code: string
  /** A note that is usual (`other-site`), to be shown without alarm. */
  readonly quiet?: boolean | undefined
}

/** What a URL is, found out without any network. @see MCP client/elicitation "Safe URL Handling" */
export interface UrlCard {
  /** The whole address as it will be opened. */
  readonly url: string
  /** As the browser will use it: lower case, Punycode, canonical address. */
  readonly host: string
  /** The host with its own letters, where it is written in Punycode: to be shown beside `host`, never in its place. */
  readonly unicodeHost?: string | undefined
  /** The registrable domain, or the host where there is none. */
  readonly site: string
  readonly verdict: 'show' | 'warn'
  readonly warnings: readonly UrlWarning[]
}

/** How a client shows that nobody sees what it said it would show. */
export type ClientSilence = 'cancels' | 'silence'

/** What a person is shown, by kind. */
export interface ReviewSubjects {
  readonly form: {
    readonly message: string
    readonly form: Form
    /** Of the form's schema: what a rule of the config names, to answer exactly this form. */
    readonly fingerprint?: string | undefined
    /** Why a person is asked though a rule was written for something like it. */
    readonly because?: Phrase | undefined
  }
  readonly url: { readonly message: string; readonly card: UrlCard; readonly elicitationId?: string | undefined }
  /** After consent to a URL: the person is out there, and says when to go on. */
  readonly 'url-wait': { readonly message: string; readonly cards: readonly UrlCard[] }
  readonly prompt: PromptSubject
  readonly completion: CompletionSubject
  readonly budget: BudgetSubject
  /** A person may also name folders that are not proposed. */
  readonly folders: {
    readonly proposed: readonly ProposedFolder[]
    /** The operating system keeps the server to its folders; whoever started it says so. */
    readonly isHeld?: boolean | undefined
  }
  /** The client said that it answers what the server asks, and does not seem to show it to anybody. Shall it be answered here? */
  readonly 'silent-client': {
    readonly feature: InputKind
    /** `cancels`: it closed one after the other before anybody could read them. `silence`: it has not answered one for a long time. */
    readonly reason: ClientSilence
  }
  /** The server may go on in folders that it was told before. What is to be done about it? */
  readonly 'kept-folders': {
    readonly reason: KeptReason
    /** The URIs that it was told last. */
    readonly known: readonly string[]
    /** False where nobody can start it again: it is not a process of ours. */
    readonly canRestart: boolean
    /** What was done before anybody was asked: an empty folder was told in place of none, or nothing, because it could not be. */
    readonly done: 'stand-in' | 'nothing'
    /** Why it could not be started afresh, where somebody wanted that: it goes on as it was. */
    readonly fault?: string | undefined
  }
}

export type ReviewKind = keyof ReviewSubjects

export const reviewKinds: readonly ReviewKind[] = ['form', 'url', 'url-wait', 'prompt', 'completion', 'budget', 'folders', 'kept-folders', 'silent-client']

/** Closing a review without an answer; for every kind. Never the same as declining. */
export interface Cancelled {
  readonly action: 'cancel'
  /** Nothing more of this server is shown in this run: what it asks ends unanswered at once. */
  readonly stopAsking?: boolean | undefined
}

/** A folder that a person says yes to. */
export interface GrantedFolder {
  readonly path: string
  readonly name?: string | undefined
  /** The person read the folder's warning, and says yes all the same. */
  readonly confirmed?: boolean | undefined
  /** The `offeredRepository` that was shown, where the server may read that too. */
  readonly repository?: string | undefined
}

/** That a decision holds for the next time too, until it is revoked. Where this is absent, it holds for this run. */
export interface Remembrance {
  /** Milliseconds since the epoch. Default: no end. */
  readonly until?: number | undefined
}

/** What can be decided, by kind. */
export interface Decisions {
  /** `content` is checked against the form before it counts; `null` means: left blank on purpose, no default put back. */
  readonly form: { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> } | { readonly action: 'decline' } | Cancelled
  readonly url: { readonly action: 'accept' } | { readonly action: 'decline' } | Cancelled
  readonly 'url-wait': { readonly action: 'continue' } | Cancelled
  readonly prompt: PromptDecisions[keyof PromptDecisions] | Cancelled
  readonly completion: CompletionDecisions[keyof CompletionDecisions] | Cancelled
  readonly budget: BudgetDecisions[keyof BudgetDecisions] | Cancelled
  readonly folders:
    | { readonly action: 'grant'; readonly roots: readonly GrantedFolder[]; readonly remember?: Remembrance | undefined }
    | { readonly action: 'deny'; readonly remember?: Remembrance | undefined }
    | Cancelled
  /**
   * `stand-in`: an empty folder is told in place of none, or goes on being told. `restart`: it is started afresh; calls in flight end, none is sent again. `leave`:
   * nothing is done; not where an empty folder is told already. `end`: it is ended; only where it could not be started afresh.
   */
  readonly 'kept-folders': { readonly action: KeptChoice; readonly remember?: Remembrance | undefined } | { readonly action: 'end' } | Cancelled
  /**
   * `take-over`: until the connection ends, what the client would be asked is asked here; `always`: and whenever this client talks to this server, until that is
   * revoked. `leave`: it goes on being asked.
   */
  readonly 'silent-client': { readonly action: 'take-over'; readonly always?: boolean | undefined } | { readonly action: 'leave' } | Cancelled
}

export type Decision<Kind extends ReviewKind = ReviewKind> = Decisions[Kind]

/** A value that several windows see and change: a form half filled in, a completion that still streams. */
export interface Draft<Value> {
  readonly value: Value
  update(value: Value): void
  /** @returns the function that undoes it */
  subscribe(listener: (value: Value) => void): () => void
}

/** Drafts by kind. A form's draft holds raw input by field name; fields marked as secret are never put there. */
export interface ReviewDrafts {
  readonly form: Readonly<Record<string, unknown>>
  readonly url: undefined
  readonly 'url-wait': undefined
  readonly prompt: PromptDraft
  readonly completion: CompletionDraft
  readonly budget: undefined
  readonly folders: undefined
  readonly 'kept-folders': undefined
  readonly 'silent-client': undefined
}

/** How often the same server has asked the same in this run, this time included. */
export interface AskedBefore {
  readonly times: number
  /** Milliseconds since the epoch. */
  readonly first: number
  /** The time before this one, in milliseconds since the epoch; absent where this is the first. */
  readonly last?: number | undefined
}

/** What waits for a person. */
export type Review<Kind extends ReviewKind = ReviewKind> = Kind extends ReviewKind
  ? {
      readonly id: string
      readonly kind: Kind
      readonly origin: Origin
      readonly subject: ReviewSubjects[Kind]
      readonly draft: Draft<ReviewDrafts[Kind]>
      readonly asked: AskedBefore
      /**
       * Present: the draft is what a person filled in then (milliseconds since the epoch) for the same question, whose asker gave up before it was sent.
       * Say so; nothing of it is sent unless somebody says so again.
       */
      readonly rescuedAt?: number | undefined
      /** Of folders only: what there is to say of one that was not proposed, before anybody chooses it. What was looked at is what is granted. */
      readonly weigh?: ((path: string) => Promise<ProposedFolder>) | undefined
      /** Milliseconds since the epoch. */
      readonly openedAt: number
      /** Milliseconds since the epoch; then the question ends unanswered. */
      readonly deadline: number
    }
  : never

/** What a feature hands in to have it decided. */
export interface ReviewRequest<Kind extends ReviewKind> {
  readonly kind: Kind
  readonly origin: Origin
  readonly subject: ReviewSubjects[Kind]
  readonly draft: ReviewDrafts[Kind]
  /**
   * Gets the draft that people see, once the review is open, and what puts another subject in the place of the one that they see; never called where nobody
   * sees any. A decision may still be about the subject before: `check` says whether it counts.
   */
  readonly onOpen?: ((draft: Draft<ReviewDrafts[Kind]>, change: (subject: ReviewSubjects[Kind]) => void) => void) | undefined
  /** Looks at a folder that was not proposed. */
  readonly weigh?: ((path: string) => Promise<ProposedFolder>) | undefined
  /** Equal for two questions of one server that read the same; absent where that does not matter. */
  readonly sameness?: string | undefined
  /** Faults keep the review open: the person is told, and decides again. */
  readonly check?: ((decision: Decision<Kind>) => Promise<readonly FieldFault[]>) | undefined
  /** What was to be decided on does not come, and why: then the review ends by itself. Never rejects, and may never resolve. */
  readonly failure?: Promise<Phrase> | undefined
}

/** How a review ended; exactly one of these. */
export type Settlement<Kind extends ReviewKind> =
  | { readonly outcome: 'decided'; readonly decision: Decision<Kind>; readonly by: 'person' | 'script'; readonly surface?: string | undefined }
  /** A script's answer did not fit; a person would have been asked again. */
  | { readonly outcome: 'unfit'; readonly faults: readonly FieldFault[] }
  | { readonly outcome: 'nobody' }
  | { readonly outcome: 'timed-out' }
  /** `failure`: nobody took it back, there is nothing to decide on; its asker may wait for another review. */
  | { readonly outcome: 'withdrawn'; readonly reason: string; readonly failure?: Phrase | undefined }
  | { readonly outcome: 'desk-closed' }
  | { readonly outcome: 'too-many-waiting' }
  /** This server asks faster than people answer. */
  | { readonly outcome: 'asked-too-often' }
  /** A person does not want to be asked by this server any more in this run. */
  | { readonly outcome: 'muted' }

/** Who gets a question decided: the inbox (by people) or an answers file. Never rejects. */
export interface Reviewer {
  /** False: nobody can be asked this now, by this server if one is given, so that it must not be promised. */
  canReview(kind: ReviewKind, server?: ServerIdentity): boolean
  review<Kind extends ReviewKind>(request: ReviewRequest<Kind>, signal: AbortSignal): Promise<Settlement<Kind>>
}
