import { parseConfig, removeServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { markOf } from '../seen.ts'
import { entryJson, maskedText } from '../server-entry.ts'

export function removeConfiguredServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/remove'> {
  return (body) => {
    const [name, before] = [body.text('name'), body.text('before', 100)]
    const shown = config.current.mcpServers.get(name)
    if (shown === undefined) return { status: 'stale' }
    return changeConfig(config, maskedText(name, entryJson(shown)), (source) => {
      const now = parseConfig(source ?? '{}', edited.file, edited).mcpServers.get(name)
      if (now === undefined || markOf(now) !== before) throw stale
      return removeServer(source, name, edited)
    })
  }
}
