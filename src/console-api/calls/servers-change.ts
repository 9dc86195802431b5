import { changeServer, putServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig } from '../change-config.ts'
import { maskedText, readEntry } from '../server-entry.ts'
import { startWhenWritten } from '../start-later.ts'

export function changeConfiguredServer({ config, edited, host }: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/change'> {
  return (body) => {
    const name = body.text('name', 200)
    const before = config.current.mcpServers.get(name)
    if (before === undefined) return { status: 'stale' }
    const entry = readEntry(body.body('entry'), before)
    const text = maskedText(name, entry)
    if (body.flag('preview')) return previewConfig(undefined, text, (source) => putServer(source, name, entry, edited))
    const change = (source: string | undefined): string => changeServer(source, name, entry, edited)
    return startWhenWritten(host, name, changeConfig(config, text, change))
  }
}
