import { expect, test } from 'vitest'
import { matchPattern } from './match-pattern.ts'
import { parseForm } from './parse-form.ts'
import { readTyped } from './read-typed.ts'
import { readField } from './read-values.ts'

const { fields } = parseForm({
  type: 'object',
  properties: {
    whole: { type: 'integer' },
    number: { type: 'number' },
    text: { type: 'string' },
    list: { type: 'array', items: { type: 'string' } },
  },
})

test.each([
  [0, '42xyz', 'fault'],
  [0, '3.0', 3],
  [0, '3.5', 'fault'],
  [0, '1e3', 1000],
  [0, '９', 'fault'],
  [0, '9007199254740993', 'fault'],
  [0, '', null],
  [0, ' 7 ', 7],
  [0, '  ', null],
  [0, '0x10', 'fault'],
  [0, '007', 'fault'],
  [1, '1.5', 1.5],
  [1, '1e400', 'fault'],
  [1, '-0', -0],
  [1, 'NaN', 'fault'],
  [1, '1,5', 'fault'],
  [2, ' 7 ', ' 7 '],
  [2, '', null],
  [3, 'a\nb\n', ['a', 'b']],
])('field %i, typed %j, becomes %j', async (index, typed, expected) => {
  const field = fields[index]!
  const value = readTyped(field, typed)
  const fault = await readField(field, value, { matchPattern })
  expect(fault ? 'fault' : value).toEqual(expected)
})
