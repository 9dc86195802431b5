import { expect, test } from 'vitest'
import { isMember } from './member-list.ts'

test.each([
  ['packages/a', ['packages/*'], true],
  ['packages/a', ['./packages/*/'], true],
  ['packages/a', ['packages/a'], true],
  ['packages/a/b', ['packages/*'], false],
  ['packages/a/b', ['packages/**'], true],
  ['packages', ['packages/**'], true],
  ['a/x/y/b/z', ['a/**/b/*'], true],
  ['a/b/b/z', ['a/**/b/*'], true],
  ['a/b', ['a/**/b/*'], false],
  ['packages/app-web', ['packages/app-*'], true],
  ['packages/old', ['packages/*', '!packages/old'], false],
  ['packages/old', ['!**/old', 'packages/*'], false],
  ['sandbox', ['packages/*'], false],
  ['sandbox', [], false],
  ['sandbox', ['..', '/', '!'], false],
])('%s is in %j: %s', (folder, members, expected) => {
  expect(isMember(folder.split('/'), { members })).toBe(expected)
})

test('no list means everything, minus what is excluded with all below it', () => {
  expect([isMember(['x'], {}), isMember(['old', 'x'], { excluded: ['old'] }), isMember(['older'], { excluded: ['old'] })]).toEqual([true, false, true])
})

test('a hostile list takes no time', () => {
  const members = Array.from({ length: 50 }, () => `${'**/a*a*/'.repeat(200)}z`)

  expect(
    isMember(
      Array.from({ length: 100 }, () => 'a'.repeat(250)),
      { members },
    ),
  ).toBe(false)
})
