import { expect, test } from 'vitest'
import { KnownMeta, readMeta } from './known-meta.ts'

const first = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1,"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}'
const second = first.replace('"roots"', '"forms"')
const third = first.replace('"progressToken":1', '"progressToken":1,"progressToken":2')

test('what is known of a client is what stands there, wherever that is, and only as long as the same stands there', () => {
  const known = new KnownMeta()
  const places = [first, first, second, third, third, '[]', '[]', first, `{"x":"${'y'.repeat(5000)}",${first.slice(1)}`, first].map((text, index) => {
    const bytes = Buffer.from(`${' '.repeat(index)}${text}  `)
    const span = { start: index, end: index + Buffer.byteLength(text) }
    return { known: known.read(bytes, span), read: readMeta(bytes, span) }
  })
  expect(places.map(({ known: found }) => found)).toEqual(places.map(({ read }) => read))
  expect(places.map(({ read }) => read?.faults)).toEqual([[], [], [], ['progressToken'], ['progressToken'], undefined, undefined, [], [], []])
})
