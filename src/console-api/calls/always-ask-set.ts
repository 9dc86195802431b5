import { setAlwaysAsk } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'

export function setAlwaysAskMe({ config, edited, policy }: Pick<CallNeeds, 'config' | 'edited' | 'policy'>): Handler<'always-ask/set'> {
  return async (body) => {
    const on = body.flag('on')
    // At once, also where the file cannot be written: asking more needs nobody's leave.
    if (on) policy.alwaysAsk = true
    const change = await changeConfig(config, `"alwaysAsk": ${on}`, (source) => setAlwaysAsk(source, on, edited))
    if (change.status === 'changed') policy.alwaysAsk = on
    return change
  }
}
