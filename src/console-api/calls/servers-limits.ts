import { parseConfig, setServerLimits } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { ruleJson } from '../rule-rows.ts'
import { isAsShown } from '../seen.ts'

/** What is no limit is refused by the config itself. */
export function limitServer({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'servers/limits'> {
  return (body) => {
    const name = body.text('name', 200)
    const [limits, before] = [ruleJson(body.object('limits')), ruleJson(body.object('before'))]
    return changeConfig(config, JSON.stringify({ limits }, undefined, 2), (source) => {
      if (!isAsShown(parseConfig(source ?? '{}', edited.file, edited).sampling.servers.get(name)?.limits, before)) throw stale
      return setServerLimits(source, name, limits, edited)
    })
  }
}
