import type { Rule } from '../policy/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { RuleRow } from './contract.ts'
import { dayOf } from './read-day.ts'
import { isAsShown } from './seen.ts'

/** Rules with their place in the config. */
export function ruleRows(rules: readonly Rule[], now: number): readonly RuleRow[] {
  return rules.map((rule, index) => ({ ...rule, index, expired: rule.until !== undefined && dayOf(now) > rule.until }))
}

/** Rules that can match a server. */
export function rulesFor(rules: readonly Rule[], server: string, now: number): readonly RuleRow[] {
  return ruleRows(rules, now).filter((rule) => rule.server === undefined || rule.server === '*' || rule.server === server)
}

/** Whether a rule is still the one that a window has shown. */
export function isSameRule(rule: Rule | undefined, shown: JsonObject): boolean {
  const { index: _index, expired: _expired, ...before } = shown
  return rule !== undefined && isAsShown(rule, before)
}

/** A rule as it is written into the config: without what is absent, and without what only the window knows. */
export function ruleJson({ index: _index, expired: _expired, ...rule }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined && value !== null))
}
