import { putServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig } from '../change-config.ts'
import { maskedText, readEntry } from '../server-entry.ts'

export function changeServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/change'> {
  return (body) => {
    const name = body.text('name', 200)
    const before = config.current.mcpServers.get(name)
    if (before === undefined) return { status: 'stale' }
    const entry = { ...readEntry(body.body('entry'), before), ...(before.disabled && { disabled: true }) }
    const text = maskedText(name, entry)
    const change = (source: string | undefined): string => putServer(source, name, entry, edited)
    return body.flag('preview') ? previewConfig(undefined, text, change) : changeConfig(config, text, change)
  }
}
