import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkBase64, checkMediaType, decodedLength } from './check-media.ts'
import { utf8Length } from './utf8-length.ts'

const isBase64 = (data: string, maximumBytes = 1000): boolean => passes(() => checkBase64(data, 'data', maximumBytes))

function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

test.each(['AA==', 'AAA=', 'AAAA', 'ab+/', 'AB=='])('%s is base64', (data) => {
  expect(isBase64(data)).toBe(true)
})

test.each(['A', 'AA', 'AAA', 'A===', '====', 'AA=A', '=AAA', 'AAAA=', 'AAAA====', '_-8=', 'AA A', 'AAAA\nAAAA', 'data:image/png;base64,AAAA', 'ＡＡＡＡ'])(
  '%j is not base64',
  (data) => {
    expect(isBase64(data)).toBe(false)
  },
)

test('what bytes become in base64 is base64, and its length is known without decoding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const data = Buffer.from(bytes).toString('base64')
      expect({ ok: isBase64(data), length: decodedLength(data) }).toEqual({ ok: true, length: bytes.length })
    }),
  )
})

test('the size is looked at before the letters', () => {
  expect(() => checkBase64('?'.repeat(2000), 'data', 1000)).toThrow('larger than 1000 bytes')
})

test.each(['image/png', 'IMAGE/PNG', 'image/svg+xml', 'image/x-portable-pixmap', 'image/png; q=1', 'image/vnd.a.b;c="d e"'])('%s is an image', (type) => {
  expect(passes(() => checkMediaType(type, 'mimeType', 'image'))).toBe(true)
})

test.each([
  '',
  'png',
  'image',
  'image/',
  'image/*',
  'image//png',
  ' image/png',
  'image/png\n',
  'audio/wav',
  'ximage/png',
  'image/png, image/gif',
  'image/png;\u0000',
])('%j is no image', (type) => {
  expect(passes(() => checkMediaType(type, 'mimeType', 'image'))).toBe(false)
})

test('a media type of a megabyte is judged at once', () => {
  const start = process.cpuUsage()
  passes(() => checkMediaType(`image/png${' '.repeat(1_000_000)}\u0000`, 'mimeType', 'image'))
  passes(() => checkMediaType(`image/png;${' ;'.repeat(500_000)}\u0000`, 'mimeType', 'image'))

  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
})

test('bytes of UTF-8 are counted as an encoder would write them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
    }),
  )
})
