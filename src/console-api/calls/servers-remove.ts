import { removeServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'
import { entryJson, maskedText } from '../server-entry.ts'

export function removeConfiguredServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/remove'> {
  return (body) => {
    const name = body.text('name')
    const before = config.current.mcpServers.get(name)
    if (before === undefined) return { status: 'stale' }
    return changeConfig(config, maskedText(name, entryJson(before)), (source) => removeServer(source, name, edited))
  }
}
