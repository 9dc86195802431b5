import { ConsentryError } from '../errors.ts'
import { expandVariables, type ModelEntry } from '../policy/index.ts'
import { modelFault } from '../policy/read-model-entry.ts'
import { LiveModels } from '../sampling/live-models.ts'
import { noModels, type Models } from '../sampling/models.ts'
import type { Place } from './place.ts'

/** The models of the config, as it says now. */
export interface OpenModels {
  readonly models: Models
  /**
   * Takes up what the config says next; entries that cannot be used are left out. Resolves when it holds.
   *
   * @returns false where nothing about the models is different
   */
  update(entries: readonly ModelEntry[], leaveOut: (error: ConsentryError) => void): Promise<boolean>
}

/**
 * The models of the config, ready to be asked. The code that asks them is loaded only where there are any.
 *
 * @param leaveOut told of an entry that cannot be used, which is left out then; without, nothing is opened
 * @throws ConsentryError `CONFIG_INVALID`
 */
export async function openModels(entries: readonly ModelEntry[], place: Place, leaveOut?: (error: ConsentryError) => void): Promise<OpenModels> {
  const models = new LiveModels(await makeModels(entries, place, leaveOut))
  let [text, last] = [JSON.stringify(entries), Promise.resolve(false)]
  return {
    models,
    update(next, onLeftOut) {
      const nextText = JSON.stringify(next)
      if (nextText === text) return last.then(() => false)
      text = nextText
      // One after the other, so that an older config never overtakes.
      last = takeUp(last, () => makeModels(next, place, onLeftOut), models)
      return last
    },
  }
}

/** While others are made, and where they cannot be, there are none. */
async function takeUp(before: Promise<unknown>, make: () => Promise<Models>, models: LiveModels): Promise<boolean> {
  await before.catch(() => undefined)
  models.update(noModels)
  try {
    models.update(await make())
  } finally {
    models.announce()
  }
  return true
}

async function makeModels(entries: readonly ModelEntry[], { environment }: Place, leaveOut?: (error: ConsentryError) => void): Promise<Models> {
  if (entries.length === 0) return noModels
  const { createModels, nameOf } = await import('../sampling/index.ts')
  const refuse = (error: unknown, entry: ModelEntry | undefined): void => {
    if (!(error instanceof ConsentryError)) throw error
    const located = entry === undefined ? error : modelFault(entry, error.message)
    if (leaveOut === undefined) throw located
    leaveOut(located)
  }
  return createModels({
    entries: entries.flatMap((entry) => {
      try {
        return [withVariables(entry, environment)]
      } catch (error) {
        refuse(error, entry)
        return []
      }
    }),
    environment,
    readKey: async (source) => (await import('./read-key.ts')).readKey(source, environment),
    leaveOut: (error) =>
      refuse(
        error,
        entries.findLast((entry) => nameOf(entry) === error.data?.['model']),
      ),
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
