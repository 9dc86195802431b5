import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEnvelope, type Envelope } from './envelope.ts'
import type { Span } from './json-bytes.ts'

const read = (text: string): Envelope => {
  const bytes = Buffer.from(text)
  return readEnvelope(bytes, { start: 0, end: bytes.length })
}

/** What the envelope says, with its spans read by JSON's own parser. */
function told(text: string): unknown {
  const bytes = Buffer.from(text)
  const valueAt = (span: Span | undefined): unknown => (span === undefined ? undefined : JSON.parse(bytes.toString('utf8', span.start, span.end)))
  const envelope = readEnvelope(bytes, { start: 0, end: bytes.length })
  switch (envelope.kind) {
    case 'request':
      return { kind: 'request', id: envelope.id.value, method: envelope.method, params: valueAt(envelope.params) }
    case 'notification':
      return { kind: 'notification', method: envelope.method, params: valueAt(envelope.params) }
    case 'response':
      return { kind: 'response', id: envelope.id.value, result: valueAt(envelope.result), error: valueAt(envelope.error) }
    case 'refused':
    case 'batch':
    case 'junk':
      return envelope.kind
    default:
      return envelope satisfies never
  }
}

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { kind: 'request', id: 1, method: 'ping', params: undefined }],
  ['{"jsonrpc":"2.0","id":"1","method":"ping"}', { kind: 'request', id: '1', method: 'ping', params: undefined }],
  ['{"jsonrpc":"2.0","id":0,"method":"ping"}', { kind: 'request', id: 0, method: 'ping', params: undefined }],
  ['{"jsonrpc":"2.0","id":"","method":"ping"}', { kind: 'request', id: '', method: 'ping', params: undefined }],
  [' { "params" : {"id":9} , "method" : "a" , "id" : 1.50e1 , "jsonrpc" : "2.0" } ', { kind: 'request', id: 15, method: 'a', params: { id: 9 } }],
  ['{"jsonrpc":"2.0","id":"\\u0061\\/","method":"roots\\/list"}', { kind: 'request', id: 'a/', method: 'roots/list', params: undefined }],
  ['{"jsonrpc":"2.0","method":"x","params":[1,"]",{}]}', { kind: 'notification', method: 'x', params: [1, ']', {}] }],
  ['{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}', { kind: 'response', id: 1, result: { method: 'x' }, error: undefined }],
  ['{"jsonrpc":"2.0","id":-7,"error":{"code":1}}', { kind: 'response', id: -7, result: undefined, error: { code: 1 } }],
])('%s is read as its receiver reads it', (text, wanted) => {
  expect(told(text)).toEqual(wanted)
})

test.each([
  ['two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', 'request', undefined],
  ['two methods', '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', 'request', 1],
  ['an escaped key', '{"jsonrpc":"2.0","id":1,"meth\\u006fd":"a"}', 'request', 1],
  ['a key in capitals, which some parsers take for the same', '{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}', 'request', 1],
  ['a key with a long s', '{"jsonrpc":"2.0","id":1,"method":"a","param\u017f":{}}', 'request', 1],
  ['an escaped id beside the id', '{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"a"}', 'request', undefined],
  ['two results', '{"jsonrpc":"2.0","id":"x","result":{},"result":{}}', 'response', 'x'],
  ['a result and an error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'response', 1],
  ['a method and a result', '{"jsonrpc":"2.0","id":1,"method":"a","result":{}}', 'request', 1],
  ['no version', '{"id":1,"method":"a"}', 'request', 1],
  ['another version', '{"jsonrpc":"1.0","method":"a"}', 'notification', undefined],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 'request', 1],
  ['an id that is none', '{"jsonrpc":"2.0","id":true,"method":"a"}', 'request', undefined],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"a"}', 'request', null],
  ['nothing that it says', '{"jsonrpc":"2.0","id":1}', 'unknown', 1],
])('a line with %s goes no further', (_, text, of, id) => {
  const envelope = read(text)

  expect(envelope.kind === 'refused' && { of: envelope.of, id: envelope.id && envelope.id.value }).toEqual({ of, id })
})

test.each([
  '',
  '   ',
  'Listening on port 3000',
  '{',
  '{}x',
  '{"a"}',
  '{"a":1,}',
  '{"a":}',
  '"text"',
  '{"jsonrpc":"2.0","id":null,"error":{}}',
  '\ufeff{}',
  '{"a":tru}',
  '{"a":+1}',
])('%j is no message', (text) => {
  expect(['junk', 'refused']).toContain(read(text).kind)
})

test('a list is a batch, whatever is in it', () => {
  expect([read('[]').kind, read(' [{"jsonrpc":"2.0","method":"a"}]').kind, read('[').kind]).toEqual(['batch', 'batch', 'batch'])
})

