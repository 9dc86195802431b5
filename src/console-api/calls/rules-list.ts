import type { CallNeeds, Handler } from '../call.ts'
import { ruleRows } from '../rule-rows.ts'

export function listRules({ config, now }: Pick<CallNeeds, 'config' | 'now'>): Handler<'rules/list'> {
  return () => ({ rules: ruleRows(config.current.rules, now()) })
}
