import { isJsonObject } from '../protocol/index.ts'
import { knownProviders } from './known-providers.ts'
import { memberOf } from './read-fields.ts'

/** A server on this machine that offers models. */
export interface FoundServer {
  /** As the config calls it: `ollama`. */
  readonly provider: string
  readonly baseUrl: string
  readonly models: readonly string[]
}

export interface FindOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that each server has to answer. Default: one second. */
  readonly timeoutMs?: number | undefined
  /** Where to look. Default: the places that Ollama, LM Studio, llama.cpp and Docker use. */
  readonly places?: ReadonlyMap<string, string> | undefined
}

const LARGEST_LIST = 1024 * 1024
const MOST_MODELS = 200
const LONGEST_NAME = 200

/**
 * Looks for servers of models on this machine's loopback, each asked once for its list of models and told nothing.
 *
 * Only to be called when a person says so; what is found is used only once they have put it into the config. A place where something else answers is no server of models.
 */
export async function findLocalServers({ signal, timeoutMs = 1000, places = usualPlaces() }: FindOptions = {}): Promise<readonly FoundServer[]> {
  const found = await Promise.all(
    [...places].map(async ([provider, baseUrl]) => {
      const models = await listModels(baseUrl, AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]))
      return models === undefined ? [] : [{ provider, baseUrl, models }]
    }),
  )
  return found.flat()
}

function usualPlaces(): ReadonlyMap<string, string> {
  return new Map([...knownProviders].filter(([, { local }]) => local === true).map(([provider, { baseUrl }]) => [provider, baseUrl]))
}

async function listModels(baseUrl: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, { signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      return undefined
    }
    return readNames(JSON.parse(await readBounded(response)))
  } catch {
    return undefined
  }
}

function readNames(list: unknown): readonly string[] | undefined {
  const data = isJsonObject(list) ? memberOf(list, 'data') : undefined
  if (!Array.isArray(data)) return undefined
  return data
    .flatMap((entry: unknown) => {
      const id = isJsonObject(entry) ? memberOf(entry, 'id') : undefined
      return typeof id === 'string' && id !== '' && id.length <= LONGEST_NAME && !/\p{C}/u.test(id) ? [id] : []
    })
    .slice(0, MOST_MODELS)
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (body === null) return text
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > LARGEST_LIST) throw new Error('the list of models is too long')
  }
  return text
}
