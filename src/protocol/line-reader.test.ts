import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader } from './line-reader.ts'

function read(chunks: readonly Uint8Array[], maxBytes = 1_000_000): readonly string[] {
  const lines: string[] = []
  const reader = new LineReader({ maxBytes, onLine: (text, intact) => lines.push(intact ? text : `?${text}`), onTooLong: () => lines.push('too long') })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return lines
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('lines come out whole wherever the chunks end, inside a character too', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n\uFEFF]/.test(text))
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 7 }), (lines, eol, size) => {
      const all = bytes(lines.map((text) => text + eol).join(''))
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.subarray(index * size, (index + 1) * size))

      expect(read(chunks)).toEqual(lines)
    }),
  )
})

test('a line that is no UTF-8 is marked, and the next one is sound', () => {
  expect(read([new Uint8Array([0x61, 0xe9, 0x0a]), bytes('é\n'), new Uint8Array([0xff, 0x0a]), bytes('b\n')])).toEqual(['?a\uFFFD', 'é', '?\uFFFD', 'b'])
})

test('empty lines are skipped, and the last line needs no end', () => {
  expect(read([bytes('\n\r\na\n\nb')])).toEqual(['a', 'b'])
})

test('a line that is too long ends the reading', () => {
  expect(read([bytes('ok\n'), bytes('x'.repeat(60)), bytes('x'.repeat(60)), bytes('\nnever\n')], 100)).toEqual(['ok', 'too long'])
})

test('the limit holds for a line in one chunk too', () => {
  expect(read([bytes(`${'x'.repeat(100)}\n${'y'.repeat(101)}\n`), bytes('z\n')], 100)).toEqual(['x'.repeat(100), 'too long'])
})

test('a line that comes byte by byte is put together, and the next one is its own', () => {
  const lengths: number[] = []
  const reader = new LineReader({ maxBytes: 1e9, onLine: (text) => lengths.push(text.length), onTooLong: () => {} })
  for (let index = 0; index < 300_000; index += 1) reader.push(bytes('x'))
  reader.push(bytes('\n'))
  for (let index = 0; index < 10; index += 1) reader.push(bytes('y'))
  reader.push(bytes('\n'))

  expect(lengths).toEqual([300_000, 10])
})

test('a line of 32 MB in small chunks is read (in quadratic time it would take minutes)', () => {
  const chunk = new Uint8Array(64 * 1024).fill(120)
  const lengths: number[] = []
  const reader = new LineReader({ maxBytes: 1e9, onLine: (text) => lengths.push(text.length), onTooLong: () => {} })
  for (let index = 0; index < 512; index += 1) reader.push(chunk)
  reader.push(bytes('\n'))

  expect(lengths).toEqual([512 * 64 * 1024])
})
