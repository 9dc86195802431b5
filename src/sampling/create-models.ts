import { ConsentryError } from '../errors.ts'
import type { KeySource, ModelEntry } from '../policy/index.ts'
import { nearestName } from '../policy/nearest-name.ts'
import { knownProviders, type KnownProvider } from './known-providers.ts'
import { findFigures } from './model-catalogue.ts'
import type { ModelProvider } from './model-provider.ts'
import { nameOf, type Model } from './model.ts'
import type { Models } from './models.ts'
import { openModel, type ModelAddress, type PackageLoader } from './open-model.ts'
import { present } from './read-fields.ts'
import { createSdkProvider } from './sdk-provider.ts'

export interface ModelsOptions {
  /** In the user's order, best first; addresses and keys with their variables filled in. */
  readonly entries: readonly ModelEntry[]
  /** Providers of one's own, by name; they go before the known ones. */
  readonly providers?: ReadonlyMap<string, ModelProvider> | undefined
  /** Milliseconds for one answer. Default: five minutes. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds before a failed request is tried again. Default: half a second, and then longer. */
  readonly pauseMs?: number | undefined
  /** For keys that the config does not name: `ANTHROPIC_API_KEY` and the like. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Reads a key from where it is kept; asked with the first request, and then remembered. */
  readonly readKey?: ((source: KeySource) => Promise<string>) | undefined
  /** Loads a provider's client. Default: the installed package. */
  readonly load?: PackageLoader | undefined
  /** Told of an entry that cannot be used, which is left out then. Default: nothing is made where one cannot be used. */
  readonly leaveOut?: ((error: ConsentryError) => void) | undefined
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
export function createModels({ entries, providers = new Map(), leaveOut, ...options }: ModelsOptions): Models {
  const shelf = new Map<string, ShelvedModel>()
  for (const entry of entries) {
    const name = nameOf(entry)
    try {
      if (shelf.has(name))
        throw new ConsentryError('CONFIG_INVALID', `The model ${name} stands twice: give one of them another "provider" name, with its "baseUrl"`, {
          data: { model: name },
        })
      shelf.set(name, { model: describeModel(entry), provider: providers.get(entry.provider) ?? openProvider(entry, options) })
    } catch (error) {
      if (leaveOut === undefined || !(error instanceof ConsentryError)) throw error
      leaveOut(error)
    }
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
    leavesOut(name, request) {
      const { model, provider } = find(name)
      return provider.leavesOut(request, model.model)
    },
    complete: async (name, request, signal, onPart) => {
      const { model, provider } = find(name)
      return provider.complete(request, { model: model.model, signal, onPart })
    },
  }
}

function describeModel({ provider, model, baseUrl, apiKey: _apiKey, api: _api, metadata: _metadata, ...own }: ModelEntry): Model {
  const figures = findFigures(provider, model)
  const local = baseUrl === undefined ? knownProviders.get(provider)?.local : undefined
  const priceAsOf = own.cost === undefined ? figures.priceAsOf : undefined
  return present({ provider, model, ...figures, local, ...present({ ...own }), priceAsOf })
}

function openProvider(entry: ModelEntry, options: Omit<ModelsOptions, 'entries' | 'providers' | 'leaveOut'>): ModelProvider {
  const { provider, metadata } = entry
  const known = knownProviders.get(provider)
  const address = addressOf(entry, known)
  const readKey = rememberKey(entry, known, options)
  return createSdkProvider({
    provider,
    api: address.api,
    open: (model, key, send) => openModel(address, { name: `${provider}:${model}`, model, key, send, load: options.load }),
    readKey,
    metadata,
    timeoutMs: options.timeoutMs,
    pauseMs: options.pauseMs,
  })
}

function addressOf({ provider, model, api, baseUrl }: ModelEntry, known: KnownProvider | undefined): ModelAddress {
  // An address of one's own is a server of one's own: it speaks the form that everybody speaks, unless the config says otherwise.
  const form = api ?? (baseUrl === undefined ? known?.api : undefined) ?? 'openai-compatible'
  const address = baseUrl ?? (form === known?.api ? known.baseUrl : form === 'openai-compatible' ? (known?.compatibleUrl ?? known?.baseUrl) : undefined)
  if (address === undefined) throw new ConsentryError('CONFIG_INVALID', describeUnknownProvider(provider), { data: { model: nameOf({ provider, model }) } })
  return { api: form, baseUrl: address, limitField: known?.limitField }
}

/** What is said of a provider that is neither known nor has an address. */
export function describeUnknownProvider(provider: string): string {
  const names = [...knownProviders.keys()]
  const nearest = nearestName(provider, names)
  const meant = nearest === undefined ? '' : `is "${nearest}" meant? `
  return `the provider ${JSON.stringify(provider)} is not known: ${meant}give it a "baseUrl", or use one of ${names.join(', ')}`
}

/** The key of a model, from where the user keeps it. What failed is tried again with the next request. */
function rememberKey(
  { apiKey, baseUrl }: ModelEntry,
  known: KnownProvider | undefined,
  { environment = {}, readKey }: Pick<ModelsOptions, 'environment' | 'readKey'>,
): () => Promise<string | undefined> {
  if (typeof apiKey === 'string') return () => Promise.resolve(apiKey)
  if (apiKey === undefined) {
    // The key of a service goes to the service alone, never to an address that only has its name.
    const variable = baseUrl === undefined ? known?.keyVariable : undefined
    return () => Promise.resolve(variable !== undefined && Object.hasOwn(environment, variable) ? environment[variable] : undefined)
  }
  let reading: Promise<string> | undefined
  return async () => {
    if (readKey === undefined)
      throw new ConsentryError('MODEL_FAILED', 'Keys in a keyring or behind a command cannot be read here', { data: { spent: 'nothing' } })
    reading ??= readKey(apiKey)
    try {
      return await reading
    } catch (error) {
      reading = undefined
      throw error
    }
  }
}
