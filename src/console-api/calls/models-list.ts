import { findFigures, knownProviders, nameOf } from '../../sampling/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { keyOf, sendsKeyInPlain } from '../model-entry.ts'
import { markOf } from '../seen.ts'

export function listModels({ config, models }: Pick<CallNeeds, 'config' | 'models'>): Handler<'models/list'> {
  return () => {
    const known = new Map(
      models()
        .list()
        .map((model) => [nameOf(model), model]),
    )
    return {
      models: config.current.models.map((entry) => {
        const { provider, model, baseUrl } = entry
        const id = nameOf(entry)
        const figures = known.get(id) ?? findFigures(provider, model)
        const { cost, priceAsOf, speed, intelligence, modalities = ['text'], tools, contextTokens, local } = figures
        const address = baseUrl ?? knownProviders.get(provider)?.baseUrl
        return {
          id,
          mark: markOf(entry),
          provider,
          model,
          baseUrl: address,
          key: keyOf(entry),
          keyInPlain: sendsKeyInPlain(entry),
          cost,
          priceAsOf,
          speed,
          intelligence,
          modalities,
          tools,
          contextTokens,
          local,
        }
      }),
      providers: [...knownProviders].map(([name, { keyVariable, local: isLocal }]) => ({ name, keyVariable, local: isLocal })),
    }
  }
}
