import { getActiveResourcesInfo } from 'node:process'
import { expect, test } from 'vitest'
import { createPatternMatcher, matchPattern } from './match-pattern.ts'

const bomb = { pattern: '^(a+)+$', text: `${'a'.repeat(60)}!` }

async function verdictOf(pattern: string, text: string): Promise<string | undefined> {
  return (await matchPattern([{ pattern, text }]))[0]
}

test.each([
  ['the u flag comes first', '^.$', '😀', 'match'],
  ['without it where only that compiles', '^[\\w-.]\\-$', 'a-', 'match'],
  ['digits are ASCII digits', '^\\d$', '٣', 'no-match'],
  ['the end is the end, not the last line break', '^ok$', 'ok\n', 'no-match'],
  ['property escapes are known', '^\\p{Script=Hangul}+$', '한국', 'match'],
  ['a property escape of another language is not read as letters', '^\\p{L}[\\w-.]$', 'x', 'unusable'],
  ['an end of text of another language is not read as a letter', '^a\\Z', 'aZ', 'unusable'],
  ['what does not compile asks for nothing', '(?P<x>a)', 'a', 'unusable'],
  ['an escaped class is no class', '\\[\\B', '[-', 'match'],
  ['a back reference by name is known', '(?<x>a)\\k<x>', 'aa', 'match'],
])('%s', async (_, pattern, text, verdict) => {
  expect(await verdictOf(pattern, text)).toBe(verdict)
})

test('no thread and no timer stays behind, whatever the pattern', async () => {
  const before = getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'MessagePort').length
  expect(await matchPattern([bomb, bomb])).toEqual(['timed-out', 'timed-out'])
  await expect
    .poll(() => getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'MessagePort').length, { timeout: 3000 })
    .toBeLessThanOrEqual(before + 1)
})

test('a burst of exploding forms ends within its second as well', async () => {
  const verdicts = await Promise.all(Array.from({ length: 20 }, () => matchPattern([bomb])))
  expect(verdicts.flat()).toEqual(Array.from({ length: 20 }, () => 'timed-out'))
})

test.each([
  ['property escapes', '\\p{L}'.repeat(100_000)],
  ['nested groups', `${'(?:a|'.repeat(200_000)}b${')'.repeat(200_000)}`],
  ['alternatives', `^(?:${'abcd|'.repeat(100_000)}z)$`],
])('a pattern that is dear to compile (%s) does not hold anybody up', async (_, pattern) => {
  expect(await verdictOf(pattern, 'a')).toBe('timed-out')
})

test('a long honest pattern is still matched', async () => {
  const words = Array.from({ length: 5000 }, (_, index) => `option-${index}`)
  const unhurried = createPatternMatcher({ wholeFormMs: 20_000 })
  expect(await unhurried([{ pattern: `^(?:${words.join('|')})$`, text: 'option-4999' }])).toEqual(['match'])
})

test('patterns that explode keep no other from being decided', async () => {
  const unhurried = createPatternMatcher({ wholeFormMs: 3000 })
  const honest = { pattern: '^b+$', text: 'b' }
  expect(await unhurried([bomb, honest, bomb, bomb, bomb, bomb, honest])).toEqual(['timed-out', 'match', ...Array(4).fill('timed-out'), 'match'])
})
