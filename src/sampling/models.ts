import { ConsentryError } from '../errors.ts'
import type { Phrase, SamplingRequest } from '../protocol/index.ts'
import type { AskOptions, ProviderAnswer } from './model-provider.ts'
import type { Model } from './model.ts'

/** The user's models: what they are, and how they are asked. */
export interface Models {
  /** How many there are; without any, only a person can answer. */
  readonly size: number
  /** In the user's order. Nothing outside this list is ever asked. */
  list(): readonly Model[]
  /** What this model would not be given of a request though it could answer without: `metadata`, a temperature beyond its range. In words that follow "leaves out". */
  leavesOut(name: string, request: SamplingRequest): readonly Phrase[]
  /**
   * Has a model (`provider:model`) answer. Tool calls come back as they are, never run.
   *
   * @param onPart is told of the answer while it comes, where the provider streams
   * @throws ConsentryError `MODEL_UNKNOWN`, or `MODEL_FAILED` with a text that holds no secret
   */
  complete(name: string, request: SamplingRequest, signal: AbortSignal, onPart?: AskOptions['onPart']): Promise<ProviderAnswer>
  /** Absent where they stay as they are. @returns the function that undoes it */
  onChanged?(listener: () => void): () => void
}

/** None: a person writes what a model would. */
export const noModels: Models = {
  size: 0,
  list: () => [],
  leavesOut: () => [],
  complete: (name) => Promise.reject(new ConsentryError('MODEL_UNKNOWN', `${name} is not one of the configured models`)),
}
