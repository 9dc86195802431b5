import { Policy } from '../../src/policy/index.ts'
import { describe, expect, test } from 'vitest'
import { formQuestion } from '../../src/testing/index.ts'
import { standingRule } from '../fixtures/standing-rule.ts'
import { answersOf, eras, faultOf, withAnswers, withPerson } from '../fixtures/setting.ts'

const booking = formQuestion(
  'Confirm your Barcelona booking',
  {
    confirm: { type: 'boolean', title: 'Confirm?' },
    seat: {
      type: 'string',
      oneOf: [
        { const: 'W', title: 'Window' },
        { const: 'A', title: 'Aisle' },
      ],
    },
    nights: { type: 'integer', minimum: 1, maximum: 14, default: 7 },
    budget: { type: 'number' },
    email: { type: 'string', format: 'email' },
    extras: { type: 'array', items: { enum: ['insurance', 'taxi', 'tour'] }, maxItems: 2 },
  },
  ['confirm'],
)

describe.each(eras)('a form in the %s era', (era) => {
  test('goes from the server to the person, and what they give goes back as it was given', async () => {
    const content = { confirm: true, seat: 'A', nights: 3, budget: 1250.5, email: 'ada@example.com', extras: ['taxi'] }
    const setting = await withPerson({ era, server: { tools: { book: [booking] } }, decide: [{ action: 'accept', content }] })
    await setting.call('book')

    const [review] = setting.person.reviews
    expect(review).toMatchObject({
      kind: 'form',
      origin: { server: { name: 'travel' }, era, call: { kind: 'tool', name: 'book' } },
      subject: { message: 'Confirm your Barcelona booking' },
    })
    expect((review as { subject: { form: { fields: readonly object[] } } }).subject.form.fields).toMatchObject([
      { kind: 'boolean', name: 'confirm', label: 'Confirm?', required: true },
      {
        kind: 'choice',
        choices: [
          { value: 'W', label: 'Window' },
          { value: 'A', label: 'Aisle' },
        ],
      },
      { kind: 'integer', minimum: 1, maximum: 14, default: 7 },
      { kind: 'number' },
      { kind: 'text', format: 'email' },
      { kind: 'multiple-choice', maxItems: 2 },
    ])
    expect(answersOf(setting)).toEqual([{ action: 'accept', content }])
  })

  test('keeps decline and cancel apart, and neither carries content', async () => {
    const setting = await withPerson({
      era,
      server: { tools: { book: [booking, booking] } },
      decide: [{ action: 'decline' }, { action: 'cancel' }],
    })
    await setting.call('book')

    expect(answersOf(setting)).toEqual([{ action: 'decline' }, { action: 'cancel' }])
    expect(setting.ends.map(({ response }) => response)).toMatchObject([{ by: 'person' }, { by: 'person' }])
  })

  test('goes back to the person with each fault, and the corrected answer is sent', async () => {
    const seen: string[] = []
    const setting = await withPerson({
      era,
      server: { tools: { book: [booking] } },
      decide: (_review, faults) => {
        seen.push(...faults.map(({ field }) => field))
        const wrong = { seat: 'Aisle', nights: 3.5, budget: '10', email: 'nobody', extras: ['insurance', 'taxi', 'tour'] }
        return { action: 'accept', content: faults.length === 0 ? wrong : { confirm: false, nights: 4 } }
      },
    })
    await setting.call('book')

    expect(seen.toSorted()).toEqual(['budget', 'confirm', 'email', 'extras', 'nights', 'seat'])
    expect(answersOf(setting)).toEqual([{ action: 'accept', content: { confirm: false, nights: 4 } }])
  })

  test('fills in its defaults, and leaves out what a person cleared', async () => {
    const setting = await withPerson({
      era,
      server: { tools: { book: [booking, booking] } },
      decide: [
        { action: 'accept', content: { confirm: true } },
        { action: 'accept', content: { confirm: true, nights: null } },
      ],
    })
    await setting.call('book')

    expect(answersOf(setting)).toEqual([
      { action: 'accept', content: { confirm: true, nights: 7 } },
      { action: 'accept', content: { confirm: true } },
    ])
  })

  test('is answered by a script as by a person, and what does not fit is not sent', async () => {
    const setting = await withAnswers({
      era,
      server: { tools: { book: [booking, booking] } },
      answers: [
        { when: { request: 'elicitation', message: '*Barcelona*' }, then: { action: 'accept', content: { confirm: true, seat: 'W' } }, times: 1 },
        { when: { request: 'elicitation' }, then: { action: 'accept', content: { confirm: 'yes' } } },
      ],
    })
    await setting.call('book')

    expect(answersOf(setting)).toEqual([{ action: 'accept', content: { confirm: true, seat: 'W', nights: 7 } }, { action: 'cancel' }])
    expect(setting.ends[1]).toMatchObject({ response: { by: 'none', unanswered: 'answer-does-not-fit' } })
  })

  test('that nobody can be shown was not offered, and is refused as such', async () => {
    const setting = await withPerson({ era, kinds: ['url'], server: { tools: { book: [booking] } }, decide: [] })
    const { code } = await faultOf(setting.call('book'))

    expect([code, setting.person.reviews]).toEqual([era === 'modern' ? 'INPUT_REFUSED' : 'resolved', []])
    expect(answersOf(setting)).toEqual(era === 'modern' ? [] : [-32602])
  })
})

const broken = formQuestion('Who?', { who: { type: 'object', properties: {} } })

test('a schema outside the protocol is refused to a legacy server with the field, and nobody is asked', async () => {
  const setting = await withPerson({ era: 'legacy', server: { tools: { book: [broken] } }, decide: [] })
  await setting.call('book')

  expect(setting.server.answers.map(({ answer }) => answer)).toMatchObject([{ error: { code: -32602, data: { field: 'who' } } }])
  expect(setting.person.reviews).toEqual([])
})

test('a schema outside the protocol ends a modern call, which names the question', async () => {
  const setting = await withPerson({ era: 'modern', server: { tools: { book: [broken] } }, decide: [] })

  expect(await faultOf(setting.call('book'))).toMatchObject({
    code: 'INPUT_REFUSED',
    data: { key: 'question', request: 'elicitation', cause: 'FORM_SCHEMA_INVALID', error: { code: -32602, data: { field: 'who' } } },
  })
})

test.each(eras)('%s: a rule answers within its limits, and beyond them a person is asked', async (era) => {
  const who = formQuestion('Who?', { name: { type: 'string' } })
  const policy = new Policy({ rules: [{ ...standingRule('travel', who.params, { name: 'rule' }), limits: { requestsPerMinute: 2 } }] })
  const setting = await withPerson({
    era,
    policy,
    server: { tools: { ask: [who, who, who] } },
    decide: () => ({ action: 'accept', content: { name: 'person' } }),
  })
  await setting.call('ask')

  expect(setting.ends.map(({ response }) => (response.outcome === 'withdrawn' ? undefined : response.by))).toEqual(['rule', 'rule', 'person'])
})
