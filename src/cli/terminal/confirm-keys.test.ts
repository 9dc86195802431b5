import { expect, test } from 'vitest'
import { openFakeTerminal, type FakeTerminal } from './fake-terminal.ts'
import { words } from './words.ts'

const [ENTER, UP, DOWN, CTRL_C, BACKSPACE] = ['\r', '\u001b[A', '\u001b[B', '\u0003', '\u007f']
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`
const never = new AbortController().signal

async function openQuestion(): Promise<FakeTerminal & { readonly answer: Promise<boolean | undefined> }> {
  const terminal = await openFakeTerminal()
  const answer = terminal.prompts.confirm('Write this?', { no: 'No, leave it', yes: 'Yes' }, { signal: never })
  await terminal.look('Write this? (y/N)')
  return { ...terminal, answer }
}

test.each([
  ['y', ['y', ENTER], true],
  ['Y', ['Y', ENTER], true],
  ['yes, letter by letter', ['y', 'e', 's', ENTER], true],
  ['yes and Enter at once', ['yes\r'], true],
  ['y, with the line end of another system', ['y', '\n'], true],
  ['n', ['n', ENTER], false],
  ['no', ['n', 'o', ENTER], false],
  ['Enter alone', [ENTER], false],
  ['an arrow', [DOWN, ENTER], true],
  ['two arrows', [DOWN, UP, ENTER], false],
  ['an arrow to Yes, and then y', [DOWN, 'y', ENTER], true],
  ['an arrow to Yes, and then n', [UP, 'n', ENTER], false],
  ['y, and a change of mind', ['y', 'n', ENTER], false],
  ['n, and a change of mind', ['n', 'y', ENTER], true],
  ['y, taken back', ['y', BACKSPACE, ENTER], false],
  ['a word that only begins with y', ['y', 'o', ENTER], false],
  ['a text that only begins with yes', ['yes please\r', ENTER], false],
  ['another letter after an arrow', [DOWN, 'x', ENTER], false],
  ['a paste', [paste('yes\r'), ENTER], false],
  ['Ctrl-C', ['y', CTRL_C], undefined],
])('a question about what was ordered takes %s as people mean it', async (_, keys, expected) => {
  const { answer, type } = await openQuestion()
  await type(...keys)

  expect(await answer).toBe(expected)
})

test('a yes that was typed before the question can have been read is none, and what may be typed is said', async () => {
  const { answer, typeAhead, type, look } = await openQuestion()
  await typeAhead('y', ENTER)
  await look(words.tooSoon)
  await type('j')
  await look('Type y or n')
  await type(ENTER)

  expect(await answer).toBe(false)
})
