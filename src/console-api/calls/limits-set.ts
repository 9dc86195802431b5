import { setServerLimits, setTotalLimits } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'
import { ruleJson } from '../rule-rows.ts'

/** What is no limit is refused by the config itself. */
export function setSharedLimits({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'limits/set'> {
  return (body) => {
    const scope = body.oneOf('scope', ['total', 'each'])
    const limits = ruleJson(body.object('limits'))
    return changeConfig(config, JSON.stringify({ limits }, undefined, 2), (source) =>
      scope === 'total' ? setTotalLimits(source, limits, edited) : setServerLimits(source, '*', limits, edited),
    )
  }
}
