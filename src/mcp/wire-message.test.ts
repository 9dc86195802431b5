import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idKey, readMessage } from './wire-message.ts'

const kindOf = (value: unknown): string => {
  const reading = readMessage(value)
  return reading.kind === 'broken' ? `broken ${reading.of} ${reading.id === undefined ? 'without id' : JSON.stringify(reading.id)}` : reading.kind
}

test.each([
  [{ jsonrpc: '2.0', id: 0, method: 'ping' }, 'request'],
  [{ jsonrpc: '2.0', id: '', method: 'ping' }, 'request'],
  [{ jsonrpc: '2.0', method: 'ping' }, 'notification'],
  [{ jsonrpc: '2.0', id: null, method: 'ping' }, 'broken request without id'],
  [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, 'broken request without id'],
  [{ jsonrpc: '2.0', id: 1, method: 7 }, 'broken request 1'],
  [{ id: 1, method: 'ping' }, 'broken request 1'],
  [{ jsonrpc: '1.0', id: 'a', method: 'ping' }, 'broken request "a"'],
  [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 'broken request 1'],
  [{ jsonrpc: '2.0', id: 1, method: 'ping', params: null, extra: 1 }, 'request'],
  [{ jsonrpc: '2.0', id: 1, result: {} }, 'response'],
  [{ jsonrpc: '2.0', id: 1, result: null }, 'broken response 1'],
  [{ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'm' } }, 'broken response 1'],
  [{ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } }, 'response'],
  [{ jsonrpc: '2.0', id: 1, error: 'no' }, 'broken response 1'],
  [{ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'x' } }, 'broken response without id'],
  [{ jsonrpc: '2.0', error: { code: -32601, message: 'x' } }, 'broken response without id'],
  [{ jsonrpc: '2.0', id: 1 }, 'broken unknown 1'],
  [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], 'broken unknown without id'],
  ['x', 'broken unknown without id'],
  [null, 'broken unknown without id'],
])('%j is read as: %s', (value, expected) => {
  expect(kindOf(value)).toBe(expected)
})

test('a number and a text are different ids', () => {
  fc.assert(fc.property(fc.integer(), fc.string(), (number, text) => idKey(number) !== idKey(String(number)) && idKey(number) !== idKey(text)))
})

test('no JSON value makes the reading fail', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => typeof readMessage(value).kind === 'string'))
})

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

test.each([
  [100_000, 'request', { id: 1, method: 'roots/list', params: { _meta: { x: nested(100_000) } } }, 'broken request 1'],
  [100_000, 'result', { id: 1, result: { x: nested(100_000) } }, 'broken response 1'],
  [100_000, 'error', { id: 'a', error: { code: 1, message: 'm', data: nested(100_000) } }, 'broken response "a"'],
  [100_000, 'notification', { method: 'n', params: { x: nested(100_000) } }, 'broken unknown without id'],
  [499, 'result', { id: 1, result: { x: nested(499) } }, 'broken response 1'],
  [498, 'result', { id: 1, result: { x: nested(498) } }, 'response'],
])('%d levels in a %s are too deep from 500 on', (_, __, message, expected) => {
  expect(kindOf({ jsonrpc: '2.0', ...message })).toBe(expected)
})
