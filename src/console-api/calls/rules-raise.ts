import { parseConfig, raiseRule } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig, stale } from '../change-config.ts'
import { isSameRule, ruleJson } from '../rule-rows.ts'

export function raiseConfiguredRule({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'rules/raise'> {
  return (body) => {
    const index = body.count('index')
    const before = body.object('before')
    return changeConfig(config, JSON.stringify(ruleJson(before), undefined, 2), (source) => {
      if (!isSameRule(parseConfig(source ?? '{}', edited.file, edited).rules[index], before)) throw stale
      return raiseRule(source, index, edited)
    })
  }
}
