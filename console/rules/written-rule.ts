import type { JsonObject, RuleInput, RuleRow } from '../../src/console-api/contract.ts'
import { isDay } from '../parts/calendar-days.ts'
import { readLimits, writtenLimits, type WrittenLimits } from '../parts/limit-fields.tsx'

/** A rule as it stands in the fields of a form: what belongs to another kind of rule stays there while a person tries kinds out. */
export interface WrittenRule {
  readonly server: string
  readonly request: RuleInput['request']
  readonly mode: RuleInput['mode']
  /** A glob as a person writes one (empty: whatever the words are), or the words of a server, to be taken as they are. */
  readonly message: NonNullable<RuleInput['message']>
  readonly schema: string
  readonly decision: RuleInput['decision']
  /** JSON. */
  readonly content: string
  readonly until: string
  readonly limits: WrittenLimits
  readonly review: RuleInput['review']
}

/** Why a rule cannot be written as it stands. */
export type RuleProblem = 'badDay' | 'needsEnd' | 'noJson' | 'inexact' | 'badSchema' | 'noAmount'

export function writtenRule({ server = '*', request, mode, message = '', schema = '', decision, content, until = '', limits, review }: RuleInput): WrittenRule {
  const text = content === undefined ? '' : JSON.stringify(content, undefined, 2)
  return { server, request, mode, message, schema, decision, content: text, until, limits: writtenLimits(limits), review }
}

/** The rule as it stands in the config, without what is only shown. */
export function ruleOfRow(row: RuleRow): RuleInput {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'index' && name !== 'expired')) as unknown as RuleInput
}

/** Whether a rule of this kind can hold the values that answer a form. */
export function takesContent({ request, mode, decision }: WrittenRule): boolean {
  return request === 'elicitation' && decision === 'allow' && mode !== 'url'
}

/** The rule that is written, or why there is none: a yes needs an end or a limit, and values need the one form that they answer, and an end. */
export function ruleOf(written: WrittenRule): RuleInput | RuleProblem {
  const { server, request, mode, message, schema, decision, content, until, review } = written
  const limits = readLimits(written.limits)
  if (limits === undefined) return 'noAmount'
  if (until !== '' && !isDay(until)) return 'badDay'
  const isQuestion = request === 'elicitation'
  const values = takesContent(written) && content.trim() !== '' ? readObject(content) : undefined
  if (values === 'noJson') return values
  if (isQuestion && schema !== '' && !/^[0-9a-f]{64}$/u.test(schema)) return 'badSchema'
  if (values !== undefined && (server === '*' || message === '' || schema === '')) return 'inexact'
  const hasLimits = Object.keys(limits).length > 0
  if (decision === 'allow' && until === '' && (values !== undefined || !hasLimits)) return 'needsEnd'
  return {
    server,
    decision,
    ...(request && { request }),
    ...(isQuestion && mode && { mode }),
    ...(isQuestion && message !== '' && { message }),
    ...(isQuestion && schema !== '' && { schema }),
    ...(values && { content: values }),
    ...(until !== '' && { until }),
    ...(hasLimits && { limits }),
    ...(request === 'sampling' && decision === 'allow' && review && { review }),
  }
}

function readObject(text: string): JsonObject | 'noJson' {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : 'noJson'
  } catch {
    return 'noJson'
  }
}
