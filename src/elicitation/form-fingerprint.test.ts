import { expect, test } from 'vitest'
import { fingerprintOf } from './form-fingerprint.ts'

const seat = { type: 'object', properties: { seat: { type: 'string', title: 'Seat', enum: ['a', 'b'] } } }

test('a form keeps its fingerprint whatever the order of its keys', () => {
  const turned = { properties: { seat: { enum: ['a', 'b'], title: 'Seat', type: 'string' } }, type: 'object' }
  expect(fingerprintOf({ schema: turned })).toBe(fingerprintOf({ schema: seat }))
  expect(fingerprintOf({ schema: seat })).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['another title', { type: 'object', properties: { seat: { type: 'string', title: 'Card number', enum: ['a', 'b'] } } }],
  ['a description more', { type: 'object', properties: { seat: { type: 'string', title: 'Seat', description: 'and you agree', enum: ['a', 'b'] } } }],
  ['another order of choices', { type: 'object', properties: { seat: { type: 'string', title: 'Seat', enum: ['b', 'a'] } } }],
  ['a field more', { type: 'object', properties: { ...seat.properties, note: { type: 'string' } } }],
  ['a field that is required now', { ...seat, required: ['seat'] }],
])('%s is another form', (_, schema) => {
  expect(fingerprintOf({ schema })).not.toBe(fingerprintOf({ schema: seat }))
})

test('a schema that is too long or too deep has none', () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as never
  expect([fingerprintOf({ schema: { ...seat, 'x-deep': deep } }), fingerprintOf({ schema: { ...seat, 'x-long': 'x'.repeat(200_000) } })]).toEqual([
    undefined,
    undefined,
  ])
})
