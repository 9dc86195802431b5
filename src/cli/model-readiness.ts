import type { ModelEntry } from '../policy/index.ts'
import { findLocalServers, knownProviders } from '../sampling/index.ts'
import type { Place } from './place.ts'

const starts: Readonly<Record<string, string>> = {
  ollama: 'start Ollama ("ollama serve")',
  lmstudio: 'start the server of LM Studio ("lms server start")',
  llamacpp: 'start llama.cpp ("llama-server -m MODEL.gguf")',
  docker: 'start Docker, with its model runner switched on for TCP',
}

type Named = Pick<ModelEntry, 'provider' | 'model' | 'baseUrl'>

/**
 * What is still missing before a model can answer, and what to do about it; undefined where nothing is known to be. Only this computer is looked at: no service
 * is asked, and no key is shown.
 */
export async function findMissing(
  { provider, model, baseUrl }: Named,
  { environment, interrupted }: Pick<Place, 'environment' | 'interrupted'>,
): Promise<string | undefined> {
  const known = knownProviders.get(provider)
  const address = baseUrl ?? (known?.local === true ? known.baseUrl : undefined)
  if (address !== undefined) return isLoopback(address) ? findMissingHere({ provider, model, baseUrl }, address, interrupted) : undefined
  const { keyVariable } = known ?? {}
  if (keyVariable === undefined || (environment[keyVariable] ?? '') !== '') return undefined
  return `It has no key yet: set ${keyVariable}, or store one with "consentry models key ${provider}" and write "apiKey": { "keyring": "${provider}" } beside it in the config.`
}

async function findMissingHere({ provider, model, baseUrl }: Named, address: string, signal: AbortSignal): Promise<string | undefined> {
  const [found] = await findLocalServers({ signal, places: new Map([[provider, address.replace(/\/$/, '')]]) })
  const { host } = new URL(address)
  const start = baseUrl === undefined && Object.hasOwn(starts, provider) ? starts[provider] : 'start the program that has it'
  if (found === undefined) return `Nothing that has models answers at ${host}: ${start}, or give another address with --base-url.`
  if (found.models.length === 0 || found.models.includes(model)) return undefined
  const pull = provider === 'ollama' ? `: "ollama pull ${model}" gets it` : ''
  return `The program at ${host} does not have it${pull}. It has ${found.models.slice(0, 5).join(', ')}.`
}

function isLoopback(address: string): boolean {
  return URL.canParse(address) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
}
