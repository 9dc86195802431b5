import type { PatternMatcher } from '../../elicitation/index.ts'
import type { Decision, FieldFault } from '../../protocol/index.ts'
import type { Prompts } from './prompts.ts'

/** What every question on the terminal works with. */
export interface Asking {
  readonly prompts: Prompts
  readonly matchPattern: PatternMatcher
  readonly openUrl: (url: string) => Promise<void>
  /** Ends when the review does, whatever the reason. */
  readonly signal: AbortSignal
  /** Told when the review shows something else. @returns the function that undoes it */
  readonly onChanged: (listener: () => void) => () => void
  /** The server's name, safe to show. */
  readonly server: string
  /** What was decided before in this review, and why it could not be. */
  readonly before?: FaultyDecision | undefined
}

export interface FaultyDecision {
  readonly decision: Decision
  readonly faults: readonly FieldFault[]
}
