import { parseConfig, putRule } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { isSameRule, ruleJson } from '../rule-rows.ts'

export function changeRule({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'rules/change'> {
  return (body) => {
    const index = body.count('index')
    const before = body.object('before')
    const rule = ruleJson(body.object('rule'))
    return changeConfig(config, JSON.stringify(rule, undefined, 2), (source) => {
      if (!isSameRule(parseConfig(source ?? '{}', edited.file, edited).rules[index], before)) throw stale
      return putRule(source, index, rule, edited)
    })
  }
}