test('an id is clear in a flawed line only if its own bytes are sound', () => {
  const idOf = (id: string): unknown => {
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"a"}`, 'latin1')
    const envelope = readEnvelope(bytes, { start: 0, end: bytes.length }, 'it is not UTF-8')
    return envelope.kind === 'refused' && envelope.id?.value
  }

  expect([idOf('7'), idOf('"a"'), idOf('"\u00e9"')]).toEqual([7, 'a', undefined])
})

test('a text that no JSON can be is no id: it is never echoed', () => {
  expect(['"a\tb"', '"\u0001"'].map((id) => read(`{"jsonrpc":"2.0","id":${id},"method":"a"}`))).toEqual(
    ['', ''].map(() => ({ kind: 'refused', of: 'request', why: 'its id is neither text nor a number', id: undefined })),
  )
})

const blank = fc.constantFrom('', '', '', ' ', '\t', '  ')
const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error') }, { weight: 1, arbitrary: fc.string() })
const id = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.constant(null), fc.boolean())

/** A text as JSON writes it, or with some of its characters escaped. */
const written = (value: unknown): fc.Arbitrary<string> => {
  const json = JSON.stringify(value)
  if (typeof value !== 'string') return fc.constant(json)
  const escaped = `"${value
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}"`
  return fc.constantFrom(json, json, json, escaped)
}

const value = (name: string): fc.Arbitrary<unknown> => {
  if (name === 'jsonrpc') return fc.constant('2.0')
  if (name === 'id') return id
  if (name === 'method') return fc.oneof(fc.constantFrom('ping', 'roots/list', 'tools/call'), fc.string())
  return fc.jsonValue()
}

const member = key.chain((name) =>
  fc.tuple(written(name), value(name).chain(written), blank, blank, blank, blank).map(([k, v, a, b, c, d]) => `${a}${k}${b}:${c}${v}${d}`),
)
const line = fc.tuple(fc.uniqueArray(member, { maxLength: 7 }), blank, blank).map(([members, before, after]) => `${before}{${members.join(',')}}${after}`)

test('whatever JSON.parse and we both accept is read alike', () => {
  fc.assert(
    fc.property(line, (text) => {
      const parsed = JSON.parse(text) as Record<string, unknown>
      const seen = told(text)
      if (seen === 'refused' || seen === 'junk') return
      expect(seen).toEqual(expected(parsed))
    }),
    { numRuns: 3000 },
  )
})

/** Receivers of any kind see one member of each name, so that no two can disagree about a message that is passed on. */
test('a sound message is never refused, and nothing that parses is taken for noise', () => {
  const sound = fc.record({ id: fc.oneof(fc.integer(), fc.string()), method: fc.string(), params: fc.jsonValue(), extra: fc.jsonValue() })
  fc.assert(
    fc.property(sound, fc.constantFrom('request', 'notification', 'response'), ({ id, method, params, extra }, kind) => {
      const message =
        kind === 'response'
          ? { jsonrpc: '2.0', id, result: params, vendor: extra }
          : { vendor: extra, ...(kind === 'request' && { id }), jsonrpc: '2.0', method, params }
      expect(told(JSON.stringify(message))).toEqual(expected(JSON.parse(JSON.stringify(message)) as Record<string, unknown>))
    }),
    { numRuns: 1000 },
  )
})

test('no bytes at all make it throw, and what it accepts stands inside the line', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    // A sound line with some bytes changed.
    fc.tuple(line, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Buffer.from('"\\{}[],:0e-tn \r\u00e9'))), { maxLength: 4 })).map(([text, changes]) => {
      const changed = Buffer.from(text)
      for (const [at, byte] of changes) if (changed.length > 0) changed[at % changed.length] = byte
      return changed
    }),
  )
  fc.assert(
    fc.property(bytes, (buffer) => {
      const envelope = readEnvelope(buffer, { start: 0, end: buffer.length })
      const spans = Object.values(envelope).flatMap((part: unknown) =>
        part !== null && typeof part === 'object' ? [('span' in part ? part.span : part) as Span] : [],
      )
      for (const { start, end } of spans) expect(start >= 0 && start < end && end <= buffer.length).toBe(true)
      if (!['request', 'notification', 'response'].includes(envelope.kind)) return
      let parsed: unknown
      try {
        parsed = JSON.parse(buffer.toString('utf8'))
      } catch {
        return
      }
      expect(told(buffer.toString('utf8'))).toEqual(expected(parsed as Record<string, unknown>))
    }),
    { numRuns: 5000 },
  )
})

test('a string of a megabyte, with escapes in any density, is skipped to its own end', () => {
  const texts = [
    '\\\\'.repeat(400_000),
    '\\"'.repeat(400_000),
    'x'.repeat(1_000_000),
    'a "quote" \\ and \\n'.repeat(50_000),
    `${'y'.repeat(100)}\\\\\\"`.repeat(9000),
  ]
  const read = texts.map((text) => told(JSON.stringify({ jsonrpc: '2.0', result: { text }, id: 5 })))

  expect(read).toEqual(texts.map((text) => ({ kind: 'response', id: 5, result: { text }, error: undefined })))
})

test('nesting a million deep overflows nothing', () => {
  const deep = `{"jsonrpc":"2.0","method":"a","params":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`

  expect(read(deep).kind).toBe('notification')
})

function expected(message: Record<string, unknown>): unknown {
  const { id, method, params, result, error } = message
  if (method !== undefined) return Object.hasOwn(message, 'id') ? { kind: 'request', id, method, params } : { kind: 'notification', method, params }
  return { kind: 'response', id, result, error }
}
