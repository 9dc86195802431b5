import type { Completion, Phrase, SamplingRequest } from '../protocol/index.ts'

/** An answer as far as it has come. */
export interface PartialAnswer {
  readonly completion: Completion
  /** What was received, thinking included, in tokens, about. */
  readonly received: number
}

/** What a model answered, with what its provider said that it did not take. */
export interface ProviderAnswer extends Completion {
  readonly notes?: readonly Phrase[] | undefined
}

export interface AskOptions {
  /** Without its provider. */
  readonly model: string
  readonly signal: AbortSignal
  /** Told of the answer while it comes: once when the request is under way, and with each part. A provider that cannot stream never calls it. */
  readonly onPart?: ((soFar: PartialAnswer) => void) | undefined
}

/** One way to reach models: a service, a server on this machine, a script. */
export interface ModelProvider {
  /** What a model would not be given of a request though it could answer without, or takes otherwise; in words that follow "leaves out". */
  leavesOut(request: SamplingRequest, model: string): readonly Phrase[]
  /**
   * Has a model answer. Content and tools go to it as they are, or the request is refused by name; tool calls come back as they are, never run.
   *
   * @throws ConsentryError `MODEL_FAILED`, with `data.spent: 'nothing'` where it is certain that nothing was spent; else the budget keeps what was reserved
   */
  complete(request: SamplingRequest, options: AskOptions): Promise<ProviderAnswer>
}
