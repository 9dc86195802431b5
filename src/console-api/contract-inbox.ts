import type {
  AskedBefore,
  BudgetSubject,
  Cancelled,
  Completion,
  CompletionDraft,
  CompletionSubject,
  DecidedBy,
  Decisions,
  Era,
  FieldFault,
  FormValues,
  GrantedFolder,
  JsonObject,
  ParentCall,
  Phrase,
  PromptDraft,
  PromptSubject,
  ProposedFolder,
  RedactedPart,
  ReviewDrafts,
  ReviewKind,
  ReviewSubjects,
  Revision,
  SamplingMessage,
  SamplingRequest,
  Settlement,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../protocol/index.ts'
import type { CompletionDecisions, PromptDecisions } from '../protocol/sampling-review.ts'

/** Who asks, in words that the server cannot choose, but for its name where the user gave it none. */
export interface Asker {
  readonly server: string
  /** True where the user gave the name; else it was derived from the command. */
  readonly named: boolean
  /** What is started, or the address: one line, never with environment or headers. */
  readonly target: string
  /** The application that we answer for ("Cursor"), where it said so. */
  readonly client?: string | undefined
  readonly call?: ParentCall | undefined
  readonly era: Era
  readonly revision: Revision
}

/** Something that waits, or waited until it ended without a person; enough for the list. */
export interface ReviewSummary {
  readonly id: string
  readonly kind: ReviewKind
  readonly asker: Asker
  /** Form: how many fields. URL: the host. Prompt and completion: the model. Folders: how many are proposed. */
  readonly about: {
    readonly fields?: number | undefined
    readonly host?: string | undefined
    readonly model?: string | undefined
    readonly folders?: number | undefined
  }
  /** Milliseconds since the epoch, by the desk's clock; compare with `now` of the desk. */
  readonly openedAt: number
  readonly deadline: number
  /** Present: it waits no more, and stays as a grey card until it is dismissed. */
  readonly ended?: ReviewEnd | undefined
  /** The review that it goes on from: whoever looks at that one is shown this one in its place. */
  readonly follows?: string | undefined
}

export interface ReviewEnd {
  readonly outcome: Settlement<ReviewKind>['outcome']
  /** What was decided: `accept`, `decline`, `grant` … */
  readonly action?: string | undefined
  readonly by?: DecidedBy | undefined
  /** `console`, `terminal`. */
  readonly surface?: string | undefined
  /** Why it was withdrawn; words that may be the server's. */
  readonly reason?: string | undefined
  /** Nobody took it back: there is nothing to decide on, for this reason. */
  readonly failure?: Phrase | undefined
  readonly at: number
}

/** Something that was decided today. */
export interface DoneReview {
  readonly id: string
  readonly kind: ReviewKind
  readonly asker: Asker
  readonly ended: ReviewEnd
}

/** An image or a sound of a server or a model. Its bytes are never part of a message: `mediaPath` has a page for each, to be shown in a frame that may do nothing, or there is none. */
export interface ShownMedia {
  readonly type: 'image' | 'audio'
  readonly mimeType: string
  readonly bytes: number
  /** Stands for the bytes in an edited prompt or completion. Follows `mediaPath`, where `viewable`. */
  readonly media: string
  /** False: too large, or no raster image of a kind that is served. Show its type and size. */
  readonly viewable: boolean
  /** In pixels, of an image that is viewable. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** A result of a tool within a conversation; media in its content are `ShownMedia` (a resource's `blob` is replaced by its size in `bytes`). */
export interface ShownToolResult extends Omit<ToolResultBlock, 'content'> {
  readonly content: readonly (ShownMedia | JsonObject)[]
}

export type ShownBlock = TextBlock | ShownMedia | ToolUseBlock | ShownToolResult

export interface ShownMessage extends Omit<SamplingMessage, 'content'> {
  readonly content: readonly ShownBlock[]
}

export interface ShownRequest extends Omit<SamplingRequest, 'messages'> {
  readonly messages: readonly ShownMessage[]
}

export interface ShownCompletion extends Omit<Completion, 'content'> {
  readonly content: readonly ShownBlock[]
}

/** Why a folder counts as a project: `git`, `pnpm-workspace`, `cargo` and the like, with the file that says so. */
export interface FolderEvidence {
  readonly kind: string
  readonly file: string
}

/** A folder that may be granted, with all there is to know before. */
export interface FolderCandidate extends ProposedFolder {
  readonly evidence: readonly FolderEvidence[]
  /** `confirm`: only with `confirmed` in the decision, after `warning` was read. `block`: never. */
  readonly level: 'ok' | 'confirm' | 'block'
}

/** `held`: the operating system keeps the server to its folders. `said-held`: the wrap that started it says so, and the desk cannot check it. `told`: nothing does. */
export type Enforcement = 'told' | 'held' | 'said-held'

/** What is shown of a review, by kind: what the desk knows, with media as `ShownMedia`. Server words are as they came, to be shown through `visibleParts` only. */
export interface ShownSubjects {
  readonly form: ReviewSubjects['form']
  readonly url: ReviewSubjects['url']
  readonly 'url-wait': ReviewSubjects['url-wait']
  readonly prompt: Omit<PromptSubject, 'request' | 'redaction'> & {
    readonly request: ShownRequest
    readonly redaction?: { readonly parts: readonly RedactedPart[]; readonly original: ShownRequest } | undefined
  }
  /** While `draft.progress` is `streaming`, `draft` grows with each `draft-changed`; a draft with `progress: 'stopped'` stops the model. */
  readonly completion: Omit<CompletionSubject, 'request' | 'completion'> & { readonly request: ShownRequest; readonly completion: ShownCompletion }
  readonly budget: BudgetSubject
  readonly folders: {
    readonly candidates: readonly FolderCandidate[]
    readonly enforcement: Enforcement
  }
  readonly 'kept-folders': ReviewSubjects['kept-folders']
  readonly 'silent-client': ReviewSubjects['silent-client']
}

/** What several windows see and change. A form's draft never holds fields that are marked as secret: the desk takes them out. */
export interface ShownDrafts {
  readonly form: ReviewDrafts['form']
  readonly url: undefined
  readonly 'url-wait': undefined
  readonly prompt: ShownPromptDraft
  readonly completion: ShownCompletionDraft
  readonly budget: undefined
  /** What is picked so far; absent until something is. */
  readonly folders: FoldersDraft | undefined
  readonly 'kept-folders': undefined
  readonly 'silent-client': undefined
}

export interface FoldersDraft {
  readonly roots: readonly GrantedFolder[]
}

/** `written`: what somebody writes in a model's place, as far as it goes. */
export interface ShownPromptDraft extends ShownRequest, Pick<PromptDraft, 'written'> {}

export interface ShownCompletionDraft extends Omit<CompletionDraft, 'content' | 'answer'> {
  readonly content: readonly ShownBlock[]
  readonly answer?: ShownCompletion | undefined
}

/** What the console can decide: the same as the desk's decisions, with media as `ShownMedia`. */
export interface ConsoleDecisions extends Omit<Decisions, 'prompt' | 'completion'> {
  readonly prompt:
    | (Omit<PromptDecisions['approve'], 'request'> & { readonly request?: ShownRequest | undefined })
    | { readonly action: 'write'; readonly completion: ShownCompletion }
    | PromptDecisions['deny']
    | Cancelled
  readonly completion:
    | (Omit<CompletionDecisions['approve'], 'completion'> & { readonly completion?: ShownCompletion | undefined })
    | CompletionDecisions['deny']
    | Cancelled
}

export type ConsoleDecision = ConsoleDecisions[ReviewKind]

/** One review in full. */
export type ReviewDetail = {
  readonly [Kind in ReviewKind]: ReviewSummary & {
    readonly kind: Kind
    readonly subject: ShownSubjects[Kind]
    readonly draft: ShownDrafts[Kind]
    readonly asked: AskedBefore
    /** Present: the draft is what a person filled in then for the same question, whose asker gave up before it was sent. Say so; Send sends it. */
    readonly rescuedAt?: number | undefined
  }
}[ReviewKind]

/** Answers to `review/get`: one that ended meanwhile is told, not thrown. */
export type GetReviewAnswer = { readonly status: 'found'; readonly review: ReviewDetail } | EndedAnswer

export type EndedAnswer =
  | { readonly status: 'ended'; readonly outcome: Settlement<ReviewKind>['outcome']; readonly surface?: string | undefined }
  /** Never heard of, or too long ago. */
  | { readonly status: 'unknown' }

/** Answers to `review/decide`. Somebody else having been faster is an ordinary answer: `ended`. */
export type DecideAnswer =
  | { readonly status: 'decided' }
  /** It stays open. `field` is a form's field, a folder's path, or a path within the request such as `messages[0].content`. */
  | { readonly status: 'faulty'; readonly faults: readonly FieldFault[] }
  | EndedAnswer

/** Answers to `review/check`: `values` is exactly what Send would send. */
export type CheckAnswer =
  | { readonly status: 'fits'; readonly values: FormValues }
  | { readonly status: 'faulty'; readonly faults: readonly FieldFault[] }
  | EndedAnswer
