import { expect, test, vi } from 'vitest'
import { Policy } from '../policy/index.ts'
import type { Ruling } from '../policy/index.ts'
import type { Decision, InputRequest, InputResponse, Origin, Reviewer, ReviewRequest, Settlement } from '../protocol/index.ts'
import { elicit } from './elicitation.ts'
import { fingerprintOf } from './form-fingerprint.ts'
import { matchPattern } from './match-pattern.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'http', url: 'https://mcp.travel.example/mcp' } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}

const requestedSchema = {
  type: 'object',
  properties: { city: { type: 'string', title: 'server words', maxLength: 9 }, apiKey: { type: 'string' }, nights: { type: 'integer', default: 3 } },
  required: ['city'],
}
const form = { message: 'server words', requestedSchema }
const visit = { mode: 'url', message: 'server words', url: 'https://login.idp.example/', elicitationId: 'e-1' }
const schema = fingerprintOf({ schema: requestedSchema })
const formFacts = { mode: 'form', fields: ['city', 'apiKey', 'nights'], secretFields: ['apiKey'], schema }
const visitFacts = { mode: 'url', host: 'login.idp.example', site: 'idp.example', warnings: ['other-site'] }

type AnySettlement = Settlement<'form' | 'url'>

interface Situation {
  readonly ruling?: Ruling
  readonly settlement?: AnySettlement | ((request: ReviewRequest<'form'>) => Promise<AnySettlement>)
  readonly canReview?: boolean
  readonly origin?: Partial<Origin>
}

async function ask(params: unknown, { ruling = { outcome: 'ask' }, settlement, canReview = true, origin: other }: Situation = {}) {
  const review = vi.fn(async (request: ReviewRequest<'form'>) => (typeof settlement === 'function' ? settlement(request) : settlement))
  const decide = vi.fn(() => ruling)
  const request: InputRequest = { kind: 'elicitation', params, revision: '2025-11-25' }
  const reviewer = { canReview: () => canReview, review } as unknown as Reviewer
  const response = await elicit(
    request,
    { ...origin, ...other },
    { policy: { decide, reserve: (request) => new Policy().reserve(request) }, reviewer, matchPattern },
    new AbortController().signal,
  )
  return { response, review, decide }
}

function decided(decision: Decision<'form' | 'url'>, by: 'person' | 'script' = 'person'): AnySettlement {
  return { outcome: 'decided', decision, by }
}

const accepted = { city: 'Bern' }

