import type * as Anthropic from '@ai-sdk/anthropic'
import type * as Google from '@ai-sdk/google'
import type * as OpenAi from '@ai-sdk/openai'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { modelFailed } from './model-failure.ts'
import { COMPATIBLE, type ModelApi } from './provider-traits.ts'

/** Where a model is, and how it is spoken to. */
export interface ModelAddress {
  readonly api: ModelApi
  readonly baseUrl: string
  /** What the limit is called in the chat completions form. Default: `max_tokens`. */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens' | undefined
}

/** The clients that only some users need: each is an optional package, loaded with the first request. */
const packages: Readonly<Record<Exclude<ModelApi, 'openai-compatible'>, string>> = {
  anthropic: '@ai-sdk/anthropic',
  openai: '@ai-sdk/openai',
  google: '@ai-sdk/google',
}

/** Loads one of the optional packages; a test brings its own. */
export type PackageLoader = (name: string) => Promise<unknown>

/** How one model is opened. */
export interface Opening {
  /** `provider:model`, for faults. */
  readonly name: string
  readonly model: string
  readonly key: string | undefined
  readonly send: typeof fetch
  readonly load?: PackageLoader | undefined
}

/** Named one by one, so that whoever bundles this sees what it may load. */
const loadPackage: PackageLoader = (name) => {
  switch (name) {
    case '@ai-sdk/anthropic':
      return import('@ai-sdk/anthropic')
    case '@ai-sdk/openai':
      return import('@ai-sdk/openai')
    default:
      return import('@ai-sdk/google')
  }
}

/**
 * Opens a model with the client of its provider. Address and key are always given: no client looks into the environment by itself.
 *
 * @throws ConsentryError `MODEL_FAILED` naming the package that is not installed, and the key that is not there
 */
export async function openModel(
  { api, baseUrl, limitField = 'max_tokens' }: ModelAddress,
  { name, model, key, send, load = loadPackage }: Opening,
): Promise<LanguageModelV3> {
  if (api === 'openai-compatible') {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const transformRequestBody = ({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> => ({ ...body, [limitField]: limit })
    const options = { name: COMPATIBLE, baseURL: baseUrl, fetch: send, includeUsage: true, transformRequestBody }
    return createOpenAICompatible({ ...options, ...(key && { apiKey: key }) }).chatModel(model)
  }
  const client = await loadClient(packages[api], name, load)
  if (!key) {
    throw modelFailed(name, 'has no key: give it an "apiKey" in the config, or set the variable of its provider', {
      spent: 'nothing',
      why: 'model-key-missing',
    })
  }
  const options = { apiKey: key, baseURL: baseUrl, fetch: send }
  switch (api) {
    case 'anthropic':
      return (client as typeof Anthropic).createAnthropic(options)(model)
    case 'openai':
      return (client as typeof OpenAi).createOpenAI(options).chat(model)
    case 'google':
      return (client as typeof Google).createGoogleGenerativeAI(options)(model)
    default:
      return api satisfies never
  }
}

async function loadClient(name: string, model: string, load: PackageLoader): Promise<unknown> {
  try {
    return await load(name)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    const because = `needs the package ${name}: run "npm install ${name}", or give the model "api": "openai-compatible" in the config`
    throw modelFailed(model, because, { cause, spent: 'nothing' })
  }
}
