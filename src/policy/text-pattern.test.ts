import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asTextPattern, exactly, matchesPattern } from './text-pattern.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\', '[', '\n', '\r', '한', '🙂', '\ud83d', '\0'), maxLength: 6 })

test('what is written of somebody’s words means them and nothing else, and survives a file', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const written = asTextPattern(JSON.parse(JSON.stringify(exactly(one))))!

      expect([matchesPattern(written, one), matchesPattern(written, other)]).toEqual([true, one === other])
    }),
    { numRuns: 2_000 },
  )
})

test('a glob that a person wrote is a glob', () => {
  expect([matchesPattern('**Sure**?', 'Pay 100: Sure!'), matchesPattern({ exactly: '*' }, 'x')]).toEqual([true, false])
})

test.each([1, null, [], {}, { exactly: 1 }, { exactly: 'a', or: 'b' }, { __proto__: { exactly: 'a' } }])('%j is no pattern', (value) => {
  expect(asTextPattern(value)).toBeUndefined()
})
