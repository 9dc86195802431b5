import { setAlwaysAsk } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'

type Needs = Pick<CallNeeds, 'config' | 'edited' | 'policy' | 'deskState' | 'tell'>

/** What was pressed last holds, whatever a window showed before: nothing is lost by that, and asking more needs nobody's leave. */
export function setAlwaysAskMe({ config, edited, policy, deskState, tell }: Needs): Handler<'always-ask/set'> {
  const hold = (on: boolean): void => {
    policy.alwaysAsk = on
    tell({ type: 'desk-changed', desk: deskState() })
  }
  return async (body) => {
    const on = body.flag('on')
    // At once, also where the file cannot be written.
    if (on) hold(true)
    const change = await changeConfig(config, `"alwaysAsk": ${on}`, (source) => setAlwaysAsk(source, on, edited))
    if (change.status === 'changed') hold(on)
    return change
  }
}
