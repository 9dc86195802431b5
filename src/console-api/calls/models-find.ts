import { findLocalServers, nameOf } from '../../sampling/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

/** Looks for models on this machine, because a person said so. */
export function findModels({ config }: Pick<CallNeeds, 'config'>): Handler<'models/find'> {
  return async (_, { signal }) => {
    const known = new Set(config.current.models.map((entry) => nameOf(entry)))
    const found = await findLocalServers({ signal })
    return {
      found: found.map(({ provider, baseUrl, models }) => ({
        provider,
        baseUrl,
        models: models.map((model) => ({ model, isConfigured: known.has(nameOf({ provider, model })) })),
      })),
    }
  }
}
