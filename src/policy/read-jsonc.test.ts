import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { readJsonc } from './read-jsonc.ts'

const read = (text: string) => readJsonc(text, 'config.jsonc', 'CONFIG_INVALID')

function faultOf(text: string): string {
  try {
    read(text)
  } catch (error) {
    if (error instanceof ConsentryError) return `${error.code} ${error.message}`
    throw error
  }
  return 'no fault'
}

test('comments, trailing commas and a byte order mark are fine', () => {
  const { value } = read('\uFEFF// why\n{ /* a */ "url": "https://x.example/a//b", "list": [1, 2,], }\n')
  expect(value).toEqual({ url: 'https://x.example/a//b', list: [1, 2] })
})

test('names of the language are data like all others', () => {
  const { value } = read('{ "__proto__": { "admin": true }, "constructor": 1 }')
  expect([Object.keys(value as object), (value as Record<string, unknown>)['toString'], ({} as Record<string, unknown>)['admin']]).toEqual([
    ['__proto__', 'constructor'],
    undefined,
    undefined,
  ])
})

test.each([
  ['{\n  "a": 1\n  "b": 2 }', '3:3 a comma is missing'],
  ['{\n  "models": [ oops ] }', '2:15 this is neither a value nor a key in double quotes'],
  ['{ "a": 1, "a": 2 }', '1:11 "a" stands twice in the same object'],
  ['{ "a": 1, "\\u0061": 2 }', '1:11 "a" stands twice in the same object'],
  ['', '1:1 a value is missing'],
  ['// nothing\n', '2:1 a value is missing'],
  ['{ "a": 1', '1:9 a closing } is missing'],
  ['{ "a": "x\n" }', '1:8 the text is not closed by a double quote'],
  ['{} {}', '1:4 there is more after the end'],
  ['{\r\n\r\n  b: 1 }', '3:3 this is neither a value nor a key in double quotes'],
])('%j is refused with its place', (text, fault) => {
  expect(faultOf(text)).toBe(`CONFIG_INVALID config.jsonc:${fault}`)
})

test('depth is bounded, so that no file can exhaust the stack', () => {
  expect(faultOf('['.repeat(200_000))).toBe('CONFIG_INVALID config.jsonc:1:101 nested more than 100 levels deep')
})

test('a place is that of the key, of the list element, or of what is around a missing one', () => {
  const document = read('{\n  "rules": [\n    { "server": "x" },\n    { "server": "y",\n      "until": 3 }\n  ]\n}')
  expect([['rules', 1, 'until'], ['rules', 1, 'decision'], ['rules', 1], ['models'], []].map((path) => document.positionOf(path))).toEqual([
    { line: 5, column: 7 },
    { line: 4, column: 5 },
    { line: 4, column: 5 },
    { line: 1, column: 1 },
    { line: 1, column: 1 },
  ])
})

test('a fault says file, line and column, for people and for machines', () => {
  const fault = read('{\n  "rootz": {} }').faultAt(['rootz'], 'unknown key "rootz"')
  expect([fault.code, fault.message, fault.data]).toEqual([
    'CONFIG_INVALID',
    'config.jsonc:2:3 unknown key "rootz"',
    { file: 'config.jsonc', line: 2, column: 3 },
  ])
})

test('every JSON text is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(JSON.stringify(read(text).value)).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('no text makes it fail in any other way than by a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'a', '1', '\\', '/', '*', '\n', ' ', '\u0000') }), (text) => {
      expect(faultOf(text)).toMatch(/^(no fault|CONFIG_INVALID config\.jsonc:\d+:\d+ .+)$/)
    }),
  )
})
