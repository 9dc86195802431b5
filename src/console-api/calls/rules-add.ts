import { putFirstRule, putRule } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'
import { ruleJson } from '../rule-rows.ts'

export function addRule({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'rules/add'> {
  return (body) => {
    const rule = ruleJson(body.object('rule'))
    const isFirst = body.optionalFlag('first') === true
    return changeConfig(config, JSON.stringify(rule, undefined, 2), (source) =>
      isFirst ? putFirstRule(source, rule, edited) : putRule(source, undefined, rule, edited),
    )
  }
}
