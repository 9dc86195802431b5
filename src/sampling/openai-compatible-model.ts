import type { ModelProvider } from './model-provider.ts'
import { openModel, type ModelAddress } from './open-model.ts'
import { createSdkProvider } from './sdk-provider.ts'

export interface OpenAiCompatibleOptions extends Omit<ModelAddress, 'api'> {
  /** As the user calls it: the first half of `provider:model`. */
  readonly provider: string
  readonly apiKey?: string | undefined
  /** Milliseconds for one answer. Default: five minutes. */
  readonly timeoutMs?: number | undefined
}

/**
 * Any server that speaks the chat completions form: cloud services, Ollama, LM Studio, llama.cpp. `baseUrl` goes up to and including the version: `http://127.0.0.1:11434/v1`.
 *
 * Never follows a redirect: a prompt goes where the user said, and nowhere else.
 */
export function createOpenAiCompatible({ provider, baseUrl, apiKey, limitField, timeoutMs }: OpenAiCompatibleOptions): ModelProvider {
  const address: ModelAddress = { api: 'openai-compatible', baseUrl, limitField }
  return createSdkProvider({
    provider,
    api: 'openai-compatible',
    open: (model, key, send) => openModel(address, { name: `${provider}:${model}`, model, key, send }),
    readKey: () => Promise.resolve(apiKey),
    timeoutMs,
  })
}
