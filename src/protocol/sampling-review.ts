import type { Phrase } from './phrase.ts'
import type { Completion, SamplingRequest } from './sampling.ts'

/** The model that would answer, and why it was chosen; `person` where nobody but the person can. */
export interface ModelChoice {
  /** `provider:model`, or `person`. */
  readonly model: string
  /** One English line: the reasons, joined. */
  readonly why: string
  /** The same, reason by reason. */
  readonly reasons?: readonly Phrase[] | undefined
}

/** What a request would take, judged before it is sent. */
export interface SpendingEstimate {
  /** To read it, about. */
  readonly inputTokens: number
  /** To answer it, at most. */
  readonly outputTokens: number
  /** USD, at most; absent where the price is not known, which is never the same as 0. */
  readonly cost?: number | undefined
  /** The day (`YYYY-MM-DD`) that the price is of, where it is out of our catalogue. */
  readonly priceAsOf?: string | undefined
}

/** What a request took, by the provider's count. */
export interface Spent {
  readonly inputTokens: number
  readonly outputTokens: number
  /** USD; absent where the price is not known. */
  readonly cost?: number | undefined
  /** The provider did not say, or the model was stopped: our own estimate. */
  readonly estimated?: boolean | undefined
}

/** What can be limited. Amounts are of a local calendar day, or of this run. */
export type LimitName = 'requestsPerMinute' | 'tokensPerDay' | 'costPerDay' | 'tokensPerRun' | 'costPerRun' | 'toolRounds' | 'atOnce'

/** One limit that holds for a request, and how far it is used up. */
export interface LimitState {
  readonly limit: LimitName
  /** `rule`: of the rule that matches; `server`: of this server; `total`: of all servers together. */
  readonly scope: 'rule' | 'server' | 'total'
  readonly allowed: number
  readonly used: number
  /**
   * Of a limit of cost: requests counted here whose price nobody knows, so that `used` is too little. Nothing that costs anything fits until a person has raised the limit.
   * Absent: none.
   */
  readonly unpriced?: number | undefined
  /** Milliseconds since the epoch: when there is room again by itself; absent where there never is. */
  readonly resetsAt?: number | undefined
}

/** One of the user's models, for this request. */
export interface ModelOption {
  /** `provider:model`. */
  readonly model: string
  readonly estimate: SpendingEstimate
  /** What this model would not be given, or takes otherwise. */
  readonly notes: readonly Phrase[]
  /** Why it cannot answer this request; absent where it can. */
  readonly cannot?: Phrase | undefined
}

/** Where something was taken out before anybody saw it. */
export interface RedactedPart {
  /** Such as `messages[0].content[1].text`. */
  readonly path: string
  /** The kinds of secrets, each as often as it was found: `github-token`, `card`. */
  readonly kinds: readonly string[]
}

/** A request before it goes to a model. */
export interface PromptSubject {
  /** As it would be sent: with what was taken out taken out, and `maxTokens` as it will be asked for. */
  readonly request: SamplingRequest
  readonly choice: ModelChoice
  /** For the chosen model; absent where only a person can answer. */
  readonly estimate?: SpendingEstimate | undefined
  /** All models of the user, in the user's order. */
  readonly models?: readonly ModelOption[] | undefined
  /** What limits hold, and what is left of them. */
  readonly limits?: readonly LimitState[] | undefined
  /** What a person should know before: what is left out, cut or not given. */
  readonly notes?: readonly Phrase[] | undefined
  /** What was taken out; whoever wants it back approves with a request that has it again. */
  readonly redaction?: { readonly parts: readonly RedactedPart[]; readonly original: SamplingRequest } | undefined
  /** Rounds of tool use before this request, in the same conversation. */
  readonly toolRounds?: number | undefined
  /** Why a person is asked though a rule was written for something like it. */
  readonly because?: Phrase | undefined
  /** Why the model that somebody said yes to gave no answer: they are asked again how it goes on. The asker has heard nothing of it. */
  readonly failed?: Phrase | undefined
}

/** A request as it stands in every window. */
export interface PromptDraft extends SamplingRequest {
  /** What somebody has written so far to answer it in a model's place; no model ever reads it. */
  readonly written?: string | undefined
}

/** A model's answer before the server gets it. */
export interface CompletionSubject {
  /** As it was sent to the model. */
  readonly request: SamplingRequest
  /** As the model gave it; without content where it was still coming when the review was opened: then the draft has it. */
  readonly completion: Completion
  readonly choice?: ModelChoice | undefined
}

/**
 * An answer as it stands in every window. While it is `streaming` it grows by itself; whoever updates the draft then, with `progress: 'stopped'` or with words of their own, stops the model.
 * Absent `progress` means `finished`.
 */
export interface CompletionDraft extends Completion {
  readonly progress?: 'streaming' | 'stopped' | 'finished' | undefined
  /** What the model said, once it has ended: what an edit is compared with. */
  readonly answer?: Completion | undefined
  readonly spent?: Spent | undefined
  /** What the provider said that it did not take. */
  readonly notes?: readonly Phrase[] | undefined
}

/** One question for each server whose amounts are used up: raise, wait or stop? */
export interface BudgetSubject {
  /** The limits that have no room for this request. */
  readonly limits: readonly LimitState[]
  readonly wanted: SpendingEstimate
  readonly choice: ModelChoice
}

/** That a decision is to be taken for later requests of this server too. Absent: it holds once. */
export interface SamplingRemembrance {
  /** `run`: until this program ends. `always`: until it is revoked, over restarts. */
  readonly for: 'run' | 'always'
  /** Milliseconds since the epoch; with `always` only. Default: no end. */
  readonly until?: number | undefined
  /** Which review is not shown any more. Default: both. A denial is shown neither. */
  readonly skip?: 'prompt' | 'completion' | 'both' | undefined
}

export interface PromptDecisions {
  readonly approve: {
    readonly action: 'approve'
    /** Changed by the person; absent: as it was shown. */
    readonly request?: SamplingRequest | undefined
    /** Default: the one that was proposed. */
    readonly model?: string | undefined
    /** From the next request on: the answer to this one is still shown. */
    readonly remember?: SamplingRemembrance | undefined
  }
  /** The answer itself, in place of a model's. */
  readonly write: { readonly action: 'write'; readonly completion: Completion }
  /** With `always` this means never. */
  readonly deny: { readonly action: 'deny'; readonly remember?: SamplingRemembrance | undefined }
}

export interface CompletionDecisions {
  readonly approve: { readonly action: 'approve'; readonly completion?: Completion | undefined; readonly remember?: SamplingRemembrance | undefined }
  readonly deny: { readonly action: 'deny' }
}

export interface BudgetDecisions {
  /**
   * Gives every limit that was shown room again, by its own amount or by `by` times it, for the rest of its day or run. `lasts: 'day'` keeps it over restarts
   * until the day ends, for limits of a day; default: it ends with this run.
   */
  readonly raise: { readonly action: 'raise'; readonly by?: number | undefined; readonly lasts?: 'run' | 'day' | undefined }
  /** This request and those after it are refused until there is room again. */
  readonly wait: { readonly action: 'wait' }
  /** Nothing more for this server in this run; with `always`, never. */
  readonly stop: { readonly action: 'stop'; readonly remember?: SamplingRemembrance | undefined }
}
