import { expect, test } from 'vitest'
import { ConsentryError, errorCodes } from '../errors.ts'
import { readWireError, serverError, toWireError } from './wire-error.ts'

test.each([
  ['FORM_SCHEMA_INVALID', { field: 'age', value: 'secret' }, { code: -32602, message: 'words', data: { field: 'age' } }],
  ['ELICITATION_INVALID', { path: 'message', reason: 'missing' }, { code: -32602, message: 'words', data: { path: 'message', reason: 'missing' } }],
  ['SAMPLING_INVALID', { path: 'messages[2]' }, { code: -32602, message: 'words', data: { path: 'messages[2]' } }],
  ['URL_REFUSED', undefined, { code: -32602, message: 'words' }],
  ['SAMPLING_DENIED', { path: 'x' }, { code: -1, message: 'User rejected sampling request' }],
  ['FEATURE_NOT_DECLARED', undefined, { code: -32601, message: 'words' }],
  ['NO_ONE_TO_ASK', { file: '/home/u' }, { code: -32603, message: 'Nobody could be asked', data: { reason: 'no-one-to-ask' } }],
  ['NO_ONE_TO_ASK', { reason: 'closed' }, { code: -32603, message: 'The question was closed without an answer', data: { reason: 'closed' } }],
  ['NO_ONE_TO_ASK', { reason: 'toString' }, { code: -32603, message: 'Nobody could be asked', data: { reason: 'toString' } }],
  ['LIMIT_REACHED', undefined, { code: -32603, message: 'A limit that the user set is reached', data: { reason: 'limit-reached' } }],
  [
    'LIMIT_REACHED',
    { retryAfterSeconds: 40, rule: 'rules[0]' },
    { code: -32603, message: 'A limit that the user set is reached', data: { reason: 'limit-reached', retryAfterSeconds: 40 } },
  ],
  ['MODEL_FAILED', { key: 'sk-1' }, { code: -32603, message: 'The model gave no answer', data: { reason: 'model-failed' } }],
  ['INTERNAL', { path: '/home/u' }, { code: -32603, message: 'Internal error' }],
] as const)('%s reaches the server in the numbers of the protocol', (code, data, expected) => {
  const error = new ConsentryError(code, 'words', data && { data })

  expect(toWireError(error)).toEqual(expected)
})

test('every code of ours has a number, and only those that help the server say more than that', () => {
  const said = errorCodes.map((code) => toWireError(new ConsentryError(code, 'a secret of /home/u')))

  expect(said.filter(({ code }) => ![-1, -32601, -32602, -32603].includes(code))).toEqual([])
  expect(said.filter(({ code, message }) => code === -32603 && message.includes('secret'))).toEqual([])
})

test('an error of somebody else says nothing at all', () => {
  expect(toWireError(new Error('password=1'))).toEqual({ code: -32603, message: 'Internal error' })
})

test.each([
  { code: -32042, message: 'need auth', data: { elicitations: [{ url: 'https://x.example' }], vendor: 1 } },
  { code: -32002, message: 'gone', data: { uri: 'file:///a' } },
  { code: 7, message: '' },
  { code: 7, message: 'm', data: null },
])("a server's error keeps its code, message and data: %j", (wire) => {
  expect(toWireError(serverError(wire))).toEqual(wire)
})

test.each([undefined, null, 'x', {}, { code: 1 }, { code: 1.5, message: 'm' }, { code: '1', message: 'm' }, { code: 1, message: 2 }])(
  'what is no error object is not read as one: %j',
  (value) => {
    expect(readWireError(value)).toBeUndefined()
  },
)
