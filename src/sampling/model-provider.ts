import type { Completion, SamplingRequest } from '../protocol/index.ts'

/** One way to reach models: a service, a server on this machine, a script. */
export interface ModelProvider {
  /** What this provider would not be given of a request though it could answer without, in words for people. */
  leavesOut(request: SamplingRequest): readonly string[]
  /**
   * Has a model answer. Content and tools go to it as they are, or the request is refused by name; tool calls come back as they are, never run.
   *
   * @throws ConsentryError `MODEL_FAILED`, with `data.spent: 'nothing'` where it is certain that nothing was spent; else the budget keeps what was reserved
   */
  complete(request: SamplingRequest, options: { readonly model: string; readonly signal: AbortSignal }): Promise<Completion>
}
