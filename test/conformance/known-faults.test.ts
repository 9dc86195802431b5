import { describe, expect, test } from 'vitest'
import { findSecrets, matchPattern, parseForm, readTyped, readUrl, readValues } from '../../src/elicitation/index.ts'
import { ConsentryError } from '../../src/errors.ts'
import type { Decision, Form, JsonObject } from '../../src/protocol/index.ts'
import { formQuestion } from '../../src/testing/index.ts'
import { answersOf, eras, nextReview, withAnswers, withPerson } from '../fixtures/setting.ts'

/*
 * Faults that users of other hosts met, each as a kind. Those of waiting and cancelling (B01, B16, B68) stand in `src/mcp/attach-time.test.ts`,
 * those of declaring (B02) with rule 1 in `test/scenarios/ten-rules-people.test.ts`, those of visits that are not over (B43) in `test/scenarios/url.test.ts`
 * and, for a wrap, in `src/gateway/open-visits.test.ts` and `src/gateway/round-visits.test.ts`.
 */

const formOf = (properties: JsonObject): Form => parseForm({ type: 'object', properties })

/** What leaves for given values: the content, or the fields that are named. */
async function outcomeOf(schema: JsonObject, content?: JsonObject): Promise<unknown> {
  try {
    const result = await readValues(parseForm(schema), content, { matchPattern })
    return result.ok ? { ...result.values } : result.faults.map(({ field }) => field)
  } catch (error) {
    if (error instanceof ConsentryError) return error.code
    throw error
  }
}

/** What a person who typed this would send: a value, `out`, or `refused`. */
async function typed(schema: JsonObject, text: string): Promise<unknown> {
  const form = formOf({ f: schema })
  const result = await readValues(form, { f: readTyped(form.fields[0]!, text) }, { matchPattern })
  return result.ok ? (Object.hasOwn(result.values, 'f') ? result.values['f'] : 'out') : 'refused'
}

describe.each(eras)('in the %s era', (era) => {
  const send = async (question: ReturnType<typeof formQuestion>, decision: Decision): Promise<unknown> => {
    const setting = await withPerson({ era, server: { tools: { run: [question] } }, decide: [decision] })
    await setting.call('run')
    return answersOf(setting)[0]
  }

  test('B04: a number is asked as a number, and no yes sends an empty form in its place', async () => {
    const scoops = formQuestion('How many?', { scoops: { type: 'integer', minimum: 1, maximum: 3 } }, ['scoops'])
    expect(await send(scoops, { action: 'accept', content: { scoops: 2 } })).toEqual({ action: 'accept', content: { scoops: 2 } })
    expect(await send(scoops, { action: 'accept', content: {} })).toEqual({ action: 'cancel' })
    expect(formOf({ scoops: { type: 'integer', minimum: 1, maximum: 3 } }).fields).toMatchObject([{ kind: 'integer', minimum: 1, maximum: 3 }])
  })

  test('B17, B28: decline, cancel and accept reach the server as they are, and only accept has content', async () => {
    const name = formQuestion('Who?', { name: { type: 'string' } }, ['name'])
    expect([
      await send(name, { action: 'decline' }),
      await send(name, { action: 'cancel' }),
      await send(name, { action: 'accept', content: { name: 'Ada' } }),
    ]).toEqual([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { name: 'Ada' } }])
  })

  test('B34: a form without fields is a question with yes and no, and yes sends an empty content', async () => {
    const buy = formQuestion('Buy 1 bread for 5.00?', {})
    expect(await send(buy, { action: 'accept', content: {} })).toEqual({ action: 'accept', content: {} })
    expect(await send(buy, { action: 'cancel' })).toEqual({ action: 'cancel' })
  })

  test('B29: an accept without content is an empty one: defaults are filled in, and nothing crashes', async () => {
    const answers = [{ when: { request: 'elicitation' }, then: { action: 'accept' } }]
    const sent: unknown[] = []
    for (const properties of [{ n: { type: 'integer', default: 5 } }, {}]) {
      const setting = await withAnswers({ era, server: { tools: { run: [formQuestion('Sure?', properties)] } }, answers })
      await setting.call('run')
      sent.push(answersOf(setting)[0])
    }
    expect(sent).toEqual([
      { action: 'accept', content: { n: 5 } },
      { action: 'accept', content: {} },
    ])
  })

  test('B16: a question that is taken back makes room at once for the next one', async () => {
    const setting = await withPerson({
      era,
      server: { tools: { run: [formQuestion('First', {})], next: [formQuestion('Next', {})] } },
      decide: () => undefined,
    })
    const asker = new AbortController()
    const first = nextReview(setting.inbox, 'form')
    const call = setting.call('run', { signal: asker.signal }).catch(() => 'over')
    await first
    asker.abort()
    await call
    const second = nextReview(setting.inbox, 'form')
    const other = setting.call('next')
    const review = await second
    const waiting = setting.inbox.list().map(({ id }) => id)
    await setting.inbox.decide(review.id, { action: 'decline' }, 'a screen')
    await other

    expect(waiting).toEqual([review.id])
    expect(await setting.inbox.decide((await first).id, { action: 'accept', content: {} }, 'a screen')).toMatchObject({ status: 'ended' })
  })
})

test('B25: options behind a reference are options, and free text does not pass', async () => {
  const schema = { type: 'object', $defs: { P: { enum: ['low', 'high'], type: 'string' } }, properties: { p: { $ref: '#/$defs/P' } }, required: ['p'] }
  expect(parseForm(schema).fields).toMatchObject([{ kind: 'choice', choices: [{ value: 'low' }, { value: 'high' }] }])
  expect([await outcomeOf(schema, { p: 'banana' }), await outcomeOf(schema, { p: 'high' })]).toEqual([['p'], { p: 'high' }])
})