const answers: readonly (readonly [string, unknown, Situation, InputResponse])[] = [
  [
    'an accepted form reaches the server as accept, with defaults',
    form,
    { settlement: decided({ action: 'accept', content: accepted }) },
    { outcome: 'answered', by: 'person', result: { action: 'accept', content: { city: 'Bern', nights: 3 } }, facts: formFacts },
  ],
  [
    'what a script says is by script',
    form,
    { settlement: decided({ action: 'accept', content: { ...accepted, nights: null } }, 'script') },
    { outcome: 'answered', by: 'script', result: { action: 'accept', content: accepted }, facts: formFacts },
  ],
  [
    'a declined form reaches the server as decline, without content',
    form,
    { settlement: decided({ action: 'decline' }) },
    { outcome: 'answered', by: 'person', result: { action: 'decline' }, facts: formFacts },
  ],
  [
    'a closed form reaches the server as cancel',
    form,
    { settlement: decided({ action: 'cancel' }) },
    { outcome: 'answered', by: 'person', result: { action: 'cancel' }, facts: formFacts },
  ],
  [
    'content that does not fit never leaves, whoever let it through',
    form,
    { settlement: decided({ action: 'accept', content: { city: 5, pet: 'cat' } }) },
    {
      outcome: 'answered',
      by: 'none',
      unanswered: 'answer-does-not-fit',
      result: { action: 'cancel' },
      facts: {
        ...formFacts,
        faults: [
          { field: 'city', message: 'must be a text' },
          { field: 'pet', message: expect.any(String) as string },
        ],
      },
    },
  ],
  [
    'a script that does not fit is told field by field',
    form,
    { settlement: { outcome: 'unfit', faults: [{ field: 'city', problem: 'missing', message: 'is required' }] } },
    {
      outcome: 'answered',
      by: 'none',
      unanswered: 'answer-does-not-fit',
      result: { action: 'cancel' },
      facts: { ...formFacts, faults: [{ field: 'city', message: 'is required' }] },
    },
  ],
  [
    'nobody there is cancel, never decline',
    form,
    { canReview: false },
    { outcome: 'answered', by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' }, facts: formFacts },
  ],
  [
    'nobody who answers is cancel',
    form,
    { settlement: { outcome: 'nobody' } },
    { outcome: 'answered', by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' }, facts: formFacts },
  ],
  [
    'a deadline that passes is cancel',
    form,
    { settlement: { outcome: 'timed-out' } },
    { outcome: 'answered', by: 'none', unanswered: 'timed-out', result: { action: 'cancel' }, facts: formFacts },
  ],
  [
    'a question that was taken back gets no answer',
    form,
    { settlement: { outcome: 'withdrawn', reason: 'the server cancelled it' } },
    { outcome: 'withdrawn', reason: 'the server cancelled it' },
  ],
  [
    'a rule that denies declines',
    form,
    { ruling: { outcome: 'deny', rule: 'rules[0]' } },
    { outcome: 'answered', by: 'rule', result: { action: 'decline' }, facts: { ...formFacts, rule: 'rules[0]' } },
  ],
  [
    'a rule with values that fit answers',
    form,
    { ruling: { outcome: 'allow', rule: 'rules[1]', content: accepted } },
    { outcome: 'answered', by: 'rule', result: { action: 'accept', content: { city: 'Bern', nights: 3 } }, facts: { ...formFacts, rule: 'rules[1]' } },
  ],
  [
    'a rule with values that do not fit has the person asked',
    form,
    { ruling: { outcome: 'allow', rule: 'rules[1]', content: { town: 'Bern' } }, settlement: decided({ action: 'decline' }) },
    { outcome: 'answered', by: 'person', result: { action: 'decline' }, facts: { ...formFacts, askedBecause: 'rule-does-not-fit', rule: 'rules[1]' } },
  ],
  [
    'a rule without values cannot fill in a form',
    form,
    { ruling: { outcome: 'allow', rule: 'rules[1]' }, settlement: decided({ action: 'cancel' }) },
    { outcome: 'answered', by: 'person', result: { action: 'cancel' }, facts: formFacts },
  ],
  [
    'consent to a URL is accept without content',
    visit,
    { settlement: decided({ action: 'accept' }) },
    { outcome: 'answered', by: 'person', result: { action: 'accept' }, facts: visitFacts },
  ],
  [
    'a declined URL is decline',
    visit,
    { settlement: decided({ action: 'decline' }) },
    { outcome: 'answered', by: 'person', result: { action: 'decline' }, facts: visitFacts },
  ],
  [
    'no rule consents to a URL',
    visit,
    { ruling: { outcome: 'allow', rule: 'rules[0]', content: {} }, settlement: { outcome: 'timed-out' } },
    { outcome: 'answered', by: 'none', unanswered: 'timed-out', result: { action: 'cancel' }, facts: visitFacts },
  ],
  [
    'a rule may decline a URL',
    visit,
    { ruling: { outcome: 'deny', rule: 'rules[0]' } },
    { outcome: 'answered', by: 'rule', result: { action: 'decline' }, facts: { ...visitFacts, rule: 'rules[0]' } },
  ],
  [
    'nobody to visit a URL is cancel',
    visit,
    { canReview: false },
    { outcome: 'answered', by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' }, facts: visitFacts },
  ],
]

test.each(answers)('%s', async (_, params, situation, expected) => {
  const { response } = await ask(params, situation)
  expect(JSON.parse(JSON.stringify(response))).toEqual(expected)
  expect(JSON.stringify(response)).not.toContain('server words')
})

const refusals: readonly (readonly [string, unknown, string, string])[] = [
  ['no parameters', undefined, 'ELICITATION_INVALID', '"params"'],
  ['no message', { requestedSchema }, 'ELICITATION_INVALID', '"message"'],
  ['a message that nobody could read', { ...form, message: 'x'.repeat(16 * 1024 * 1024 + 1) }, 'ELICITATION_INVALID', 'nobody could read it'],
  ['an unknown mode', { ...form, mode: 'voice' }, 'ELICITATION_INVALID', '"mode"'],
  ['no schema', { message: 'm' }, 'ELICITATION_INVALID', '"requestedSchema" is missing'],
  ['the schema under the name of the examples', { message: 'm', schema: requestedSchema }, 'ELICITATION_INVALID', 'rename "schema"'],
  ['a schema outside the subset', { message: 'm', requestedSchema: { type: 'string' } }, 'FORM_SCHEMA_INVALID', 'properties'],
  ['no address', { ...visit, url: undefined }, 'ELICITATION_INVALID', '"url"'],
  ['no id in the era that has them', { ...visit, elicitationId: undefined }, 'ELICITATION_INVALID', '"elicitationId"'],
  ['an address that must not be opened', { ...visit, url: 'javascript:alert(1)' }, 'URL_REFUSED', 'https://'],
]

test.each(refusals)('a request with %s is refused, and nobody is asked', async (_, params, code, words) => {
  const { response, review, decide } = await ask(params, { settlement: decided({ action: 'accept', content: accepted }) })
  expect(response).toMatchObject({ outcome: 'refused', by: 'none', error: { code, message: expect.stringContaining(words) } })
  expect([review.mock.calls, decide.mock.calls]).toEqual([[], []])
})

test('the modern era has no elicitation id', async () => {
  const { response } = await ask({ ...visit, elicitationId: undefined }, { settlement: decided({ action: 'accept' }), origin: { era: 'modern' } })
  expect(response).toMatchObject({ outcome: 'answered', result: { action: 'accept' } })
})

test('a local server has no site of its own', async () => {
  const local: Partial<Origin> = { server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: [] } } }
  const { response } = await ask(visit, { settlement: decided({ action: 'cancel' }), origin: local })
  expect(response).toMatchObject({ facts: { warnings: [] } })
})

test('the person is told what is wrong before the form is closed, and sees no default that would not be sent', async () => {
  const patterned = { type: 'object', properties: { a: { type: 'string', pattern: '^b', default: 'a' } } }
  const faults: unknown[] = []
  const { review, decide } = await ask(
    { message: 'm', requestedSchema: patterned },
    {
      settlement: async ({ check }) => {
        faults.push(await check?.({ action: 'accept', content: { a: 'x' } }), await check?.({ action: 'decline' }))
        return { outcome: 'decided', decision: { action: 'cancel' }, by: 'person' }
      },
    },
  )
  expect(faults).toEqual([[expect.objectContaining({ field: 'a', problem: 'pattern-not-matched' })], []])
  expect(review.mock.calls[0]?.[0].subject.form.fields[0]).toMatchObject({ default: undefined })
  expect(decide.mock.calls).toEqual([[{ kind: 'elicitation', origin, mode: 'form', message: 'm', schema: expect.stringMatching(/^[0-9a-f]{64}$/) }]])
})

test('two forms that are too large to be told apart are never taken for the same question', async () => {
  const samenessOf = async (description: string): Promise<string | undefined> => {
    const params = { message: 'Where?', requestedSchema: { type: 'object', properties: { city: { type: 'string', description } } } }
    const { review } = await ask(params, { settlement: { outcome: 'nobody' } })
    return review.mock.calls[0]![0].sameness
  }
  const small = await Promise.all(['here', 'here', 'there'].map(samenessOf))
  const large = await Promise.all(['a', 'b'].map((letter) => samenessOf(letter.repeat(200_001))))

  expect([small[0] === small[1], small[0] === small[2], large]).toEqual([true, false, [undefined, undefined]])
})
