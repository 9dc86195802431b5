import type { Completion, SamplingRequest } from '../protocol/index.ts'
import type { ModelProvider } from './model-provider.ts'

/** A provider that answers as told, for tests and demonstrations: no model, no network. */
export function createScriptedProvider(
  answer: (request: SamplingRequest, model: string, signal: AbortSignal) => Completion | Promise<Completion>,
): ModelProvider {
  return {
    leavesOut: () => [],
    complete: async (request, { model, signal }) => answer(request, model, signal),
  }
}
