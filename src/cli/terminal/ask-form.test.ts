import { expect, test } from 'vitest'
import { matchPattern, parseForm } from '../../elicitation/index.ts'
import { Inbox } from '../../inbox/index.ts'
import type { Form, JsonObject, Origin, Settlement } from '../../protocol/index.ts'
import { openFakeTerminal, type FakeTerminal } from './fake-terminal.ts'
import { scriptPrompts, shiftTab, type Typed } from './scripted-prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

const SHIFT_TAB = '\u001b[Z'
const [ENTER, DOWN, UP, TAB, BACKSPACE] = ['\r', '\u001b[B', '\u001b[A', '\t', '\u007f']

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'a server of this test' } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}
const trip = parseForm({
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name', minLength: 2 },
    insurance: { type: 'boolean', title: 'Insurance' },
    meals: { type: 'array', title: 'Meals', items: { type: 'string', enum: ['vegan', 'halal'] } },
    remarks: { type: 'array', title: 'Remarks', items: { type: 'string' } },
  },
  required: ['name'],
})

async function review(form: Form, inbox: Inbox, draft: JsonObject = {}): Promise<Settlement<'form'>> {
  return inbox.review({ kind: 'form', origin, subject: { message: 'Please', form }, draft }, new AbortController().signal)
}

async function ask(
  form: Form,
  typed: readonly Typed[],
  draft?: JsonObject,
): Promise<{ settlement: Settlement<'form'>; shown: readonly string[]; left: number }> {
  const inbox = new Inbox()
  const { prompts, shown, left } = scriptPrompts(typed)
  attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.resolve() })
  return { settlement: await review(form, inbox, draft), shown, left: left.length }
}

test('each field says which one of how many it is', async () => {
  const { shown } = await ask(trip, ['answer', 'Ada', 'true', ['0'], '', 'decline'])

  expect(shown.filter((line) => / of 4 · /.test(line)).map((line) => line.split(' (')[0])).toEqual([
    '1 of 4 · Full name',
    '2 of 4 · Insurance',
    '3 of 4 · Meals',
    '4 of 4 · Remarks',
  ])
})

test('one field alone is not counted', async () => {
  const { shown } = await ask(parseForm({ type: 'object', properties: { n: { type: 'integer' } } }), ['answer', '1', 'cancel'])

  expect(shown.join('\n')).not.toMatch(/1 of 1|Shift-Tab goes back, /)
})

test('whoever goes back finds what they had answered, and what comes after it too', async () => {
  const { settlement, left } = await ask(trip, ['answer', 'Ada', 'true', ['1'], shiftTab, shiftTab, 'false', ['1'], 'window seat', 'send'])

  expect([settlement, left]).toMatchObject([
    { decision: { action: 'accept', content: { name: 'Ada', insurance: false, meals: ['halal'], remarks: ['window seat'] } } },
    0,
  ])
})

test('before the first field is where one can still decline', async () => {
  const { settlement, shown } = await ask(trip, ['answer', 'Ada', shiftTab, shiftTab, 'decline'])

  expect(settlement).toMatchObject({ decision: { action: 'decline' } })
  expect(shown.filter((line) => line.includes('[Answer | Decline | Cancel]')).length).toBe(2)
})

test('whoever goes back from what they wanted to edit sees again what would be sent, unchanged', async () => {
  const form = parseForm({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } })
  const { settlement } = await ask(form, ['answer', 'x', 'y', 'edit', shiftTab, 'edit', '0', shiftTab, 'send'])

  expect(settlement).toMatchObject({ decision: { content: { a: 'x', b: 'y' } } })
})

