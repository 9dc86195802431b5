import { setServerDisabled } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'
import { startWhenWritten } from '../start-later.ts'

export function disableServer({ config, edited, host }: Pick<CallNeeds, 'config' | 'edited' | 'host'>): Handler<'servers/disable'> {
  return (body) => {
    const name = body.text('name')
    const disabled = body.flag('disabled')
    const change = changeConfig(config, `"disabled": ${disabled}`, (source) => setServerDisabled(source, name, disabled, edited))
    return disabled ? change : startWhenWritten(host, name, change)
  }
}
