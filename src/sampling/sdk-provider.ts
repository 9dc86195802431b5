import type { LanguageModelV3, LanguageModelV3GenerateResult } from '@ai-sdk/provider'
import { ConsentryError } from '../errors.ts'
import type { SamplingRequest } from '../protocol/index.ts'
import { collectStream, type Collected } from './collect-stream.ts'
import { HeldMedia } from './held-media.ts'
import { fitParameters, type CallTerms } from './leaves-out.ts'
import { modelFailed } from './model-failure.ts'
import type { AskOptions, ModelProvider, PartialAnswer, ProviderAnswer } from './model-provider.ts'
import { providerFailure } from './provider-failure.ts'
import { providerTraits, type ModelApi } from './provider-traits.ts'
import { withRetries } from './retry.ts'
import { toCall } from './to-call.ts'
import { toCompletion } from './to-completion.ts'
import { mapToolNames, type ToolNames } from './tool-names.ts'

export interface SdkProviderOptions {
  /** As the user calls it: the first half of `provider:model`. */
  readonly provider: string
  readonly api: ModelApi
  /** Loads the client, and opens a model with a key and a way to send. */
  readonly open: (model: string, key: string | undefined, send: typeof fetch) => Promise<LanguageModelV3>
  /** Read with each request, never kept here. */
  readonly readKey: () => Promise<string | undefined>
  /** Keys of `metadata` that may be passed on. Default: none. */
  readonly metadata?: readonly string[] | undefined
  /** Milliseconds for one answer. Default: five minutes. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds before a failed request is tried again. Default: half a second, and then longer. */
  readonly pauseMs?: number | undefined
}

const FIVE_MINUTES_MS = 300_000

/** A provider behind the interface of the AI SDK, called directly: `doStream` where somebody watches the answer come, `doGenerate` elsewhere. */
export function createSdkProvider({ provider, api, open, readKey, metadata = [], timeoutMs = FIVE_MINUTES_MS, pauseMs }: SdkProviderOptions): ModelProvider {
  const termsOf = (model: string): CallTerms => ({ traits: providerTraits[api], model, allowedMetadata: metadata })
  return {
    leavesOut: (request, model) => fitParameters(request, termsOf(model)).leftOut,
    async complete(request, { model, signal, onPart }) {
      const name = `${provider}:${model}`
      const names = mapToolNames(request)
      const media = new HeldMedia()
      const call = toCall(request, name, names, termsOf(model), media)
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeoutMs)
      const endsAt = performance.now() + timeoutMs
      const abortSignal = AbortSignal.any([signal, late.signal])
      let secret: string | undefined
      try {
        secret = await readKey()
        const opened = await open(model, secret, media.fetch)
        const asking = new Asking(opened, { ...call, abortSignal }, { request, name, names })
        return await withRetries(() => asking.ask(onPart), { signal: abortSignal, endsAt, mayRetry: () => !asking.hasBegun, pauseMs })
      } catch (error) {
        if (error instanceof ConsentryError || signal.aborted) throw error
        if (late.signal.aborted) {
          const seconds = timeoutMs / 1000
          throw modelFailed(name, `did not answer within ${seconds} seconds`, { why: 'model-late', facts: { seconds } })
        }
        throw providerFailure(name, error, secret)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

interface Reading {
  readonly request: SamplingRequest
  readonly name: string
  readonly names: ToolNames
}

/** One answer, in one go or bit by bit. */
class Asking {
  /** Something of the answer has come. */
  hasBegun = false
  readonly #model: LanguageModelV3
  readonly #call: Parameters<LanguageModelV3['doGenerate']>[0]
  readonly #reading: Reading

  constructor(model: LanguageModelV3, call: Parameters<LanguageModelV3['doGenerate']>[0], reading: Reading) {
    this.#model = model
    this.#call = call
    this.#reading = reading
  }

  async ask(onPart: AskOptions['onPart']): Promise<ProviderAnswer> {
    const { request, name, names } = this.#reading
    if (onPart === undefined) return toCompletion(requireAnswer(await this.#model.doGenerate(this.#call), name), request, name, names)
    onPart({ completion: { content: [], model: name.slice(name.indexOf(':') + 1) }, received: 0 })
    const stream = await this.#model.doStream({ ...this.#call, includeRawChunks: true })
    const whole = await collectStream(stream, request.maxTokens, (soFar) => {
      this.hasBegun = true
      const part = this.#read(soFar)
      if (part !== undefined) onPart(part)
    })
    return toCompletion(whole, request, name, names)
  }

  /** What cannot be shown yet may be whole in the end; if not, the end says so. */
  #read({ result, received }: Collected): PartialAnswer | undefined {
    const { request, name, names } = this.#reading
    try {
      return { completion: toCompletion(result, request, name, names), received }
    } catch {
      return undefined
    }
  }
}

/** Some clients make an empty answer of anything that is JSON; a model that says nothing gives a reason at least. */
function requireAnswer(result: LanguageModelV3GenerateResult, name: string): LanguageModelV3GenerateResult {
  if (result.content.length === 0 && result.finishReason.raw === undefined) throw modelFailed(name, 'answered with nothing')
  return result
}