test('what is masked is kept, or typed anew, when one comes back to it', async () => {
  const form = parseForm({ type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' }, city: { type: 'string' } } })
  const kept = await ask(form, ['answer', 'ada', 'hunter2', shiftTab, 'keep', 'Bern', 'send'])
  const anew = await ask(form, ['answer', 'ada', 'hunter2', 'Bern', 'edit', '1', 'new', 'hunter3', 'send'])

  expect([kept.settlement, anew.settlement]).toMatchObject([
    { decision: { content: { password: 'hunter2' } } },
    { decision: { content: { password: 'hunter3' } } },
  ])
  expect([kept, anew].some(({ shown }) => shown.join('\n').includes('hunter'))).toBe(false)
})

test('what was filled in before is not counted away: the rest has the numbers that it has', async () => {
  const { shown } = await ask(trip, ['answer', ['0'], '', 'cancel'], { name: 'Ada', insurance: true })

  expect(shown.filter((line) => / of 4 · /.test(line)).map((line) => line.slice(0, 6))).toEqual(['3 of 4', '4 of 4'])
})

async function openTerminal(form: Form): Promise<{ terminal: FakeTerminal; settlement: Promise<Settlement<'form'>> }> {
  const terminal = await openFakeTerminal()
  const inbox = new Inbox()
  attachTerminal(inbox, { prompts: () => Promise.resolve(terminal.prompts), matchPattern, openUrl: () => Promise.resolve() })
  return { terminal, settlement: review(form, inbox) }
}

test('Shift-Tab goes back from a text, a menu, a list of choices and a text of several lines', async () => {
  const { terminal, settlement } = await openTerminal(trip)
  const { look, type } = terminal
  await look('What do you want to do?')
  await type(ENTER)
  await look('1 of 4')
  await type('Ada', ENTER)
  await look('2 of 4')
  await type(SHIFT_TAB)
  await look('1 of 4')
  await type(' L', ENTER)
  await look('2 of 4')
  await type(UP, UP, ENTER)
  await look('3 of 4')
  await type(SHIFT_TAB)
  await look('2 of 4')
  await type(ENTER)
  await look('3 of 4')
  await type(' ', ENTER)
  await look('4 of 4')
  await type(SHIFT_TAB)
  await look('3 of 4')
  await type(SHIFT_TAB)
  await look('2 of 4')
  await type(SHIFT_TAB)
  await look('1 of 4')
  await type(SHIFT_TAB)
  await look('What do you want to do?')
  await type(DOWN, ENTER)

  expect(await settlement).toMatchObject({ decision: { action: 'decline' } })
})

const proposed = parseForm({
  type: 'object',
  properties: { name: { type: 'string' }, note: { type: 'string', default: 'PROPOSED' }, lines: { type: 'array', items: { type: 'string' } } },
})

test('going back keeps each line as it was left: what was emptied stays empty, and what was begun goes on', async () => {
  const { terminal, settlement } = await openTerminal(proposed)
  const { look, type } = terminal
  await look('What do you want to do?')
  await type(ENTER)
  await look('1 of 3')
  await type('Ada', ENTER)
  await look('2 of 3')
  await type(...Array.from({ length: 8 }, () => BACKSPACE), SHIFT_TAB)
  await look('1 of 3')
  await type(ENTER)
  await look('2 of 3')
  await type(ENTER)
  await look('3 of 3')
  await type('one', SHIFT_TAB)
  await look('2 of 3')
  await type(ENTER)
  await look('3 of 3')
  await type('!', TAB, ENTER)
  await look('This will be sent')
  await type(UP, ENTER)

  expect(await settlement).toMatchObject({ decision: { action: 'accept', content: { name: 'Ada', note: null, lines: ['one!'] } } })
})

test('where there is nothing before, Shift-Tab moves in a menu, and does nothing in a text', async () => {
  const { prompts, look, type } = await openFakeTerminal()
  const { signal } = new AbortController()
  const chosen = prompts.choose(
    'Which?',
    [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
    { initial: 'b', signal },
  )
  await look('Which?')
  await type(SHIFT_TAB, ENTER)
  const written = prompts.write('What?', { kind: 'line', signal })
  await look('What?')
  await type('x', SHIFT_TAB, 'y', ENTER)

  expect([await chosen, await written]).toEqual(['a', 'xy'])
})

test('options that differ only far behind are shown as far as they differ, and those that look alike with their values', async () => {
  const start = 'x'.repeat(300)
  const account = {
    oneOf: [
      { const: 'a', title: `${start}1` },
      { const: 'b', title: `${start}2` },
      { const: 'c', title: 'Other' },
      { const: 'd', title: 'Other' },
    ],
  }

  const { shown } = await ask(parseForm({ type: 'object', properties: { account: { type: 'string', ...account } } }), ['answer', '0', 'cancel'])

  expect(shown.join('\n')).toMatch(new RegExp(`${start}1[^]*${start}2[^]*Other \\("c"\\)[^]*Other \\("d"\\)`))
})
