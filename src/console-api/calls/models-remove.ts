import { removeModel } from '../../policy/index.ts'
import { nameOf } from '../../sampling/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'

export function removeConfiguredModel({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'models/remove'> {
  return (body) => {
    const id = body.text('id', 500)
    const entry = config.current.models.find((one) => nameOf(one) === id)
    if (entry === undefined) return { status: 'stale' }
    const { provider, model } = entry
    return changeConfig(config, JSON.stringify({ provider, model }), (source) => removeModel(source, entry, edited))
  }
}
