import { expect, test } from 'vitest'
import { matchPattern, parseForm } from '../../elicitation/index.ts'
import { Inbox } from '../../inbox/index.ts'
import type { Origin, Settlement } from '../../protocol/index.ts'
import { openFakeTerminal, type FakeTerminal } from './fake-terminal.ts'
import { PASTE_MODE } from './key-reader.ts'
import { attachTerminal } from './terminal-surface.ts'
import { words } from './words.ts'

const [ENTER, UP, DOWN, TAB, CTRL_C, CTRL_D] = ['\r', '\u001b[A', '\u001b[B', '\t', '\u0003', '\u0004']
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`
const choices = ['first', 'second', 'third'].map((value) => ({ value, label: `the ${value}` }))
const never = new AbortController().signal

async function openMenu(): Promise<FakeTerminal & { readonly answer: Promise<string | undefined> }> {
  const terminal = await openFakeTerminal()
  const answer = terminal.prompts.choose('Which one?', choices, { initial: 'first', signal: never })
  await terminal.look('Which one?')
  return { ...terminal, answer }
}

test.each([
  ['arrows', [DOWN, DOWN, UP, ENTER], 'second'],
  ['arrows held down', [`${DOWN}${DOWN}`, ENTER], 'third'],
  ['Tab', [TAB, ENTER], 'second'],
  ['Enter', [ENTER], 'first'],
  ['a sequence that came in two pieces', ['\u001b', '[B', ENTER], 'second'],
])('a menu is answered with %s', async (_, keys, expected) => {
  const { answer, type } = await openMenu()
  await type(...keys)

  expect(await answer).toBe(expected)
})

test.each([
  ['a letter', 'j', words.textIgnored],
  ['a digit', '3', words.textIgnored],
  ['a paste', paste('kind regards\r'), words.pasteIgnored],
  ['a paste of two lines', paste('ok, thank you\rbye'), words.pasteIgnored],
  ['a paste with Ctrl-C in it', paste('a\u0003b\r'), words.pasteIgnored],
  ['a text with Enter at once, where the terminal does not tell a paste', 'kind regards\r', words.textIgnored],
  ['an arrow and Enter at once', `${DOWN}${ENTER}`, words.textIgnored],
  ['Ctrl-D', CTRL_D, words.textIgnored],
])('%s at a menu does nothing, and says so', async (_, keys, sentence) => {
  const { answer, type, look } = await openMenu()
  await type(keys)
  await look(sentence.slice(0, 40))
  await type(ENTER)

  expect(await answer).toBe('first')
})

test('what was typed before a menu can have been read is thrown away, and so is Enter after a text', async () => {
  const { answer, type, typeAhead, look } = await openMenu()
  await typeAhead(ENTER, ENTER)
  await look(words.tooSoon)
  await type('y')
  await typeAhead(ENTER)
  await look(words.tooSoon)
  await type(DOWN, ENTER)

  expect(await answer).toBe('second')
})

test('the terminal says what is pasted while we ask, and not after', async () => {
  const { answer, type, raw } = await openMenu()
  const isOn = raw().includes(PASTE_MODE.on) && !raw().includes(PASTE_MODE.off)
  await type(ENTER)
  await answer

  expect({ isOn, isOff: raw().lastIndexOf(PASTE_MODE.off) > raw().lastIndexOf(PASTE_MODE.on) }).toEqual({ isOn: true, isOff: true })
})

test('prompts leave no listener at the signal of their review', async () => {
  const { prompts, type, look } = await openFakeTerminal()
  const { signal } = new AbortController()
  let listeners = 0
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (...details: Parameters<typeof add>) => {
    listeners += 1
    add(...details)
  }
  signal.removeEventListener = (...details: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...details)
  }
  const answers: unknown[] = []
  for (let round = 0; round < 12; round += 1) {
    const answer = prompts.choose(`Question ${round}`, choices, { signal })
    await look(`Question ${round}`)
    await type(ENTER)
    answers.push(await answer)
  }

  expect({ answers: answers.length, listeners }).toEqual({ answers: 12, listeners: 0 })
})

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}

function askForm(
  terminal: FakeTerminal,
  properties: Record<string, object> = { name: { type: 'string' } },
): { inbox: Inbox; end: Promise<Settlement<'form'>> } {
  const inbox = new Inbox()
  attachTerminal(inbox, { prompts: () => Promise.resolve(terminal.prompts), matchPattern, openUrl: () => Promise.resolve() })
  const subject = { message: 'Who are you?', form: parseForm({ type: 'object', properties }) }
  return { inbox, end: inbox.review({ kind: 'form', origin, subject, draft: {} }, never) }
}

test('a paste where a form would be sent sends nothing', async () => {
  const terminal = await openFakeTerminal()
  const { inbox, end } = askForm(terminal)
  await terminal.look('What do you want to do?')
  await terminal.type(ENTER)
  await terminal.look('name (optional')
  await terminal.type('Ada', ENTER)
  await terminal.look('What do you want to do?')
  await terminal.type(paste('kind regards\r'), 'j', 'k\r', paste('ok\rbye\r'))
  await terminal.look(words.pasteIgnored.slice(0, 40))
  const waiting = inbox.size
  await terminal.type(CTRL_C)

  expect({ waiting, end: await end }).toMatchObject({ waiting: 1, end: { decision: { action: 'cancel' } } })
})

test.each(['end', 'error'] as const)('a terminal that is gone (%s) ends what waits as nobody there, never as a decision of a person', async (how) => {
  const terminal = await openFakeTerminal()
  const { inbox, end } = askForm(terminal)
  await terminal.look('What do you want to do?')
  if (how === 'end') terminal.input.end()
  else terminal.input.destroy(new Error('EIO'))

  expect({ end: await end, canAsk: inbox.canReview('form') }).toEqual({ end: { outcome: 'nobody' }, canAsk: false })
})

test('a terminal that was gone before it is asked answers nothing', async () => {
  const terminal = await openFakeTerminal()
  terminal.input.end()
  const { end } = askForm(terminal)

  expect(await end).toEqual({ outcome: 'nobody' })
})
