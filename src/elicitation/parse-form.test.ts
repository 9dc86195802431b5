import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { matchPattern } from './match-pattern.ts'
import { parseForm } from './parse-form.ts'
import { readValues } from './read-values.ts'

const formOf = (properties: object, more: object = {}): unknown => ({ type: 'object', properties, ...more })

test('every kind of field of the protocol is compiled, in the order of the server', () => {
  const form = parseForm(
    formOf(
      {
        name: { type: 'string', title: 'Your name', description: 'As in your passport', minLength: 3, maxLength: 50, default: 'Ada' },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 18 },
        price: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
        agreed: { type: 'boolean', default: false },
        seat: { type: 'string', enum: ['window', 'aisle'], enumNames: ['Window'] },
        room: {
          oneOf: [
            { const: 'sea', title: 'Sea view' },
            { const: 'city', title: 'City view' },
          ],
        },
        meals: { type: 'array', items: { type: 'string', enum: ['vegan', 'halal'] }, maxItems: 2 },
        tags: { type: 'array', items: { type: 'string', maxLength: 9 }, uniqueItems: true },
      },
      { required: ['name'] },
    ),
  )
  const plain = { required: false }
  expect(form.fields).toEqual([
    {
      kind: 'text',
      name: 'name',
      label: 'Your name',
      description: 'As in your passport',
      required: true,
      minLength: 3,
      maxLength: 50,
      default: 'Ada',
    },
    { ...plain, kind: 'text', name: 'mail', label: 'mail', format: 'email' },
    { ...plain, kind: 'integer', name: 'age', label: 'age', minimum: 18 },
    { ...plain, kind: 'number', name: 'price', label: 'price', exclusiveMinimum: 0, multiplesOf: [0.01] },
    { ...plain, kind: 'boolean', name: 'agreed', label: 'agreed', default: false },
    {
      ...plain,
      kind: 'choice',
      name: 'seat',
      label: 'seat',
      choices: [
        { value: 'window', label: 'Window' },
        { value: 'aisle', label: 'aisle' },
      ],
    },
    {
      ...plain,
      kind: 'choice',
      name: 'room',
      label: 'room',
      choices: [
        { value: 'sea', label: 'Sea view' },
        { value: 'city', label: 'City view' },
      ],
    },
    {
      ...plain,
      kind: 'multiple-choice',
      name: 'meals',
      label: 'meals',
      choices: [
        { value: 'vegan', label: 'vegan' },
        { value: 'halal', label: 'halal' },
      ],
      maxItems: 2,
    },
    {
      ...plain,
      kind: 'text-list',
      name: 'tags',
      label: 'tags',
      each: { ...plain, kind: 'text', name: 'tags', label: 'tags', maxLength: 9 },
      uniqueItems: true,
    },
  ])
})

