import { ConsentryError } from '../errors.ts'
import { expandVariables, type ModelEntry } from '../policy/index.ts'
import { noModels, type Models } from '../sampling/models.ts'
import type { Place } from './place.ts'

/**
 * The models of the config, ready to be asked. The code that asks them is loaded only where there are any.
 *
 * @param leaveOut told of an entry that cannot be used, which is left out then; without, nothing is opened
 * @throws ConsentryError `CONFIG_INVALID`
 */
export async function openModels(entries: readonly ModelEntry[], { environment }: Place, leaveOut?: (error: ConsentryError) => void): Promise<Models> {
  if (entries.length === 0) return noModels
  const { createModels } = await import('../sampling/index.ts')
  return createModels({
    entries: entries.flatMap((entry) => {
      try {
        return [withVariables(entry, environment)]
      } catch (error) {
        if (leaveOut === undefined || !(error instanceof ConsentryError)) throw error
        leaveOut(error)
        return []
      }
    }),
    environment,
    readKey: async (source) => (await import('./read-key.ts')).readKey(source, environment),
  })
}

function withVariables(entry: ModelEntry, environment: Place['environment']): ModelEntry {
  const where = `models ${entry.provider}:${entry.model}`
  const { baseUrl, apiKey } = entry
  return {
    ...entry,
    baseUrl: baseUrl === undefined ? undefined : expandVariables(baseUrl, environment, where),
    apiKey: typeof apiKey === 'string' ? expandVariables(apiKey, environment, where) : apiKey,
  }
}
