import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesGlob } from './glob.ts'

test.each([
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'a\nb', true],
  ['?', '', false],
  ['?', 'a', true],
  ['?', '한', true],
  ['?', '🙂', true],
  ['?', 'ab', false],
  ['*Barcelona*', 'Confirm your Barcelona booking', true],
  ['*Barcelona', 'Barcelona booking', false],
  ['Name*', 'Name (exactly)?', true],
  ['name*', 'Name', false],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['**', 'x', true],
  ['*?', '', false],
  ['x'.repeat(100), 'x'.repeat(100), true],
  ['x'.repeat(100), 'x'.repeat(99), false],
  [`${'?'.repeat(63)}*${'?'.repeat(64)}`, 'y'.repeat(127), true],
])('%s on %j: %s', (glob, text, fits) => {
  expect(matchesGlob(glob, text)).toBe(fits)
})

test('it agrees with the plain definition', () => {
  const unit = fc.constantFrom('a', 'b', '*', '?')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (glob, text) => {
      expect(matchesGlob(glob, text)).toBe(defined(glob.split(''), text.split('')))
    }),
    { numRuns: 2_000 },
  )
})

test('a glob that would make others slow takes linear time', () => {
  expect(matchesGlob(`${'*a'.repeat(60)}*b`, 'a'.repeat(200_000))).toBe(false)
})

function defined(glob: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = glob
  if (first === undefined) return text.length === 0
  if (first === '*') return defined(rest, text) || (text.length > 0 && defined(glob, text.slice(1)))
  return text.length > 0 && (first === '?' || first === text[0]) && defined(rest, text.slice(1))
}