const sound: readonly (readonly [string, object, object])[] = [
  ['a nullable type is an optional field', { type: ['string', 'null'], maxLength: 3 }, { kind: 'text', maxLength: 3 }],
  ['a branch with null is an optional field', { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }] }, { kind: 'integer', minimum: 1 }],
  ['keywords beside a nullable branch count', { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], minLength: 2 }, { kind: 'text', minLength: 2 }],
  ['null in a nullable list of options is dropped', { type: ['string', 'null'], enum: ['a', null] }, { kind: 'choice', choices: [{ value: 'a', label: 'a' }] }],
  ['so is it where the older spelling says nullable', { type: 'string', nullable: true, enum: ['a', null] }, { choices: [{ value: 'a', label: 'a' }] }],
  [
    'options and null may be branches of one list',
    { anyOf: [{ const: 'a' }, { const: 'b', title: 'B' }, { type: 'null' }] },
    {
      kind: 'choice',
      choices: [
        { value: 'a', label: 'a' },
        { value: 'b', label: 'B' },
      ],
    },
  ],
  ['a reference is followed, and what stands beside it counts', { $ref: '#/$defs/Short', maxLength: 2, title: 'Mine' }, { label: 'Mine', maxLength: 2 }],
  ['two patterns from two places both count', { $ref: '#/$defs/Digits', pattern: '^0' }, { patterns: ['^0', '^\\d+$'] }],
  ['a reference with escapes is followed', { $ref: '#/$defs/a~1b~0c%20d' }, { kind: 'boolean' }],
  ['the only member of allOf is part of the field', { allOf: [{ $ref: '#/$defs/Short' }], default: 'ab' }, { maxLength: 5, default: 'ab' }],
  ['an option may stand behind a reference', { oneOf: [{ $ref: '#/$defs/Low' }] }, { kind: 'choice', choices: [{ value: 'low', label: 'Low' }] }],
  [
    'numbers can be options',
    { type: 'integer', enum: [1, 2] },
    {
      kind: 'choice',
      choices: [
        { value: 1, label: '1' },
        { value: 2, label: '2' },
      ],
    },
  ],
  ['an option that repeats is drawn once', { enum: ['a', 'a'] }, { choices: [{ value: 'a', label: 'a' }] }],
  [
    'options that look alike are told apart by their values',
    { type: 'string', enum: ['acc-1', 'acc-2', 'x'], enumNames: ['Savings', 'Savings ', 'Loan'] },
    {
      choices: [
        { value: 'acc-1', label: 'Savings ("acc-1")' },
        { value: 'acc-2', label: 'Savings  ("acc-2")' },
        { value: 'x', label: 'Loan' },
      ],
    },
  ],
  ['what stands beside a list of options is kept', { type: 'string', enum: ['a', 'bb'], minLength: 2 }, { within: expect.objectContaining({ minLength: 2 }) }],
  ['two lists of options are both held to', { $ref: '#/$defs/Letters', enum: ['b', 'z'] }, { choices: [{ value: 'b', label: 'b' }] }],
  ['two lists without a common option leave nothing', { $ref: '#/$defs/Letters', enum: ['z'] }, { choices: [], unanswerable: true }],
  ['two constants contradict each other', { $ref: '#/$defs/Seven', const: 8 }, { unanswerable: true }],
  ['a constant of another type fits nothing', { type: 'string', const: 5 }, { unanswerable: true }],
  ['two formats contradict each other', { $ref: '#/$defs/Mail', format: 'uri' }, { format: 'uri', unanswerable: true }],
  ['an unknown format is an annotation', { type: 'string', format: 'uuid' }, { kind: 'text' }],
  ['a default that does not fit is none', { type: 'integer', maximum: 3, default: 4 }, { maximum: 3 }],
  ['a default of another type is none', { type: 'string', default: 5 }, { kind: 'text' }],
  ['the outer default counts, even where it does not fit', { $ref: '#/$defs/Defaulted', default: null }, { kind: 'integer' }],
  ['a default behind a reference counts', { $ref: '#/$defs/Defaulted' }, { default: 4 }],
  ['keywords of other types mean nothing', { type: 'string', minimum: 3, items: {}, properties: {} }, { kind: 'text' }],
  ['null with an escape that stands for nothing', { type: 'string', pattern: '\\A\\d+\\Z' }, { kind: 'text' }],
]

const definitions = {
  $defs: {
    Short: { type: 'string', maxLength: 5, title: 'Theirs' },
    Digits: { type: 'string', pattern: '^\\d+$' },
    'a/b~c d': { type: 'boolean' },
    Low: { const: 'low', title: 'Low' },
    Letters: { type: 'string', enum: ['a', 'b'] },
    Seven: { type: 'integer', const: 7 },
    Mail: { type: 'string', format: 'email' },
    Defaulted: { type: 'integer', default: 4 },
    UnusedAndComplex: { type: 'object', properties: { x: { not: { type: 'string' } } }, patternProperties: { '^x': true } },
  },
}

test.each(sound)('%s', (_, schema, expected) => {
  const [field] = parseForm(formOf({ f: schema }, definitions)).fields
  expect(field).toMatchObject({ name: 'f', ...expected })
  if (!('default' in expected)) expect(field).not.toHaveProperty('default')
  if (!('unanswerable' in expected)) expect(field).not.toHaveProperty('unanswerable')
  if (!('patterns' in expected)) expect(field).not.toHaveProperty('patterns')
})