test('B26: every spelling of options shows titles and sends values', async () => {
  const form = formOf({
    inferred: {
      oneOf: [
        { const: 'low', title: 'Low Priority' },
        { const: 'high', title: 'High Priority' },
      ],
    },
    legacy: { type: 'string', enum: ['#f00', '#0f0'], enumNames: ['Red', 'Green'] },
    short: { type: 'string', enum: ['a', 'b'], enumNames: ['First'] },
  })
  const labels = form.fields.map((field) => (field.kind === 'choice' ? field.choices.map(({ value, label }) => [value, label]) : []))
  expect(labels).toEqual([
    [
      ['low', 'Low Priority'],
      ['high', 'High Priority'],
    ],
    [
      ['#f00', 'Red'],
      ['#0f0', 'Green'],
    ],
    [
      ['a', 'First'],
      ['b', 'b'],
    ],
  ])
  const result = await readValues(form, { inferred: 'Low Priority', legacy: '#f00', short: 'First' }, { matchPattern })
  expect(result.ok ? [] : result.faults.map(({ field }) => field)).toEqual(['inferred', 'short'])
})

test('B29: an accept without content for a required field is no answer', async () => {
  expect(await outcomeOf({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] })).toEqual(['n'])
})

test('B31: a field left blank is left out; blanks that somebody typed are kept and held to the format', async () => {
  expect([
    await typed({ type: 'string', format: 'email' }, ''),
    await typed({ type: 'string', minLength: 3 }, ''),
    await typed({ type: 'string', format: 'email' }, '  '),
    await typed({ type: 'string' }, '  '),
  ]).toEqual(['out', 'out', 'refused', '  '])
})

test.each<[JsonObject, readonly (readonly [string, unknown])[]]>([
  [
    { type: 'integer' },
    [
      ['42xyz', 'refused'],
      ['3.0', 3],
      ['3.5', 'refused'],
      ['1e3', 1000],
      ['９', 'refused'],
      ['9007199254740993', 'refused'],
      ['', 'out'],
      [' 7 ', 7],
    ],
  ],
  [
    { type: 'number' },
    [
      ['1.5', 1.5],
      ['1e400', 'refused'],
      ['-0', 0],
      ['NaN', 'refused'],
    ],
  ],
])('B32: what is typed into %j is a number as a whole, or none', async (schema, cases) => {
  const outcomes = await Promise.all(cases.map(async ([text]) => [text, await typed(schema, text)] as const))
  expect(outcomes.map(([text, value]) => [text, value === 0 ? 0 : value])).toEqual(cases.map(([text, value]) => [text, value]))
})

test('B35: a schema needs no title, no description, no required, and may name its dialect; one we do not know is refused', () => {
  const named = (dialect: string) => ({ $schema: dialect, type: 'object', properties: { name: { type: 'string' } } })
  expect(parseForm(named('https://json-schema.org/draft/2020-12/schema')).fields).toMatchObject([{ name: 'name', label: 'name', required: false }])
  expect(() => parseForm(named('http://json-schema.org/draft-04/schema#'))).toThrow(expect.objectContaining({ code: 'FORM_SCHEMA_INVALID' }))
})

test('B37: what cannot be drawn is refused by name; a nullable text is an optional text, and null is never sent', async () => {
  const refused = [{ a: { type: 'object', properties: { x: { type: 'string' } } } }, { a: { type: 'array', items: { type: 'object' } } }]
  for (const properties of refused) expect(() => formOf(properties)).toThrow(expect.objectContaining({ data: expect.objectContaining({ field: 'a' }) }))
  expect(() => parseForm({ type: 'string' })).toThrow(expect.objectContaining({ code: 'FORM_SCHEMA_INVALID' }))
  const nullable = { type: 'object', properties: { v: { type: ['string', 'null'] }, w: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }
  expect(await outcomeOf(nullable, { v: null, w: null })).toEqual({})
})

test('B38: a format that nobody knows is an annotation, and one that says password is a warning', () => {
  const form = formOf({
    number: { type: 'integer', format: 'int32' },
    when: { type: 'string', format: 'date-time' },
    p: { type: 'string', format: 'password' },
  })
  expect([form.fields.map(({ kind }) => kind), findSecrets(form)]).toEqual([['integer', 'text', 'text'], ['p']])
})

test.each<[string, string, readonly string[]]>([
  ['https://login.bank.example@evil.example/x', 'evil.example', ['userinfo']],
  ['https://аpple.com/', 'xn--pple-43d.com', ['punycode']],
])('B40: %s shows the host that would be opened, with its warnings', (url, host, codes) => {
  const card = readUrl(url)
  expect([card.host, codes.filter((code) => !card.warnings.some((warning) => warning.code === code))]).toEqual([host, []])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', 'ms-settings:x', 'https://x\n.example', ''])(
  'B41: %j is refused, and never a link',
  (url) => {
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }))
  },
)

test('B41: an address without encryption is shown with a warning, one of this machine without', () => {
  const codes = (url: string): readonly string[] => readUrl(url).warnings.map(({ code }) => code)
  expect([codes('HTTP://10.0.0.5/'), codes('http://127.0.0.1:8123/cb')]).toEqual([expect.arrayContaining(['not-https']), []])
})

test('B44: a key that a form asks for is marked by name, and what only sounds like one is not', () => {
  const secretsOf = (properties: JsonObject): readonly string[] => findSecrets(formOf(properties))
  expect(secretsOf({ apiKey: { type: 'string' }, region: { type: 'string', enum: ['eu', 'us'] } })).toEqual(['apiKey'])
  expect(secretsOf({ username: { type: 'string' }, email: { type: 'string' }, tokenCount: { type: 'integer' } })).toEqual([])
})
