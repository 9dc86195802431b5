import { changeServer, parseConfig, putServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig, stale } from '../change-config.ts'
import { markOf } from '../seen.ts'
import { maskedText, readEntry } from '../server-entry.ts'
import { startWhenWritten } from '../start-later.ts'

/** Values that were not shown are those that stand in the file when it is written. */
export function changeConfiguredServer({ config, edited, host }: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/change'> {
  return (body) => {
    const [name, before, input] = [body.text('name', 200), body.text('before', 100), body.body('entry')]
    const shown = config.current.mcpServers.get(name)
    if (shown === undefined || markOf(shown) !== before) return { status: 'stale' }
    const entry = readEntry(input, shown)
    const text = maskedText(name, entry)
    if (body.flag('preview')) return previewConfig(undefined, text, (source) => putServer(source, name, entry, edited))
    const change = (source: string | undefined): string => {
      const now = parseConfig(source ?? '{}', edited.file, edited).mcpServers.get(name)
      if (now === undefined || markOf(now) !== before) throw stale
      return changeServer(source, name, readEntry(input, now), edited)
    }
    return startWhenWritten(host, name, changeConfig(config, text, change))
  }
}
