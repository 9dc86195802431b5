import { ConsentryError } from '../../errors.ts'
import { parseConfig, putServer } from '../../policy/index.ts'
import type { JsonObject } from '../../protocol/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, previewConfig } from '../change-config.ts'
import { scanOtherClients } from '../import-sources.ts'
import { maskedText } from '../server-entry.ts'

type Needs = Pick<CallNeeds, 'place' | 'disk' | 'config' | 'edited'>

export function applyImport(needs: Needs): Handler<'import/apply'> {
  return async (body) => {
    const { config, edited } = needs
    const found = await scanOtherClients(needs)
    const picked = body.bodies('picks').map((pick): readonly [string, JsonObject] => {
      const name = pick.text('name')
      const entry = found.find(({ source }) => source.id === pick.text('source'))?.entries.get(name)
      if (entry === undefined) throw new ConsentryError('USAGE', `${JSON.stringify(name)} is not there any more: look again.`)
      return [pick.optionalText('as', 200) ?? name, entry]
    })
    const text = picked.map(([name, entry]) => maskedText(name, entry)).join(',\n')
    const change = (source: string | undefined): string => {
      const taken = new Set(parseConfig(source ?? '{}', edited.file, edited).mcpServers.keys())
      return picked.reduce((before: string | undefined, [name, entry]) => {
        if (taken.has(name)) throw new ConsentryError('CONFIG_INVALID', `There is a server ${JSON.stringify(name)} already: give this one another name.`)
        taken.add(name)
        return putServer(before, name, entry, edited)
      }, source) as string
    }
    return body.flag('preview') ? previewConfig(configText(config.current.mcpServers.keys()), text, change) : changeConfig(config, text, change)
  }
}

/** A config that has the names of the real one, so that a preview finds the same ones taken. */
function configText(names: Iterable<string>): string {
  return JSON.stringify({ mcpServers: Object.fromEntries(Array.from(names, (name) => [name, { command: 'x' }])) })
}
