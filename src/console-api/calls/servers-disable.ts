import { setServerDisabled } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'

export function disableServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/disable'> {
  return (body) => {
    const name = body.text('name')
    const disabled = body.flag('disabled')
    return changeConfig(config, `"disabled": ${disabled}`, (source) => setServerDisabled(source, name, disabled, edited))
  }
}
