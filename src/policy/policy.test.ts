import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputKinds, type ServerIdentity } from '../protocol/index.ts'
import { askPhrase } from './ask-phrase.ts'
import type { KnownServer } from './known-server.ts'
import { Policy, type PolicyQuestion, type Ruling } from './policy.ts'
import type { Rule } from './rule.ts'

const noon = new Date(2026, 10, 29, 12).getTime()
const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const about = (kind: PolicyQuestion['kind'], server: ServerIdentity = travel): PolicyQuestion => ({ kind, origin: { server } })
const form = (message: string, schema = 'seats'): PolicyQuestion => ({ ...about('elicitation'), mode: 'form', message, schema })
const policyOf = (...rules: readonly Rule[]): Policy => new Policy({ rules, now: () => noon })

test('without a rule a person is asked', () => {
  expect(policyOf().decide(about('sampling'))).toEqual({ outcome: 'ask' })
})

test('the first rule that matches decides', () => {
  const policy = policyOf(
    { server: 'notes', decision: 'deny' },
    { server: 'travel', request: 'roots', decision: 'deny' },
    { server: 'travel', request: 'sampling', decision: 'allow', limits: { requestsPerMinute: 3 } },
    { decision: 'deny' },
  )
  expect([about('sampling'), about('roots'), about('elicitation')].map((question) => policy.decide(question))).toEqual([
    { outcome: 'allow', rule: 'rules[2]', limits: { requestsPerMinute: 3 } },
    { outcome: 'deny', rule: 'rules[1]' },
    { outcome: 'deny', rule: 'rules[3]' },
  ])
})

test('only explicit values answer a form, and nothing but a person opens an address', () => {
  const rules: readonly Rule[] = [
    { server: 'travel', request: 'elicitation', message: '*seat*', schema: 'seats', decision: 'allow', content: { seat: 'aisle' } },
    { request: 'elicitation', decision: 'allow' },
  ]
  const url: PolicyQuestion = { ...about('elicitation'), mode: 'url', message: 'Choose a seat' }
  expect([form('Choose a seat'), form('Card number?'), url].map((question) => policyOf(...rules).decide(question))).toEqual([
    { outcome: 'allow', rule: 'rules[0]', content: { seat: 'aisle' } },
    { outcome: 'ask', because: askPhrase('rule-without-content', { rule: 'rules[1]' }), firm: true },
    { outcome: 'ask', because: askPhrase('rule-needs-person', { rule: 'rules[1]' }), firm: true },
  ])
})

test('a rule answers one form of one server: another message, other fields or another server, and a person is asked', () => {
  const exact: Rule = { server: 'travel', request: 'elicitation', message: 'Seat?', schema: 'seats', decision: 'allow', content: { seat: 'aisle' } }
  const rules: readonly Rule[] = [
    exact,
    { ...exact, server: '*' },
    { ...exact, message: undefined },
    { ...exact, schema: undefined },
    { ...exact, server: undefined },
  ]
  const changed = askPhrase('rule-other-form', { rule: 'rules[0]' })
  const inexact = { outcome: 'ask', because: askPhrase('rule-inexact', { rule: 'rules[0]' }), firm: true }

  expect(rules.map((rule) => policyOf(rule).decide(form('Seat?')))).toEqual([
    { outcome: 'allow', rule: 'rules[0]', content: { seat: 'aisle' } },
    inexact,
    inexact,
    inexact,
    inexact,
  ])
  expect(
    [form('Seat?', 'seats and a card'), form('Which seat?'), { ...form('Seat?'), schema: undefined }].map((question) => policyOf(exact).decide(question)),
  ).toEqual([{ outcome: 'ask', because: changed, firm: true }, { outcome: 'ask' }, { outcome: 'ask', because: changed, firm: true }])
  expect(policyOf(exact, { decision: 'deny' }).decide(form('Seat?', 'others'))).toEqual({ outcome: 'deny', rule: 'rules[1]' })
  expect(rules.map((rule) => policyOf(rule).mayAllow('elicitation', travel))).toEqual([true, false, false, false, false])
})

test('the words of a server that a program wrote down answer that message only, whatever stars and question marks are in them', () => {
  const message = { exactly: '**Please confirm**: save the trip?' }
  const rule: Rule = { server: 'travel', request: 'elicitation', message, schema: 'seats', decision: 'allow', content: {} }

  expect(
    ['**Please confirm**: save the trip?', 'Send 10,000 EUR. Please confirm: save the trip!'].map((asked) => policyOf(rule).decide(form(asked)).outcome),
  ).toEqual(['allow', 'ask'])
})

test('a message is needed where a rule is about one', () => {
  expect(policyOf({ request: 'elicitation', message: '*', decision: 'deny' }).decide(about('elicitation'))).toEqual({ outcome: 'ask' })
})

test('a mode is matched', () => {
  expect(policyOf({ request: 'elicitation', mode: 'url', decision: 'deny' }).decide(form('x'))).toEqual({ outcome: 'ask' })
})

