import type { InputKind, JsonObject } from '../protocol/index.ts'
import type { TextPattern } from './text-pattern.ts'

/** How much may be used: under one rule, by one server, or by all together. Days are calendar days, local time; a run ends with the program. */
export interface Limits {
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerDay?: number | undefined
  /** In the currency of the models' prices. */
  readonly costPerDay?: number | undefined
  readonly tokensPerRun?: number | undefined
  readonly costPerRun?: number | undefined
  /** Rounds of tool use in one conversation. */
  readonly toolRounds?: number | undefined
  /** Requests that a model works on at the same time. */
  readonly atOnce?: number | undefined
}

/** A user's standing instruction. A key that is absent matches everything. */
export interface Rule {
  /** A server's name, or `*`. */
  readonly server?: string | undefined
  readonly request?: InputKind | undefined
  /** Elicitation only. */
  readonly mode?: 'form' | 'url' | undefined
  /** On the elicitation's message. */
  readonly message?: TextPattern | undefined
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The fingerprint of the one form that is meant: the server may change its message and its fields as it likes. */
  readonly schema?: string | undefined
  /** The values that answer a form; without them an elicitation is never answered by a rule. */
  readonly content?: JsonObject | undefined
  /** `YYYY-MM-DD`: the rule holds to the end of that day, local time. */
  readonly until?: string | undefined
  readonly limits?: Limits | undefined
  /** Sampling that is allowed: the one review that a person sees all the same. Default: neither. */
  readonly review?: 'prompt' | 'completion' | undefined
}

/** Whether a rule says exactly which form of whom it answers: a server's message alone is the server's own to choose. */
export function isExact({ server, message, schema }: Rule): boolean {
  return server !== undefined && server !== '*' && message !== undefined && schema !== undefined
}

/** True once the last day of a rule is over; a date that cannot be read counts as over. */
export function isExpired(rule: Rule, now: number): boolean {
  if (rule.until === undefined) return false
  const end = endOfDay(rule.until)
  return end === undefined || now >= end
}

/** The first moment after a local calendar day, in milliseconds; undefined where there is no such day. */
export function endOfDay(date: string): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (parts === null) return undefined
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const start = new Date(year, month - 1, day)
  if (start.getFullYear() !== year || start.getMonth() !== month - 1 || start.getDate() !== day) return undefined
  return new Date(year, month - 1, day + 1).getTime()
}
