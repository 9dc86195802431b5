import { expect, test } from 'vitest'
import { describeConstraint } from './describe-constraint.ts'
import { parseForm } from './parse-form.ts'

test.each([
  [{ type: 'string' }, ''],
  [{ type: 'string', minLength: 3, maxLength: 50 }, '3 to 50 characters'],
  [{ type: 'string', minLength: 1 }, 'at least 1 character'],
  [{ type: 'string', maxLength: 5, format: 'email' }, 'at most 5 characters; an e-mail address, such as name@example.com'],
  [{ type: 'string', pattern: '^a' }, 'matching ^a'],
  [{ type: 'string', const: 'I AGREE' }, 'exactly: I AGREE'],
  [{ type: 'integer' }, 'whole number'],
  [{ type: 'integer', minimum: 1, maximum: 3 }, 'whole number from 1 to 3'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 9, multipleOf: 0.01 }, 'number above 0 and of at most 9; a multiple of 0.01'],
  [{ type: 'number', minimum: 5, exclusiveMinimum: 0 }, 'number of at least 5'],
  [{ enum: ['a', 'b'] }, 'one of: a, b'],
  [{ enum: Array.from({ length: 14 }, (_, index) => `o${index}`) }, `one of: ${Array.from({ length: 12 }, (_, index) => `o${index}`).join(', ')}, and 2 more`],
  [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 }, 'pick 1 to 2; one of: a, b'],
  [{ type: 'array', items: { type: 'string', format: 'date' }, uniqueItems: true }, 'all different; each a date, such as 2026-03-01'],
  [{ type: 'string', const: 5 }, 'no value fits, leave it out'],
])('%j is described as "%s"', (schema, words) => {
  expect(parseForm({ type: 'object', properties: { f: schema } }).fields.map((field) => describeConstraint(field))).toEqual([words])
})

test('choices that are drawn anyway are not said once more', () => {
  const { fields } = parseForm({
    type: 'object',
    properties: {
      seat: { type: 'string', enum: ['window', 'aisle'] },
      meals: { type: 'array', items: { type: 'string', enum: ['vegan', 'halal'] }, maxItems: 1 },
    },
  })

  expect(fields.map((field) => describeConstraint(field, undefined, { areChoicesShown: true }))).toEqual(['', 'pick at most 1'])
})