const refused: readonly (readonly [string, unknown, string | undefined])[] = [
  ['no type', formOf({ f: {} }), 'f'],
  ['a constant without a type', formOf({ f: { const: 'x' } }), 'f'],
  ['two types', formOf({ f: { type: ['string', 'integer'] } }), 'f'],
  ['two types through a reference', formOf({ f: { $ref: '#/$defs/Short', type: 'integer' } }, definitions), 'f'],
  ['a type that repeats', formOf({ f: { type: ['string', 'string'] } }), 'f'],
  ['an object', formOf({ f: { type: 'object' } }), 'f'],
  ['a list of objects', formOf({ f: { type: 'array', items: { type: 'object' } } }), 'f'],
  ['a list of lists', formOf({ f: { type: 'array', items: { type: 'array', items: { type: 'string' } } } }), 'f'],
  ['a list of anything', formOf({ f: { type: 'array', items: true } }), 'f'],
  ['a list of optional texts', formOf({ f: { type: 'array', items: { type: ['string', 'null'] } } }), 'f'],
  ['a list that is an option', formOf({ f: { type: 'array', items: { type: 'string' }, enum: [['a']] } }), 'f'],
  ['a tuple', formOf({ f: { type: 'array', items: [{ type: 'string' }] } }), 'f'],
  ['mixed options', formOf({ f: { enum: ['a', 1] } }), 'f'],
  ['null as an option of a text', formOf({ f: { type: 'string', enum: ['a', null] } }), 'f'],
  ['only null as an option', formOf({ f: { type: ['string', 'null'], enum: [null] } }), 'f'],
  ['an option that cannot be sent exactly', formOf({ f: { type: 'integer', enum: [2 ** 53] } }), 'f'],
  ['an option with a branch', formOf({ f: { oneOf: [{ const: 'a', pattern: 'a' }] } }), 'f'],
  ['an option without a value', formOf({ f: { type: 'string', oneOf: [{ title: 'A' }] } }), 'f'],
  ['two names for one value', formOf({ f: { enum: ['y', 'y'], enumNames: ['Approve', 'Reject'] } }), 'f'],
  ['branches of types', formOf({ f: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }), 'f'],
  ['two members of allOf', formOf({ f: { allOf: [{ type: 'string' }, { minLength: 1 }] } }), 'f'],
  ['an assertion that no form can show', formOf({ f: { type: 'string', not: { const: 'x' } } }), 'f'],
  ['an assertion behind a reference', formOf({ f: { $ref: '#/$defs/N' } }, { $defs: { N: { type: 'string', if: true } } }), 'f'],
  ['a keyword of the wrong type', formOf({ a: { type: 'string' }, f: { type: 'string', title: 5 } }), 'f'],
  ['a keyword of the wrong type in an unused definition', formOf({}, { $defs: { N: { type: 'text' } } }), undefined],
  ['a keyword of the wrong type behind a pointer to anywhere', formOf({ f: { $ref: '#/x-types/N' } }, { 'x-types': { N: { type: 'text' } } }), 'f'],
  ['draft-04 bounds', formOf({ f: { type: 'number', minimum: 0, exclusiveMinimum: true } }), 'f'],
  ['an inherited name behind a pointer', formOf({ f: { $ref: '#/$defs/toString' } }, definitions), 'f'],
  ['a reference that is only a name', formOf({ f: { $ref: 'Short' } }, definitions), 'f'],
  ['a reference to its own parent', formOf({ f: { $ref: '#/properties/f' } }), 'f'],
  ['a required field that does not exist', formOf({ a: { type: 'string' } }, { required: ['ghost'] }), 'ghost'],
  ['a required field that is only inherited', formOf({ a: { type: 'string' } }, { required: ['toString'] }), 'toString'],
  ['a field named __proto__', formOf(JSON.parse('{"__proto__":{"type":"string"}}') as object), '__proto__'],
  ['a schema of true for a field', formOf({ f: 5 }), 'f'],
  ['another dialect', formOf({}, { $schema: 'http://json-schema.org/draft-04/schema#' }), undefined],
  ['another dialect inside a field', formOf({ f: { type: 'string', $schema: 'urn:mine' } }), 'f'],
  ['a reference at the root', formOf({}, { $ref: '#/$defs/Short', ...definitions }), undefined],
  ['no properties', { type: 'object' }, undefined],
  ['properties that are only inherited', Object.create({ type: 'object', properties: {} }) as unknown, undefined],
]

