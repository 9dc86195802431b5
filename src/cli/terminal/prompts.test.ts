import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openFakeTerminal } from './fake-terminal.ts'
import { createPrompts, type Prompts } from './prompts.ts'
import { words } from './words.ts'

const { signal } = new AbortController()
const [DOWN, LEFT, RIGHT, BACKSPACE, DELETE, TAB, ENTER] = ['\u001b[B', '\u001b[D', '\u001b[C', '\u007f', '\u001b[3~', '\t', '\r']

/** Types at a prompt, key after key, and tells the answer and what was drawn. */
async function type(
  kind: 'line' | 'lines',
  question: string,
  keys: readonly string[],
  initial?: string,
): Promise<{ answer: string | undefined; drawn: string }> {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 40 })]
  let drawn = ''
  output.on('data', (chunk: Buffer) => (drawn += chunk.toString('utf8')))
  const prompts = await createPrompts({ input, output })
  const answer = prompts.write(question, { kind, signal, initial })
  // Escape sequences are only told apart from a bare Escape by what follows in the same chunk.
  for (const key of keys) {
    input.write(key)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { answer: await answer, drawn }
}

const submit = [TAB, ENTER]

test.each<[string, readonly string[], string]>([
  ['stays whole when more is typed', ['a', '😀', 'b', '🧭', 'c'], 'a😀b🧭c'],
  ['is deleted as one', ['a', '😀', BACKSPACE, 'b'], 'ab'],
  ['is deleted as one from before it', ['a', '😀', 'b', LEFT, LEFT, DELETE], 'ab'],
  ['is stepped over as one', ['😀', LEFT, 'x', RIGHT, 'y'], 'x😀y'],
  ['stays whole on a line of its own', ['😀', ENTER, '𝒜', 'ꀀ'], '😀\n𝒜ꀀ'],
  ['comes pasted', ['👨‍👩‍👧 trip to 서울'], '👨‍👩‍👧 trip to 서울'],
])('an emoji in a text of several lines %s', async (_, keys, expected) => {
  expect((await type('lines', 'Your answer', [...keys, ...submit])).answer).toBe(expected)
})

test('a text that is edited keeps its emoji, and is drawn with them', async () => {
  const { answer, drawn } = await type('lines', 'Your answer 🧭', ['!', ...submit], 'Hi 😀')

  expect(answer).toBe('Hi 😀!')
  expect(drawn).toContain('Your answer 🧭')
  expect(drawn).toContain('Hi 😀!')
})

test('half of a character does not leave, even where too many kinds of them are typed to be kept whole', async () => {
  const kinds = Array.from({ length: 1165 }, (_, index) => String.fromCodePoint(0x12000 + index)).join('')
  const { answer, drawn } = await type('lines', 'Your answer', [kinds, '😀x', ...submit, '\u0003'])

  expect(answer).toBeUndefined()
  expect(drawn.includes(words.halfCharacter.slice(0, 20))).toBe(true)
})

test('a long question keeps the line at the left', async () => {
  const { drawn } = await type('line', 'Which seat would you like to have on the flight that you are booking?', [ENTER])
  const lines = drawn.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '').split(/\r?\n/)

  expect(lines.filter((line) => /[a-z]/.test(line)).every((line) => /^[│|◆◇*] /.test(line))).toBe(true)
})

test('a terminal that says it has no columns is drawn like a usual one', async () => {
  const { prompts, look, type: press, drawn } = await openFakeTerminal({ columns: 0, rows: 0 })
  const chosen = prompts.choose('What do you want to do?', [{ value: 'send', label: 'Send to travel' }], { signal })
  await look('Send to travel')
  prompts.say('A block of ours')
  await press(ENTER)

  expect([await chosen, drawn().includes('What do you want to do?'), drawn().includes('A block of ours'), prompts.rows()]).toEqual(['send', true, true, 24])
})

test('one keyboard answers one question at a time, whoever asks', async () => {
  const { prompts, look, type, drawn } = await openFakeTerminal()
  const choices = [
    { value: 'stay', label: 'Stay' },
    { value: 'leave', label: 'Leave' },
  ] as const

  const first = prompts.choose('The first?', choices, { signal })
  const second = prompts.write('The second?', { kind: 'line', signal })
  await look('The first?')
  const isAlone = !drawn().includes('The second?')
  await type(DOWN, ENTER)
  const answer = await first
  await look('The second?')
  await type('hi', ENTER)

  expect([isAlone, answer, await second]).toEqual([true, 'leave', 'hi'])
})

test('a title that is wider than its frame stands above it', async () => {
  const output = Object.assign(new PassThrough(), { columns: 40 })
  const prompts = await createPrompts({ input: new PassThrough(), output })
  prompts.quote('name: Ada', 'This will be sent to mcp-server-everything')

  const lines = String(output.read())
    .split('\n')
    .map((line) => line.replaceAll(/\u001b\[[0-9;]*m/g, ''))
  expect(lines.filter((line) => line.length > 40)).toEqual([])
})

test.each<[string, (prompts: Prompts, signal: AbortSignal) => Promise<unknown>]>([
  ['a menu', (prompts, signal) => prompts.choose('Which?', [{ value: 'a', label: 'A' }], { signal })],
  ['a list of choices', (prompts, signal) => prompts.pick('Which?', [{ value: 'a', label: 'A' }], { initial: [], signal })],
  ['a text', (prompts, signal) => prompts.write('Which?', { kind: 'line', signal })],
  ['a text of several lines', (prompts, signal) => prompts.write('Which?', { kind: 'lines', signal })],
  ['a secret', (prompts, signal) => prompts.write('Which?', { kind: 'secret', signal })],
])('%s that nobody waits for any more is drawn as one that was left, and what is asked next stands below it', async (_, ask) => {
  const { prompts, look, drawn, type } = await openFakeTerminal()
  const asker = new AbortController()
  const first = ask(prompts, asker.signal)
  await look('Which?')
  asker.abort()
  const next = prompts.write('And now?', { kind: 'line', signal })
  await look('And now?')
  await type('x', ENTER)

  expect([await first, await next, drawn().includes('■  Which?')]).toEqual([undefined, 'x', true])
})

test('a secret is on no screen', async () => {
  const { prompts, look, raw, type } = await openFakeTerminal()
  const answer = prompts.write('Password?', { kind: 'secret', signal, check: (text) => Promise.resolve(text.length < 6 ? 'is too short' : undefined) })
  await look('Password?')
  await type('a', 'b', 'c', ENTER)
  await look('is too short')
  await type('d', 'e', 'f', ENTER)

  expect([await answer, /abc|def/.test(raw())]).toEqual(['abcdef', false])
})
