import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { Form } from '../protocol/index.ts'
import { matchPattern } from './match-pattern.ts'
import { parseForm } from './parse-form.ts'
import { readField, readValues, settleDefaults } from './read-values.ts'

const needs = { matchPattern }

function formOf(properties: object, required: readonly string[] = []): Form {
  return parseForm({ type: 'object', properties, required })
}

/** What becomes of one value: the value that would be sent, `out` where nothing would, or the problem. */
async function outcomeOf(schema: object, content: string, required = false): Promise<unknown> {
  const result = await readValues(formOf({ f: schema }, required ? ['f'] : []), JSON.parse(content), needs)
  return result.ok ? (Object.hasOwn(result.values, 'f') ? result.values['f'] : 'out') : result.faults.map(({ problem }) => problem).join()
}

const outcomes: readonly (readonly [string, object, string, unknown])[] = [
  ['a text is sent exactly as given', { type: 'string' }, '{"f":"  a\\u0000\\r\\n ﬁ"}', '  a\u0000\r\n ﬁ'],
  ['an empty text is an answer', { type: 'string' }, '{"f":""}', ''],
  ['a number is no text', { type: 'string' }, '{"f":2}', 'not-a-text'],
  ['characters are counted, not UTF-16 units', { type: 'string', minLength: 3, maxLength: 3 }, '{"f":"😀😀😀"}', '😀😀😀'],
  ['two characters are too short for three', { type: 'string', minLength: 3 }, '{"f":"😀😀"}', 'too-short'],
  ['half of a character is no text to send', { type: 'string' }, '{"f":"a\\ud83d"}', 'half-character'],
  ['half of a character in a list is found', { type: 'array', items: { type: 'string' } }, '{"f":["a","\\ude00"]}', 'half-character'],
  ['half of a character that the server offers goes back as it came', { enum: ['\ud83d', 'b'] }, '{"f":"\\ud83d"}', '\ud83d'],
  ['four characters are too long for three', { type: 'string', maxLength: 3 }, '{"f":"abcd"}', 'too-long'],
  ['a text is no number', { type: 'number' }, '{"f":"1.5"}', 'not-a-number'],
  ['infinity is no number', { type: 'number' }, '{"f":1e400}', 'not-a-number'],
  ['1e3 is a whole number', { type: 'integer' }, '{"f":1e3}', 1000],
  ['3.5 is no whole number', { type: 'integer' }, '{"f":3.5}', 'not-a-whole-number'],
  ['a whole number beyond 2^53-1 would arrive as another', { type: 'integer' }, '{"f":9007199254740993}', 'number-too-large'],
  ['19.99 is a multiple of 0.01', { type: 'number', multipleOf: 0.01 }, '{"f":19.99}', 19.99],
  ['0.3 is a multiple of 0.1', { type: 'number', multipleOf: 0.1 }, '{"f":0.3}', 0.3],
  ['1e300 is a multiple of 1e-300', { type: 'number', multipleOf: 1e-300 }, '{"f":1e300}', 1e300],
  ['19.995 is no multiple of 0.01', { type: 'number', multipleOf: 0.01 }, '{"f":19.995}', 'not-a-multiple'],
  ['0 is above no exclusive minimum of 0', { type: 'number', exclusiveMinimum: 0 }, '{"f":0}', 'not-above'],
  ['1 is no yes', { type: 'boolean' }, '{"f":1}', 'not-yes-or-no'],
  ['a title is no option', { oneOf: [{ const: 'a', title: 'A' }] }, '{"f":"A"}', 'not-an-option'],
  ['an option is held to what stands beside the list', { enum: ['a', 'bb'], minLength: 2 }, '{"f":"a"}', 'too-short'],
  ['the same pick twice is refused', { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: false }, '{"f":["a","a"]}', 'picked-twice'],
  ['the order of picks is kept', { type: 'array', items: { enum: ['a', 'b'] } }, '{"f":["b","a"]}', ['b', 'a']],
  ['the same text twice is fine in a list', { type: 'array', items: { type: 'string' } }, '{"f":["a","a"]}', ['a', 'a']],
  ['unless all must be different', { type: 'array', items: { type: 'string' }, uniqueItems: true }, '{"f":["a","a"]}', 'listed-twice'],
  ['each text of a list is held to its own bounds', { type: 'array', items: { type: 'string', format: 'date' } }, '{"f":["2026-02-29"]}', 'wrong-format'],
  ['a list is held to its constant', { type: 'array', items: { type: 'string' }, const: ['a'] }, '{"f":["b"]}', 'not-the-constant'],
  ['a bare pick is no list', { type: 'array', items: { enum: ['a'] } }, '{"f":"a"}', 'not-a-list'],
  ['a default fills what is left out', { type: 'integer', default: 0 }, '{}', 0],
  ['a cleared field gets no default back', { type: 'integer', default: 0 }, '{"f":null}', 'out'],
  ['a wrong value gets no default in its place', { type: 'integer', default: 0 }, '{"f":"0"}', 'not-a-number'],
  ['a default that does not match its pattern is none', { type: 'string', pattern: '^b', default: 'a' }, '{}', 'out'],
  ['a constant is not filled in', { type: 'string', const: 'I AGREE' }, '{}', 'out'],
  ['a contradiction can stay out', { type: 'string', minLength: 3, maxLength: 2 }, '{}', 'out'],
  ['a pattern is unanchored', { type: 'string', pattern: '\\d{3}' }, '{"f":"gate 117"}', 'gate 117'],
  ['a pattern that is not matched is a fault', { type: 'string', pattern: '^\\d+$' }, '{"f":"12a"}', 'pattern-not-matched'],
  ['a pattern that only compiles without the u flag counts', { type: 'string', pattern: '^[\\w-_]+\\-$' }, '{"f":"a-"}', 'a-'],
  ['a pattern of another language is not misread', { type: 'string', pattern: '^\\p{Alpha}\\z' }, '{"f":"1"}', '1'],
]