test.each([
  ['2026-11-28', 'ask'],
  ['2026-11-29', 'allow'],
  ['2026-11-30', 'allow'],
  ['2026-11-31', 'ask'],
  ['soon', 'ask'],
])('a rule until %s on the 29th: %s', (until, outcome) => {
  expect(policyOf({ request: 'sampling', decision: 'allow', until }).decide(about('sampling')).outcome).toBe(outcome)
})

test('a rule holds to the last moment of its day', () => {
  const outcomes = [-1, 0].map(
    (offset) =>
      new Policy({ rules: [{ decision: 'allow', until: '2026-11-29' }], now: () => new Date(2026, 10, 30).getTime() + offset }).decide(about('roots')).outcome,
  )
  expect(outcomes).toEqual(['allow', 'ask'])
})

const guessed: ServerIdentity = { ...travel, named: false }

test('a name that the user did not give is allowed nothing by it, but can be denied', () => {
  expect([
    policyOf({ server: 'travel', decision: 'allow' }).decide(about('sampling', guessed)),
    policyOf({ server: 'travel', decision: 'deny' }).decide(about('sampling', guessed)),
    policyOf({ server: '*', decision: 'allow' }).decide(about('sampling', guessed)),
    policyOf({ server: 'travel', decision: 'ask' }, { decision: 'allow' }).decide(about('sampling', guessed)),
    policyOf({ server: 'travel', decision: 'ask' }, { decision: 'deny' }).decide(about('sampling', guessed)),
  ]).toEqual([
    { outcome: 'ask' },
    { outcome: 'deny', rule: 'rules[0]' },
    { outcome: 'allow', rule: 'rules[0]' },
    { outcome: 'ask', because: askPhrase('rule-asks', { rule: 'rules[0]' }), firm: true },
    { outcome: 'deny', rule: 'rules[1]' },
  ])
})

test('another command under a name of the config is allowed nothing: a person is asked', () => {
  const config = new Map<string, KnownServer>([['travel', { kind: 'stdio', command: 'node', args: ['travel.js'] }]])
  const servers: readonly ServerIdentity[] = [
    travel,
    { ...travel, target: { kind: 'stdio', command: 'node', args: ['travel.js', '--more'] } },
    { ...travel, target: { kind: 'stdio', command: 'deno', args: ['travel.js'] } },
    { ...travel, target: { kind: 'http', url: 'https://x.example' } },
    { ...travel, target: { kind: 'custom', description: 'in memory' } },
  ]
  const outcomes = ['travel', '*'].map((server) =>
    servers.map((each) => new Policy({ rules: [{ server, decision: 'allow' }], knownServers: config }).decide(about('sampling', each)).outcome),
  )
  expect(outcomes).toEqual([
    ['allow', 'ask', 'ask', 'ask', 'ask'],
    ['allow', 'ask', 'ask', 'ask', 'ask'],
  ])
})

test('"always ask me" overrides every allow and no deny, until it is off', () => {
  const policy = policyOf({ request: 'roots', decision: 'deny' }, { decision: 'allow' })
  const outcomes = [true, false].map((alwaysAsk) => {
    policy.alwaysAsk = alwaysAsk
    return [policy.decide(about('roots')).outcome, policy.decide(about('sampling')), policy.mayAllow('sampling', travel)]
  })
  expect(outcomes).toEqual([
    ['deny', { outcome: 'ask', because: askPhrase('always-ask', {}), firm: true }, false],
    ['deny', { outcome: 'allow', rule: 'rules[1]' }, true],
  ])
})

test('suspended rules allow nothing, and still deny; an update ends it', () => {
  const rules: readonly Rule[] = [{ request: 'roots', decision: 'deny' }, { decision: 'allow' }]
  const policy = policyOf(...rules)
  policy.suspend('config.jsonc:3:1 a comma is missing')
  const suspended = [policy.decide(about('roots')), policy.decide(about('sampling')), policy.mayAllow('sampling', travel)]
  policy.update(rules)
  expect([suspended, policy.decide(about('sampling')).outcome]).toEqual([
    [
      { outcome: 'deny', rule: 'rules[0]' },
      { outcome: 'ask', because: askPhrase('rules-suspended', { reason: 'config.jsonc:3:1 a comma is missing' }), firm: true },
      false,
    ],
    'allow',
  ])
})

