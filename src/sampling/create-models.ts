import { ConsentryError } from '../errors.ts'
import type { ModelEntry } from '../policy/index.ts'
import { knownProviders } from './known-providers.ts'
import { findFigures } from './model-catalogue.ts'
import type { ModelProvider } from './model-provider.ts'
import { nameOf, type Model } from './model.ts'
import type { Models } from './models.ts'
import { createOpenAiCompatible } from './openai-compatible-model.ts'
import { present } from './read-fields.ts'

export interface ModelsOptions {
  /** In the user's order, best first; addresses and keys with their variables filled in. */
  readonly entries: readonly ModelEntry[]
  /** Providers of one's own, by name; they go before the known ones. */
  readonly providers?: ReadonlyMap<string, ModelProvider> | undefined
  /** Milliseconds for one answer. Default: five minutes. */
  readonly timeoutMs?: number | undefined
}

interface ShelvedModel {
  readonly model: Model
  readonly provider: ModelProvider
}

/**
 * The user's models, with what the catalogue knows of them; the user's own figures come first. Nothing is loaded or reached until one is asked.
 *
 * @throws ConsentryError `CONFIG_INVALID` for a provider that is neither known nor has a `baseUrl`, and for a model that stands twice
 */
export function createModels({ entries, providers = new Map(), timeoutMs }: ModelsOptions): Models {
  const shelf = new Map<string, ShelvedModel>()
  for (const entry of entries) {
    const name = nameOf(entry)
    if (shelf.has(name))
      throw new ConsentryError('CONFIG_INVALID', `The model ${name} stands twice: give one of them another "provider" name, with its "baseUrl"`)
    shelf.set(name, { model: describeModel(entry), provider: providers.get(entry.provider) ?? openProvider(entry, timeoutMs) })
  }
  const find = (name: string): ShelvedModel => {
    const found = shelf.get(name)
    if (found === undefined) throw new ConsentryError('MODEL_UNKNOWN', `${name} is not one of the configured models`)
    return found
  }
  const list = [...shelf.values()].map(({ model }) => model)
  return {
    size: list.length,
    list: () => list,
    leavesOut: (name, request) => find(name).provider.leavesOut(request),
    complete: async (name, request, signal) => {
      const { model, provider } = find(name)
      return provider.complete(request, { model: model.model, signal })
    },
  }
}

function describeModel({ provider, model, baseUrl, apiKey: _apiKey, ...own }: ModelEntry): Model {
  const figures = findFigures(provider, model)
  const local = baseUrl === undefined ? knownProviders.get(provider)?.local : undefined
  const priceAsOf = own.cost === undefined ? figures.priceAsOf : undefined
  return present({ provider, model, ...figures, local, ...present({ ...own }), priceAsOf })
}

function openProvider({ provider, baseUrl, apiKey }: ModelEntry, timeoutMs: number | undefined): ModelProvider {
  const known = knownProviders.get(provider)
  const address = baseUrl ?? known?.baseUrl
  if (address === undefined)
    throw new ConsentryError(
      'CONFIG_INVALID',
      `The provider of a model is not known: give it a "baseUrl", or use one of ${[...knownProviders.keys()].join(', ')}`,
      {
        data: { provider },
      },
    )
  return createOpenAiCompatible(present({ provider, baseUrl: address, apiKey, limitField: known?.limitField, timeoutMs }))
}