test.each(outcomes)('%s', async (_, schema, content, expected) => {
  expect(await outcomeOf(schema, content)).toEqual(expected)
})

test('a required field without value or default is refused, cleared or not', async () => {
  expect([await outcomeOf({ type: 'string' }, '{}', true), await outcomeOf({ type: 'string', default: 'a' }, '{"f":null}', true)]).toEqual([
    'missing',
    'missing',
  ])
})

test('every bad field is named, and so is every field that was not asked for', async () => {
  const form = formOf({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'string' } }, ['a'])
  const result = await readValues(form, JSON.parse('{"b":"2","c":"fine","z":null,"__proto__":{"admin":true},"toString":"x"}'), needs)
  expect(result).toEqual({
    ok: false,
    faults: [
      { field: 'a', problem: 'missing', message: 'is required: nothing was filled in' },
      { field: 'b', problem: 'not-a-number', message: 'must be a number, written as a number' },
      { field: 'z', problem: 'not-asked', message: expect.any(String) },
      { field: '__proto__', problem: 'not-asked', message: expect.any(String) },
      { field: 'toString', problem: 'not-asked', message: expect.any(String) },
    ],
  })
})

test('names that every object inherits are neither given nor carried', async () => {
  const form = formOf({ constructor: { type: 'string' }, toString: { type: 'string' } }, ['constructor'])
  expect(await readValues(form, {}, needs)).toMatchObject({ ok: false, faults: [{ field: 'constructor' }] })
  const result = await readValues(form, { constructor: 'v' }, needs)
  expect(result).toEqual({ ok: true, values: Object.assign(Object.create(null), { constructor: 'v' }) })
})

test('an accept without content is an empty one', async () => {
  expect(await readValues(formOf({ n: { type: 'integer', default: 5 } }), undefined, needs)).toMatchObject({ ok: true, values: { n: 5 } })
})

test.each([[null], ['text'], [[]], [7]])('content that is no object is a fault: %j', async (content) => {
  expect(await readValues(formOf({}), content, needs)).toMatchObject({ ok: false, faults: [{ problem: 'not-an-object' }] })
})