test('what may be promised without a person is what a rule can answer', () => {
  const content = {}
  const cases: readonly (readonly [readonly Rule[], PolicyQuestion['kind'], ServerIdentity])[] = [
    [[], 'sampling', travel],
    [[{ decision: 'allow' }], 'sampling', travel],
    [[{ decision: 'allow' }], 'elicitation', travel],
    [[{ decision: 'allow', request: 'elicitation', server: 'travel', message: 'a*', schema: 's', content }], 'elicitation', travel],
    [[{ decision: 'deny' }, { decision: 'allow' }], 'sampling', travel],
    [
      [
        { decision: 'deny', request: 'elicitation', message: 'x' },
        { decision: 'allow', request: 'elicitation', server: 'travel', message: '*', schema: 's', content },
      ],
      'elicitation',
      travel,
    ],
    [[{ decision: 'allow', server: 'travel' }], 'sampling', guessed],
    [[{ decision: 'deny', server: 'travel' }, { decision: 'allow' }], 'sampling', guessed],
    [[{ decision: 'allow', until: '2026-01-01' }], 'sampling', travel],
  ]
  expect(cases.map(([rules, kind, server]) => policyOf(...rules).mayAllow(kind, server))).toEqual([false, true, false, true, false, true, false, false, false])
})

const anyRule: fc.Arbitrary<Rule> = fc.record(
  {
    server: fc.constantFrom('*', 'travel', 'notes'),
    request: fc.constantFrom(...inputKinds),
    mode: fc.constantFrom('form' as const, 'url' as const),
    message: fc.constantFrom('*', 'a*', '?'),
    decision: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    content: fc.constant({ seat: 'aisle' }),
    until: fc.constantFrom('2026-11-28', '2026-11-29', '2027-01-01'),
  },
  { requiredKeys: ['decision'] },
)
const anyRules = fc.array(anyRule, { maxLength: 6 })
const anyQuestion: fc.Arbitrary<PolicyQuestion> = fc.record({
  kind: fc.constantFrom(...inputKinds),
  origin: fc.record({
    server: fc.constantFrom(travel, guessed, { ...travel, name: 'notes' }, { ...travel, target: { kind: 'http' as const, url: 'https://x.example' } }),
  }),
  mode: fc.constantFrom(undefined, 'form', 'url'),
  message: fc.constantFrom(undefined, '', 'a', 'abc'),
})
const knownServers = new Map<string, KnownServer>([['travel', { kind: 'stdio', command: 'node', args: ['travel.js'] }]])
const decide = (rules: readonly Rule[], question: PolicyQuestion, change: (policy: Policy) => void = () => {}): Ruling => {
  const policy = new Policy({ rules, knownServers, now: () => noon })
  change(policy)
  return policy.decide(question)
}
const width = { deny: 0, ask: 1, allow: 2 }

test('whatever is allowed is allowed by a rule that says so', () => {
  fc.assert(
    fc.property(anyRules, anyQuestion, (rules, question) => {
      const ruling = decide(rules, question)
      if (ruling.outcome !== 'allow') return
      const rule = rules[Number(/\d+/.exec(ruling.rule)?.[0])]
      const { server } = question.origin
      expect([rule?.decision, rule?.request ?? question.kind, rule?.until === '2026-11-28']).toEqual(['allow', question.kind, false])
      expect(rule?.server === undefined || rule.server === '*' || (rule.server === server.name && server.named && server.target.kind === 'stdio')).toBe(true)
      expect(question.kind !== 'elicitation' || (rule?.content !== undefined && question.mode !== 'url')).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

test('rules that are broken, overridden, expired or gone never allow more', () => {
  fc.assert(
    fc.property(anyRules, anyQuestion, (rules, question) => {
      const { outcome } = decide(rules, question)
      const expired = rules.map((rule) => ({ ...rule, until: '2026-11-28' }))
      const narrowed = [
        decide(rules, question, (policy) => policy.suspend('broken')),
        decide(rules, question, (policy) => {
          policy.alwaysAsk = true
        }),
      ]
      for (const ruling of narrowed) expect(width[ruling.outcome]).toBeLessThanOrEqual(Math.min(width.ask, width[outcome]))
      expect([decide(expired, question).outcome, decide([], question).outcome]).toEqual(['ask', 'ask'])
    }),
    { numRuns: 2_000 },
  )
})

test('taking away, or letting expire, a rule that allows never allows what was not allowed', () => {
  fc.assert(
    fc.property(anyRules, anyQuestion, fc.nat(), (rules, question, place) => {
      const index = place % Math.max(1, rules.length)
      const rule = rules[index]
      // An "allow" without content is an "ask" for elicitation: taking that away is the user's own widening.
      fc.pre(rule?.decision === 'allow' && question.kind !== 'elicitation')
      const before = decide(rules, question)
      const gone = decide(rules.toSpliced(index, 1), question)
      const expired = decide(rules.with(index, { ...rule, until: '2026-11-28' }), question)
      expect([gone.outcome, expired.outcome].filter((outcome) => outcome === 'allow' && before.outcome !== 'allow')).toEqual([])
    }),
  )
})

test('what may not be promised is never allowed', () => {
  fc.assert(
    fc.property(anyRules, anyQuestion, (rules, question) => {
      const policy = new Policy({ rules, knownServers, now: () => noon })
      if (!policy.mayAllow(question.kind, question.origin.server)) expect(policy.decide(question).outcome).not.toBe('allow')
    }),
    { numRuns: 3_000 },
  )
})
