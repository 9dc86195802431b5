import { expect, test } from 'vitest'
import { openFakeTerminal } from './fake-terminal.ts'
import { words } from './words.ts'

const [ENTER, TAB, LEFT, HOME, CTRL_D, ESCAPE] = ['\r', '\t', '\u001b[D', '\u001b[H', '\u0004', '\u001b']
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`
const never = new AbortController().signal

async function write(kind: 'line' | 'lines' | 'secret', keys: readonly string[]): Promise<{ answer: string | undefined; drawn: string }> {
  const { prompts, look, type, drawn } = await openFakeTerminal()
  const answer = prompts.write('Your words?', { kind, signal: never })
  await look('Your words?')
  await type(...keys)
  return { answer: await answer, drawn: drawn() }
}

test.each<[string, 'line' | 'lines' | 'secret', readonly string[], string]>([
  ['of several lines into one line', 'line', [paste('first\r\nsecond\rthird'), ENTER], 'first\nsecond\nthird'],
  ['of one line without its end', 'line', [paste('first\r\n'), ENTER], 'first'],
  ['of a secret without its end', 'secret', [paste('first\r'), ENTER], 'first'],
  ['between what was typed', 'line', ['ad', LEFT, paste('b\rc'), ENTER], 'ab\ncd'],
  ['at the beginning', 'line', ['a', HOME, paste('b\rc'), ENTER], 'b\nca'],
  ['in pieces', 'line', ['\u001b[20', '0~on', 'e\r', 'two\u001b[2', '01~', ENTER], 'one\ntwo'],
  ['that is not told from typing', 'line', ['first\rsecond', ENTER], 'first\nsecond'],
  ['with signs that would act', 'line', [paste('a\u0003\u0004\u001b[A\tb'), ENTER], 'a\u0003\u0004\u001b[A\tb'],
  ['of a key in several lines into a secret', 'secret', [paste('-----BEGIN\rabc\r-----END'), ENTER], '-----BEGIN\nabc\n-----END'],
  ['into several lines', 'lines', [paste('first\rsecond'), TAB, ENTER], 'first\nsecond'],
  ['on the way to submit', 'lines', ['a', TAB, paste('b\r'), TAB, ENTER], 'ab\n'],
  ['that is not told from typing, on the way to submit', 'lines', ['a', TAB, 'b\r', TAB, ENTER], 'ab\n'],
])('a paste %s is part of the answer', async (_, kind, keys, expected) => {
  expect((await write(kind, keys)).answer).toBe(expected)
})

test('line ends in one line are shown as what they are', async () => {
  const { drawn } = await write('line', [paste('first\rsecond'), ENTER])

  expect({ isMarked: drawn.includes('first␊second'), isSaid: drawn.includes(words.pastedLines.slice(0, 30)) }).toEqual({ isMarked: true, isSaid: true })
})

test.each(['line', 'lines'] as const)('a huge paste is drawn as one sign and answered whole (%s)', async (kind) => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index} 😀`).join('\r')
  const { answer, drawn } = await write(kind, ['<', paste(text), '>', ...(kind === 'lines' ? [TAB] : []), ENTER])

  expect({ answer: answer === `<${text.replaceAll('\r', '\n')}>`, isFolded: drawn.includes('<[]>') && !drawn.includes('line 4000') }).toEqual({
    answer: true,
    isFolded: true,
  })
})

test('a word and its Enter may come at once: a slow line brings them so', async () => {
  expect((await write('line', ['Ada\r'])).answer).toBe('Ada')
})

test('Ctrl-D, Escape and unknown sequences neither end nor change a text', async () => {
  expect((await write('line', [CTRL_D, 'a', CTRL_D, ESCAPE, '\u001b[15~', 'b', ENTER])).answer).toBe('ab')
  expect((await write('line', [CTRL_D, ENTER])).answer).toBe('')
})

test('what is wrong is said under the text, which stays to be mended; keys that come meanwhile are not lost', async () => {
  const { prompts, look, type, typeAhead, drawn } = await openFakeTerminal()
  const check = async (text: string): Promise<string | undefined> => {
    await new Promise((resolve) => setImmediate(resolve))
    return text.length > 3 ? undefined : 'is too short'
  }
  const answer = prompts.write('Your words?', { kind: 'line', signal: never, check })
  await look('Your words?')
  await type('ab', ENTER)
  await typeAhead('c')
  await look('is too short')
  await type('d', ENTER)

  expect({ answer: await answer, isBeside: /ab[█_ ]*\s*└ +is too short/.test(drawn()) }).toEqual({ answer: 'abcd', isBeside: true })
})
