import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapChoice, wrapText } from './wrap-text.ts'

test.each<[string, string, number, string]>([
  ['between words', 'one two three four', 9, 'one two\nthree\nfour'],
  ['under its own indentation', '{\n  "note": "one two three four five six"\n}', 24, '{\n  "note": "one two three\n  four five six"\n}'],
  ['a path between its parts', 'node /work/servers/travel/dist/index.js stdio', 24, 'node /work/servers/\ntravel/dist/index.js\nstdio'],
  [
    'an address between its parts',
    'https://air.example/oauth/authorize?client_id=consentry&state=abc',
    40,
    'https://air.example/oauth/authorize?\nclient_id=consentry&state=abc',
  ],
  ['what has no parts, where the line ends', 'x'.repeat(50), 20, `${'x'.repeat(20)}\n${'x'.repeat(20)}\n${'x'.repeat(10)}`],
  ['wide letters by the columns that they take', '항공편과 호텔을 예약합니다', 20, '항공편과 호텔을\n예약합니다'],
  ['letters without blanks between them', '请写下所有需要我们知道的事情', 20, '请写下所有需要我们知\n道的事情'],
])('wraps %s', (_, text, columns, expected) => {
  expect(wrapText(text, columns)).toBe(expected)
})

test('wrapping loses and adds nothing but blanks and ends of lines', () => {
  const blank = /[ \n]/g
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '&', '\n', '한', '。', '😀', '-'), maxLength: 200 })
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 80 }), (given, columns) => wrapText(given, columns).replaceAll(blank, '') === given.replaceAll(blank, '')),
  )
})

test('a choice goes on under itself, and its hint where it ends', () => {
  expect([
    wrapChoice('Cancel', 'close this without an answer (Ctrl-C does the same)', 64),
    wrapChoice('Stop: show nothing more of travel in this run', 'what it asks ends', 47),
    wrapChoice('Stop: show nothing more of travel in this run', undefined, 24),
  ]).toEqual([
    { label: 'Cancel', hint: 'close this without an answer (Ctrl-C does the same)' },
    { label: 'Stop: show nothing more of travel in this\n  run', hint: 'what it asks ends' },
    { label: 'Stop: show nothing more\n  of travel in this run' },
  ])
})
