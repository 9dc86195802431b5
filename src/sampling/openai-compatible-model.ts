import type { LanguageModelV3 } from '@ai-sdk/provider'
import { ConsentryError } from '../errors.ts'
import { modelFailed } from './model-failure.ts'
import type { ModelProvider } from './model-provider.ts'
import { leavesOut, toCall } from './openai-compatible-call.ts'
import { toCompletion } from './openai-compatible-answer.ts'
import { providerFailure } from './provider-failure.ts'
import { mapToolNames } from './tool-names.ts'

export interface OpenAiCompatibleOptions {
  /** As the user calls it: the first half of `provider:model`. */
  readonly provider: string
  /** Up to and including the version: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** What the limit is called. Default: `max_tokens`. */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Milliseconds for one answer. Default: five minutes. */
  readonly timeoutMs?: number | undefined
}

const FIVE_MINUTES_MS = 300_000
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024

/**
 * Any server that speaks the chat completions form: cloud services, Ollama, LM Studio, llama.cpp. The client is loaded with the first request.
 *
 * Never follows a redirect: a prompt goes where the user said, and nowhere else.
 */
export function createOpenAiCompatible({
  provider,
  baseUrl,
  apiKey,
  limitField = 'max_tokens',
  timeoutMs = FIVE_MINUTES_MS,
}: OpenAiCompatibleOptions): ModelProvider {
  const open = async (model: string): Promise<LanguageModelV3> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const transformRequestBody = ({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> => ({ ...body, [limitField]: limit })
    return createOpenAICompatible({ name: 'consentry', baseURL: baseUrl, fetch: fetchBounded, transformRequestBody, ...(apiKey && { apiKey }) }).chatModel(
      model,
    )
  }
  return {
    leavesOut,
    async complete(request, { model, signal }) {
      const name = `${provider}:${model}`
      const names = mapToolNames(request)
      const call = toCall(request, name, names)
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeoutMs)
      try {
        const result = await (await open(model)).doGenerate({ ...call, abortSignal: AbortSignal.any([signal, late.signal]) })
        return toCompletion(result, request, name, names)
      } catch (error) {
        if (error instanceof ConsentryError || signal.aborted) throw error
        if (late.signal.aborted) throw modelFailed(name, `did not answer within ${timeoutMs / 1000} seconds`)
        throw providerFailure(name, error, apiKey)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  let left = LARGEST_ANSWER_BYTES
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new Error(`the answer is larger than ${LARGEST_ANSWER_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(count) ?? null, { status, statusText, headers })
}
