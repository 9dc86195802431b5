import { ConsentryError } from '../../errors.ts'
import { parseConfig, putServer } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig } from '../change-config.ts'
import { maskedText, readEntry } from '../server-entry.ts'
import { startWhenWritten } from '../start-later.ts'

export function addServer({ config, edited, host }: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/add'> {
  return (body) => {
    const name = body.text('name', 200)
    const entry = readEntry(body.body('entry'), undefined)
    const text = maskedText(name, entry)
    const change = (source: string | undefined): string => {
      if (source !== undefined && parseConfig(source, edited.file, edited).mcpServers.has(name))
        throw new ConsentryError('CONFIG_INVALID', `There is a server ${JSON.stringify(name)} already: give this one another name.`)
      return putServer(source, name, entry, edited)
    }
    if (!body.flag('preview')) return startWhenWritten(host, name, changeConfig(config, text, change))
    if (config.current.mcpServers.has(name))
      return { status: 'refused', fault: { code: 'CONFIG_INVALID', message: `There is a server ${JSON.stringify(name)} already.` } }
    return previewConfig(undefined, text, change)
  }
}