test('a fault never tells the value', async () => {
  const canary = 'canary-4711'
  const form = formOf({
    a: { type: 'string', maxLength: 2 },
    b: { type: 'integer' },
    c: { enum: ['x'] },
    d: { type: 'string', format: 'email' },
    e: { type: 'array', items: { enum: ['x'] } },
    f: { type: 'string', pattern: '^x$' },
  })
  const result = await readValues(form, { a: canary, b: canary, c: canary, d: canary, e: [canary], f: canary, g: canary }, needs)
  expect(result.ok ? [] : result.faults.map(({ field }) => field)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  expect(JSON.stringify(result)).not.toContain(canary)
})

test('one field can be checked while somebody types', async () => {
  const [field] = formOf({ f: { type: 'array', items: { type: 'string', pattern: '^a' } } }, ['f']).fields
  const check = async (value: unknown): Promise<unknown> => (await readField(field!, value, needs))?.message
  expect([await check(['a']), await check(null), await check(['a', 'b'])]).toEqual([
    undefined,
    'is required: nothing was filled in',
    'entry 2 is not of the form that is asked for (see its pattern)',
  ])
})

test('a default that does not match its own pattern is gone before a person sees the form', async () => {
  const form = formOf({ a: { type: 'string', pattern: '^b', default: 'a' }, b: { type: 'string', pattern: '^b', default: 'b' } })
  const settled = await settleDefaults(form, needs)
  expect(settled.fields.map((field) => field.default)).toEqual([undefined, 'b'])
})

const evil = { type: 'string', pattern: '^(a+)+$' } as const
const bomb = `${'a'.repeat(60)}!`

test('a pattern that explodes counts as not matched, within a second', async () => {
  const form = formOf({ evil, other: { type: 'string', maxLength: 2 } })
  const result = await readValues(form, { evil: bomb, other: 'fine' }, needs)
  expect(result.ok ? [] : result.faults.map(({ field, problem }) => [field, problem])).toEqual([
    ['evil', 'pattern-not-decided'],
    ['other', 'too-long'],
  ])
})

test('a form of 200 exploding patterns is decided within the same second', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
  const form = formOf(Object.fromEntries(names.map((name, index) => [name, { type: 'string', pattern: `^(a+)+${index}$` }])))
  const result = await readValues(form, Object.fromEntries(names.map((name) => [name, bomb])), needs)
  expect(result.ok ? 0 : result.faults.length).toBe(200)
})

const anyJson = fc.json().map((text) => JSON.parse(text) as unknown)
const keyword = fc.constantFrom(
  ...'type enum const title description default format pattern minLength maxLength minimum maximum multipleOf items minItems maxItems uniqueItems'.split(' '),
  ...'anyOf oneOf allOf $ref enumNames required properties $schema not __proto__'.split(' '),
)
const anySchema = fc.letrec((tie) => ({
  schema: fc.dictionary(
    keyword,
    fc.oneof({ depthSize: 'small' }, fc.constantFrom('string', 'array', 'integer', '#', '#/properties/a'), anyJson, tie('schema'), fc.array(tie('schema'))),
    {
      maxKeys: 5,
    },
  ),
})).schema

test('whatever a server sends as a schema is compiled or refused by name, never a crash', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyJson,
        anySchema.map((a) => ({ type: 'object', properties: { a } })),
      ),
      (schema) => {
        try {
          parseForm(schema)
        } catch (error) {
          if (!(error instanceof ConsentryError) || error.code !== 'FORM_SCHEMA_INVALID') throw error
        }
      },
    ),
    { numRuns: 3000 },
  )
}, 120_000)

const text = fc.string({ unit: 'binary', maxLength: 5 })
const fieldSchema = fc.oneof(
  fc.record(
    { type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.nat(5), format: fc.constantFrom('date', 'x'), default: text },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: fc.constantFrom('integer', 'number'), minimum: fc.integer(), multipleOf: fc.constantFrom(1, 0.1, 3), default: fc.double() },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(text, { minLength: 1 }), default: text }, { requiredKeys: ['type', 'enum'] }),
  fc.record(
    { type: fc.constant('array'), items: fc.constant({ type: 'string' }), maxItems: fc.nat(3), default: fc.array(text) },
    { requiredKeys: ['type', 'items'] },
  ),
)
const value = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.array(text), fc.constant(null), anyJson)

test('what is sent is what was given and the defaults of what was left out, as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(text, fieldSchema, { maxKeys: 4 }),
      fc.dictionary(text, value, { maxKeys: 3 }),
      fc.infiniteStream(value),
      async (properties, strangers, stream) => {
        if (Object.hasOwn(properties, '__proto__')) return
        const form = formOf(properties)
        const answers = form.fields.filter((_, index) => index % 2 === 0).map(({ name }): readonly [string, unknown] => [name, stream.next().value])
        const content: unknown = JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(strangers), ...answers])))
        const result = await readValues(form, content, needs)
        if (!result.ok) return
        const given = Object.entries(content as object).filter(([, answer]) => answer !== null)
        const left = form.fields.filter(({ name }) => !Object.hasOwn(content as object, name) && properties[name] !== undefined)
        const defaults = left.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default] as const]))
        expect(JSON.parse(JSON.stringify(result.values))).toEqual(JSON.parse(JSON.stringify(Object.fromEntries([...given, ...defaults]))))
      },
    ),
    { numRuns: 1000 },
  )
}, 120_000)
