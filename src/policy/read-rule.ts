import { inputKinds } from '../protocol/index.ts'
import type { JsoncPlace } from './jsonc-place.ts'
import { readLimits } from './read-limits.ts'
import { endOfDay, isExact, type Rule } from './rule.ts'
import { asTextPattern, type TextPattern } from './text-pattern.ts'

/** Reads one entry of `rules`. */
export function readRule(place: JsoncPlace): Rule {
  const members = place.members(['server', 'request', 'mode', 'message', 'schema', 'decision', 'content', 'until', 'limits', 'review'])
  const decision = members.get('decision')
  if (decision === undefined) throw place.fault('a rule needs a "decision": "allow", "ask" or "deny"')
  const request = members.get('request')?.oneOf(inputKinds)
  for (const key of ['mode', 'message', 'schema', 'content']) {
    if (request !== 'elicitation') throwIfPresent(members.get(key), `"${key}" is only for rules with "request": "elicitation"`)
  }
  const mode = members.get('mode')?.oneOf(['form', 'url'])
  const content = members.get('content')
  if (decision.value !== 'allow') throwIfPresent(content, '"content" is only for rules that allow')
  if (mode === 'url') throwIfPresent(content, '"content" is for forms: only a person opens an address')
  const review = members.get('review')
  if (request !== 'sampling' || decision.value !== 'allow') throwIfPresent(review, '"review" is only for rules that allow, with "request": "sampling"')
  const server = members.get('server')
  const schema = members.get('schema')
  const limits = members.get('limits')
  const until = members.get('until')
  const message = members.get('message')
  const rule: Rule = {
    server: server && readServerName(server),
    request,
    mode,
    message: message && readMessage(message),
    schema: schema && readFingerprint(schema),
    decision: decision.oneOf(['allow', 'ask', 'deny']),
    content: content?.object(),
    until: until && readDate(until),
    limits: limits && readLimits(limits),
    review: review?.oneOf(['prompt', 'completion']),
  }
  if (content && !isExact(rule))
    throw content.fault(
      '"content" answers one form only: say which with "server" (one name), "message" and "schema" (its fingerprint, from "consentry audit export")',
    )
  return rule
}

function throwIfPresent(place: JsoncPlace | undefined, message: string): void {
  if (place !== undefined) throw place.fault(message)
}

function readServerName(place: JsoncPlace): string {
  const name = place.text()
  if (name !== '*' && name.includes('*')) throw place.fault('"server" is the name of one server, or "*" for every server')
  return name
}

function readMessage(place: JsoncPlace): TextPattern {
  const pattern = asTextPattern(place.value)
  if (pattern === undefined)
    throw place.fault('"message" is a text (* stands for any text, ? for one character), or { "exactly": "…" } for one text and no other')
  if ((typeof pattern === 'string' ? pattern : pattern.exactly).includes('\0')) throw place.fault('"message" must not contain a NUL character')
  return pattern
}

function readFingerprint(place: JsoncPlace): string {
  const fingerprint = place.text()
  if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw place.fault('"schema" is the fingerprint of a form: 64 hexadecimal digits, from "consentry audit export"')
  return fingerprint
}

function readDate(place: JsoncPlace): string {
  const date = place.text()
  if (endOfDay(date) === undefined) throw place.fault('"until" must be a day of the calendar, written as YYYY-MM-DD')
  return date
}
