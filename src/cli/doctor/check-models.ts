import { ConsentryError } from '../../errors.ts'
import { expandVariables, type ModelEntry } from '../../policy/index.ts'
import { modelFault } from '../../policy/read-model-entry.ts'
import { describeUnknownProvider } from '../../sampling/create-models.ts'
import { findLocalServers, knownProviders, nameOf } from '../../sampling/index.ts'
import type { Place } from '../place.ts'
import { readKey } from '../read-key.ts'
import type { Finding } from './finding.ts'

const patienceMs = 5000

/** Whether each model's address answers, and its key is found. No model is asked, and no key is sent anywhere. */
export async function checkModels(models: readonly ModelEntry[], place: Place): Promise<readonly Finding[]> {
  if (models.length === 0)
    return [
      {
        check: 'models',
        state: 'ok',
        says: 'none is configured: you write the answers to model requests yourself',
        advice: 'consentry models detect looks for some',
      },
    ]
  return Promise.all(models.map((entry) => checkModel(entry, place)))
}

async function checkModel(entry: ModelEntry, place: Place): Promise<Finding> {
  const common = { check: 'models', about: nameOf(entry) } as const
  const wrong = (says: string, advice: string): Finding => ({ ...common, state: 'wrong', says, advice })
  const known = knownProviders.get(entry.provider)
  try {
    const given = entry.baseUrl ?? known?.baseUrl
    if (given === undefined) return wrong(modelFault(entry, describeUnknownProvider(entry.provider)).message, 'mend it there: until then nobody can use it')
    const baseUrl = expandVariables(given, place.environment, `models ${common.about}`)
    const hasKey = await findKey(entry, place)
    if (!hasKey && known?.keyVariable !== undefined && !entry.local)
      return wrong('its key is not found', `set ${known.keyVariable}, or give it an "apiKey" (docs/sampling.md)`)
    const isLocal = entry.local ?? known?.local ?? false
    if (isLocal) return await checkLocal(entry, baseUrl, place, wrong)
    await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.any([place.interrupted, AbortSignal.timeout(patienceMs)]) })
    return { ...common, state: 'ok', says: `${new URL(baseUrl).host} answers${hasKey ? ', and its key is found' : ''}` }
  } catch (error) {
    if (error instanceof ConsentryError) return wrong(error.message, 'see docs/sampling.md, "keys"')
    return wrong('its address does not answer', 'look at "baseUrl" and at the network')
  }
}

/** A server on this machine says which models it has. */
async function checkLocal(entry: ModelEntry, baseUrl: string, place: Place, wrong: (says: string, advice: string) => Finding): Promise<Finding> {
  const { provider, model } = entry
  const [server] = await findLocalServers({ places: new Map([[provider, baseUrl]]), timeoutMs: patienceMs, signal: place.interrupted })
  if (server === undefined) return wrong(`nothing answers at ${baseUrl}`, `start ${provider}`)
  if (!server.models.includes(model)) return wrong(`${provider} runs, and does not have it`, `load ${model} there, or take it out of "models"`)
  return { check: 'models', about: nameOf(entry), state: 'ok', says: `${provider} runs, and has it` }
}

async function findKey({ provider, apiKey }: ModelEntry, { environment }: Place): Promise<boolean> {
  if (typeof apiKey === 'string') return expandVariables(apiKey, environment, `models ${provider}`).trim() !== ''
  if (apiKey !== undefined) return (await readKey(apiKey, environment)) !== ''
  const variable = knownProviders.get(provider)?.keyVariable
  return variable !== undefined && (environment[variable] ?? '') !== ''
}