test.each(refused)('a schema with %s is refused', (name, schema, field) => {
  try {
    parseForm(schema)
    expect.unreachable(name)
  } catch (error) {
    expect(error).toBeInstanceOf(ConsentryError)
    expect((error as ConsentryError).code).toBe('FORM_SCHEMA_INVALID')
    if (field !== undefined) expect((error as ConsentryError).data).toEqual({ field })
  }
})

test('a pattern that ECMA-262 does not know is set aside with a note, and a usable one beside it stays', () => {
  const form = parseForm(formOf({ f: { $ref: '#/$defs/Digits', pattern: '(?P<year>\\d{4})' } }, definitions))
  expect(form.fields[0]).toMatchObject({ patterns: ['^\\d+$'] })
  expect(form.notes).toEqual([{ key: 'pattern-skipped', facts: { field: 'f' }, sentence: expect.stringContaining('of "f" is') }])
})

test('a schema nested 100,000 deep is refused, not followed into the ground', () => {
  let schema: object = { type: 'string' }
  for (let depth = 0; depth < 100_000; depth += 1) schema = { type: 'object', properties: { a: schema } }
  expect(() => parseForm(schema)).toThrow(ConsentryError)
})

test('a chain of 5,000 references is refused', () => {
  const $defs = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]))
  expect(() => parseForm(formOf({ f: { $ref: '#/$defs/d0' } }, { $defs }))).toThrow('references follow one another')
})

test('a large list of options behind many references is read once', () => {
  const $defs = { Big: { type: 'string', enum: Array.from({ length: 20_000 }, (_, index) => `o${index}`) } }
  const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, { $ref: '#/$defs/Big', default: 'o9' }]))
  const { fields } = parseForm(formOf(properties, { $defs }))
  const lists = new Set(fields.map((field) => (field.kind === 'choice' ? field.choices : undefined)))
  expect([fields.length, lists.size]).toEqual([2000, 1])
})

test('large lists of options that must be compared with each other, again and again, are refused', () => {
  const big = Array.from({ length: 10_000 }, (_, index) => `o${index}`)
  const $defs = { Big: { type: 'string', enum: big, $ref: '#/$defs/Other' }, Other: { enum: big.toReversed() } }
  const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, { $ref: '#/$defs/Big' }]))
  expect(() => parseForm(formOf(properties, { $defs }))).toThrow('too large')
})

const large = 'x'.repeat(300_000)
const manyTexts = Array.from({ length: 40_000 }, (_, index) => `o${index}`)

/** Something large behind a reference, which 2,000 fields share. */
const shared: readonly (readonly [string, object])[] = [
  ['a long pointer', { A: { $ref: `#/$defs/${large}` }, [large]: { type: 'string' } }],
  ['a long text as default', { A: { type: 'string', format: 'email', default: large } }],
  ['a long list as default', { A: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: manyTexts } }],
  ['a long list as constant', { A: { type: 'array', items: { type: 'string' }, const: manyTexts } }],
  ['a long pattern', { A: { type: 'string', pattern: large, default: 'a' } }],
  ['a long title and description', { A: { type: 'string', title: large, description: `${large} password` } }],
  ['many unknown keywords', { A: { type: 'string', ...Object.fromEntries(manyTexts.map((name) => [name, 1])) } }],
  ['many options', { A: { type: 'string', enum: manyTexts, default: 'o9' } }],
  [
    'references that fork',
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i ? `A${i}` : 'A', { $ref: `#/$defs/A${i + 1}`, allOf: [{ $ref: `#/$defs/A${i + 1}` }] }])),
  ],
]

test.each(shared)('%s, shared by 2,000 fields, costs no more than once', async (_, $defs) => {
  const schema: unknown = JSON.parse(
    JSON.stringify(formOf(Object.fromEntries(Array.from({ length: 2000 }, (__, index) => [`f${index}`, { $ref: '#/$defs/A' }])), { $defs })),
  )
  try {
    const form = parseForm(schema)
    await readValues(form, { f0: 'a' }, { matchPattern })
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORM_SCHEMA_INVALID' })
  }
})
