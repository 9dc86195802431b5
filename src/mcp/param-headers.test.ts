import { expect, test } from 'vitest'
import { paramHeaders, readParamHeaders } from './param-headers.ts'

const property = (schema: object): object => ({ type: 'object', properties: { a: schema } })

test('annotated arguments are found at any depth of properties', () => {
  const schema = property({ type: 'object', properties: { b: { type: 'integer', 'x-mcp-header': 'B' } } })

  expect(readParamHeaders(schema)).toEqual([{ name: 'B', path: ['a', 'b'] }])
  expect(readParamHeaders(property({ type: 'string' }))).toEqual([])
  expect(readParamHeaders(undefined)).toEqual([])
})

test.each([
  ['an empty name', property({ type: 'string', 'x-mcp-header': '' })],
  ['a name with a blank', property({ type: 'string', 'x-mcp-header': 'a b' })],
  ['a name with a line break', property({ type: 'string', 'x-mcp-header': 'a\r\nb' })],
  ['a name that is no text', property({ type: 'string', 'x-mcp-header': 7 })],
  ['a number', property({ type: 'number', 'x-mcp-header': 'A' })],
  ['an object', property({ type: 'object', 'x-mcp-header': 'A' })],
  ['the schema itself', { type: 'object', 'x-mcp-header': 'A' }],
  ['items of a list', property({ type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } })],
  ['a branch', { type: 'object', anyOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] }],
  ['a definition', { type: 'object', $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }],
  ['the same name twice', { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } } }],
])('an annotation on %s makes the tool unusable', (_, schema) => {
  expect(readParamHeaders(schema)).toEqual(expect.any(String))
})

test('a schema that is nested without end is refused, not followed', () => {
  let schema: object = { type: 'string' }
  for (let depth = 0; depth < 100_000; depth += 1) schema = { type: 'object', properties: { a: schema } }

  expect(readParamHeaders(schema)).toBe('the schema is nested too deeply')
})

test('an argument whose name or default only looks like the annotation is none', () => {
  expect(readParamHeaders({ type: 'object', properties: { 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 'A' } } } })).toEqual([])
})

test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', '=?base64??='],
  [42, '42'],
  [-7, '-7'],
  [true, 'true'],
])('%j is written as %s', (value, expected) => {
  expect(paramHeaders([{ name: 'V', path: ['v'] }], { v: value })).toEqual({ 'Mcp-Param-V': expected })
})

test.each([undefined, null, 1.5, 2 ** 60, {}, []])('%j has no header', (value) => {
  expect(paramHeaders([{ name: 'V', path: ['v'] }], { v: value })).toEqual({})
})

test('inherited names are no arguments', () => {
  expect(paramHeaders([{ name: 'V', path: ['constructor', 'name'] }], {})).toEqual({})
})
