import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Flaw } from './envelope.ts'
import { LineFeed, type Verdict } from './line-feed.ts'

interface Heard {
  readonly lines: (readonly [text: string, flaw: Flaw | undefined])[]
  readonly forwarded: Buffer[]
  isTooLong: boolean
}

function listen(
  judge: (text: string, feed: () => LineFeed, start: number) => Verdict = () => 'pass',
  maxBytes = 1024 * 1024,
): Heard & { readonly feed: LineFeed } {
  const heard: Heard = { lines: [], forwarded: [], isTooLong: false }
  const feed: LineFeed = new LineFeed({
    maxBytes,
    judge: (bytes, { start, end }, flaw) => {
      const text = bytes.toString('latin1', start, end)
      heard.lines.push([text, flaw])
      return judge(text, () => feed, start)
    },
    forward: (pieces) => heard.forwarded.push(Buffer.concat(pieces)),
    onTooLong: () => (heard.isTooLong = true),
  })
  return Object.assign(heard, { feed })
}

const cut = (bytes: Buffer, at: readonly number[]): readonly Buffer[] => {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

test('lines that pass are the same bytes, however the chunks were cut', () => {
  const text = fc
    .array(fc.constantFrom('{"a":1}\n', '{"b":"\u00fc"}\r\n', '\u{1f600}\n', 'x'.repeat(300), ' \n', '\u2028\n'), { maxLength: 20 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, cuts) => {
      const bytes = Buffer.from(whole)
      const { feed, forwarded, lines } = listen()
      for (const chunk of cut(bytes, cuts)) feed.push(chunk)
      feed.end()

      const isEnded = whole === '' || whole.endsWith('\n')
      expect(Buffer.concat(forwarded).toString()).toBe(whole + (isEnded ? '' : '\n'))
      expect(lines.every(([, flaw]) => flaw === undefined)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a line that comes byte by byte passes like any other, and is kept in few parts', () => {
  const { feed, forwarded, lines } = listen()
  const line = Buffer.from(`${'x'.repeat(300_000)}\n`)
  for (let at = 0; at < line.length; at += 1) feed.push(line.subarray(at, at + 1))

  expect([lines.length, forwarded.length, forwarded[0]!.equals(line)]).toEqual([1, 1, true])
})

test('a million lines: none is lost, none overtakes another, one chunk in is at most two out', () => {
  const { feed, forwarded, lines } = listen()
  const chunk = Buffer.from(Array.from({ length: 1000 }, (_, index) => `{"n":${index}}\n`).join(''))
  for (let round = 0; round < 1000; round += 1) {
    const at = (round * 37) % chunk.length
    feed.push(chunk.subarray(0, at))
    feed.push(chunk.subarray(at))
  }

  expect(lines.length).toBe(1_000_000)
  expect(lines.every(([text], index) => text === `{"n":${index % 1000}}`)).toBe(true)
  expect(forwarded.length).toBeLessThanOrEqual(4000)
  expect(forwarded.reduce((sum, { length }) => sum + length, 0)).toBe(chunk.length * 1000)
})

test('what is dropped leaves the others as they were, and what stands in its place keeps the line end', () => {
  const edits = (start: number): Verdict => [
    { span: { start: start + 4, end: start + 6 }, bytes: Buffer.from('ged') },
    { span: { start, end: start + 1 }, bytes: Buffer.from('C') },
  ]
  const { feed, forwarded } = listen((text, _, start) => (text === 'drop' ? 'drop' : text === 'change' ? edits(start) : 'pass'))
  feed.push(Buffer.from('one\ndrop\ntwo\r\nchange\r\ndrop\nthree\nchange\n'))

  expect(forwarded.map(String)).toEqual(['one\ntwo\r\nChanged\r\nthree\nChanged\n'])
})

test('what is said about a line does not overtake the lines before it', () => {
  const { feed, forwarded } = listen((text, self) => {
    if (text === 'bad') self().insert('refused\n')
    return text === 'bad' ? 'drop' : 'pass'
  })
  feed.push(Buffer.from('one\nbad\ntwo\n'))

  expect([forwarded.map(String), feed.insert('later\n')]).toEqual([['one\nrefused\ntwo\n'], false])
})

test('a bare carriage return and bytes that are no UTF-8 are told apart from sound lines of the same chunk', () => {
  const { feed, lines } = listen()
  feed.push(Buffer.from('{"a":"\u00e9"}\n{"a":\r1}\n{"b":"\u00c3\u00a9"}\r\n', 'latin1'))

  expect(lines).toEqual([
    ['{"a":"\u00e9"}', 'it is not UTF-8'],
    ['{"a":\r1}', 'a bare carriage return is in it'],
    ['{"b":"\u00c3\u00a9"}', undefined],
  ])
})

test('empty lines go no further', () => {
  const { feed, forwarded, lines } = listen()
  feed.push(Buffer.from('\n\r\none\n\n'))

  expect([forwarded.map(String), lines.length]).toEqual([['one\n'], 1])
})

test('a line that is too long ends the reading, once', () => {
  const heard = listen(undefined, 100)
  heard.feed.push(Buffer.from(`short\n${'x'.repeat(60)}`))
  heard.feed.push(Buffer.from('x'.repeat(60)))
  heard.feed.push(Buffer.from('\nafter\n'))
  heard.feed.end()

  expect([heard.isTooLong, heard.lines.map(([text]) => text)]).toEqual([true, ['short']])
})

test('a long line that comes in small pieces is read in linear time', () => {
  const time = (megabytes: number): number => {
    const { feed } = listen(undefined, 1024 * 1024 * 1024)
    const piece = Buffer.alloc(4096, 'x')
    const began = performance.now()
    for (let index = 0; index < megabytes * 256; index += 1) feed.push(piece)
    feed.push(Buffer.from('\n'))
    return performance.now() - began
  }
  time(4)

  expect(time(32)).toBeLessThan(8 * 6 * Math.max(time(4), 2))
})
