import { parseConfig, removeModel } from '../../policy/index.ts'
import { nameOf } from '../../sampling/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { markOf } from '../seen.ts'

export function removeConfiguredModel({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'models/remove'> {
  return (body) => {
    const [id, before] = [body.text('id', 500), body.text('before', 100)]
    const shown = config.current.models.find((one) => nameOf(one) === id)
    if (shown === undefined) return { status: 'stale' }
    const { provider, model } = shown
    return changeConfig(config, JSON.stringify({ provider, model }), (source) => {
      const now = parseConfig(source ?? '{}', edited.file, edited).models.filter((one) => nameOf(one) === id)
      if (now.length === 0 || now.some((one) => markOf(one) !== before)) throw stale
      return removeModel(source, shown, edited)
    })
  }
}
