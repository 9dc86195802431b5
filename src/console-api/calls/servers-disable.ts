import { parseConfig, setServerDisabled } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { markOf } from '../seen.ts'
import { startWhenWritten } from '../start-later.ts'

/** Whoever switches a server on has seen what that starts: another entry of its name is left as it is. */
export function disableServer({ config, edited, host }: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/disable'> {
  return (body) => {
    const [name, before, disabled] = [body.text('name'), body.text('before', 100), body.flag('disabled')]
    const change = changeConfig(config, `"disabled": ${disabled}`, (source) => {
      const now = parseConfig(source ?? '{}', edited.file, edited).mcpServers.get(name)
      if (now === undefined || markOf(now) !== before) throw stale
      return setServerDisabled(source, name, disabled, edited)
    })
    return disabled ? change : startWhenWritten(host, name, change)
  }
}
