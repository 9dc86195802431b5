import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchPattern, parseForm, readValues } from '../../src/elicitation/index.ts'
import { ConsentryError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/index.ts'

/** More for a long look: `FUZZ_RUNS=100000 npx vitest run test/conformance/form-oracle.test.ts`. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 1500)

const word = fc.constantFrom('', 'a', 'b', 'ab', 'abc', 'A1', '1', '-1', 'é', '😀', '한국어', '__proto__', 'toString', 'a b', 'true', 'null')
const name = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 3 })).filter((one) => one !== '__proto__')
const count = fc.integer({ min: 0, max: 4 })
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.1, 0.3, 1.5, -0, 1e21, 2 ** 53 - 1, 2 ** 53, 1e300))
const pattern = fc.constantFrom('^a', 'b$', '^[a-z]*$', '\\d', '^\\p{L}+$', '^(?:a|ab)+$')
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4 })
const titled = words.map((all) => all.map((value) => ({ const: value, title: `Title of ${value}` })))
const some: { requiredKeys: ['type'] } = { requiredKeys: ['type'] }

const text = fc.record(
  {
    type: fc.constant('string'),
    minLength: count,
    maxLength: count,
    pattern,
    format: fc.constantFrom('email', 'uri', 'date', 'date-time', 'uuid', 'password'),
    const: word,
    default: fc.oneof(word, number),
  },
  some,
)
const anyNumber = fc.record(
  {
    type: fc.constantFrom('number', 'integer'),
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 0.1, 0.5),
    default: fc.oneof(number, word),
  },
  some,
)
const choice = fc.oneof(
  fc.record({ type: fc.constant('string'), enum: words, minLength: count, default: word }, { requiredKeys: ['type', 'enum'] }),
  fc.record({ type: fc.constant('string'), enum: words, enumNames: fc.array(word) }),
  fc.record({ type: fc.constant('string'), oneOf: titled }),
  fc.record({ anyOf: titled }),
  fc.record({ type: fc.constant('integer'), enum: fc.uniqueArray(fc.integer({ min: -3, max: 3 }), { minLength: 1 }) }),
)
const bounds = { minItems: count, maxItems: count, default: fc.array(word, { maxLength: 3 }) }
const list = fc.oneof(
  fc.record({ type: fc.constant('array'), items: fc.record({ type: fc.constant('string'), enum: words }), ...bounds }, { requiredKeys: ['type', 'items'] }),
  fc.record({ type: fc.constant('array'), items: fc.record({ anyOf: titled }), ...bounds }, { requiredKeys: ['type', 'items'] }),
  fc.record({ type: fc.constant('array'), items: text, uniqueItems: fc.boolean(), ...bounds }, { requiredKeys: ['type', 'items'] }),
)
const field: fc.Arbitrary<JsonObject> = fc.oneof(
  text,
  anyNumber,
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, some),
  choice,
  list,
) as never
/** What no form may have: an applicator, a nested object, a reference, or anything at all in the place of a keyword. */
const foreign: fc.Arbitrary<object> = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('not', 'if', 'allOf', 'contains', 'items', '$ref', 'type', 'enum', 'minLength', 'pattern', 'required'), fc.jsonValue())
    .map(([schema, key, value]) => ({ ...schema, [key]: value })),
  fc.record({ type: fc.constant('object'), properties: fc.dictionary(name, field, { maxKeys: 2 }) }),
  fc.record({ $ref: fc.constantFrom('#', '#/properties/a', 'https://x.example/s', '#/$defs/none') }),
)
const value = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 4 }), number, fc.boolean(), fc.array(word, { maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }))

/** Formats are held to the RFCs by tests of their own; the oracle has other ideas of them. */
function withoutFormats(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema, (key, one: unknown) => (key === 'format' ? undefined : one))) as JsonObject
}

test(
  'whatever schema and whatever values come, nothing crashes, and what is sent fits the schema as it came, by another validator too',
  async () => {
    let [refused, faulty, sent] = [0, 0, 0]
    const property = fc.asyncProperty(
      fc.dictionary(name, fc.oneof({ weight: 9, arbitrary: field }, { weight: 1, arbitrary: foreign }), { maxKeys: 4 }),
      fc.array(fc.nat(3), { maxLength: 2 }),
      fc.dictionary(name, value, { maxKeys: 1 }),
      fc.infiniteStream(value),
      async (properties, required, strangers, stream) => {
        const names = Object.keys(properties)
        const schema = { type: 'object', properties, required: [...new Set(required.flatMap((index) => names[index] ?? []))] } as unknown as JsonObject
        const answers = names.filter((_, index) => index % 3 !== 2).map((key) => [key, stream.next().value] as const)
        const content: unknown = JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(strangers), ...answers])))
        try {
          const form = parseForm(schema)
          const result = await readValues(form, content, { matchPattern })
          if (!result.ok) {
            faulty += 1
            const known = new Set([...names, ...Object.keys(content as object)])
            expect(result.faults.filter(({ field: named }) => !known.has(named))).toEqual([])
            return
          }
          sent += 1
          const leaving = JSON.parse(JSON.stringify(result.values)) as JsonObject
          expect(Object.keys(leaving).filter((key) => !names.includes(key) || leaving[key] === null)).toEqual([])
          const decimal = JSON.stringify(schema).includes('multipleOf')
          // The oracle divides in binary, where 0.3 is no multiple of 0.1.
          if (!decimal) expect(new Validator(withoutFormats(schema) as object, '2020-12').validate(leaving).errors).toEqual([])
        } catch (error) {
          if (!(error instanceof ConsentryError) || error.code !== 'FORM_SCHEMA_INVALID') throw error
          refused += 1
        }
      },
    )
    await fc.assert(property, { numRuns })

    expect([refused, faulty, sent].every((number) => number > numRuns / 100)).toBe(true)
  },
  Math.max(120_000, numRuns * 30),
)
