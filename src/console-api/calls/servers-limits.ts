import { setServerLimits } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'
import { ruleJson } from '../rule-rows.ts'

/** What is no limit is refused by the config itself. */
export function limitServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/limits'> {
  return (body) => {
    const name = body.text('name', 200)
    const limits = ruleJson(body.object('limits'))
    return changeConfig(config, JSON.stringify({ limits }, undefined, 2), (source) => setServerLimits(source, name, limits, edited))
  }
}
