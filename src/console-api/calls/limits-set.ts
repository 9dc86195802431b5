import { parseConfig, setServerLimits, setTotalLimits } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { ruleJson } from '../rule-rows.ts'
import { isAsShown } from '../seen.ts'

/** What is no limit is refused by the config itself. */
export function setSharedLimits({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'limits/set'> {
  return (body) => {
    const scope = body.oneOf('scope', ['total', 'each'])
    const [limits, before] = [ruleJson(body.object('limits')), ruleJson(body.object('before'))]
    return changeConfig(config, JSON.stringify({ limits }, undefined, 2), (source) => {
      const { total, servers } = parseConfig(source ?? '{}', edited.file, edited).sampling
      if (!isAsShown(scope === 'total' ? total : servers.get('*')?.limits, before)) throw stale
      return scope === 'total' ? setTotalLimits(source, limits, edited) : setServerLimits(source, '*', limits, edited)
    })
  }
}
