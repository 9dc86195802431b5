import { expect, test } from 'vitest'
import { matchPattern, parseForm } from '../../elicitation/index.ts'
import { Inbox } from '../../inbox/index.ts'
import type { Form, Origin, Phrase, ReviewRequest, Settlement } from '../../protocol/index.ts'
import { scriptPrompts, type Typed } from './scripted-prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } },
  connection: 'c1',
  client: 'Cursor',
  era: 'legacy',
  revision: '2025-11-25',
}
const noon = new Date(2026, 10, 29, 12, 0).getTime()
const never = new AbortController().signal

function openTerminal(typed: readonly Typed[]): { readonly inbox: Inbox; readonly shown: string[]; readonly time: { now: number } } {
  const time = { now: noon }
  const inbox = new Inbox({ now: () => time.now })
  const { prompts, shown } = scriptPrompts(typed)
  attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.resolve() })
  return { inbox, shown, time }
}

const confirm = parseForm({ type: 'object', properties: {} })

function question(form: Form = confirm, more: { readonly because?: Phrase; readonly check?: ReviewRequest<'form'>['check'] } = {}): ReviewRequest<'form'> {
  return { kind: 'form', origin, subject: { message: 'Book?', form, because: more.because }, draft: {}, sameness: 'book', check: more.check }
}

function ask(inbox: Inbox, request: ReviewRequest<'form'> = question()): Promise<Settlement<'form'>> {
  return inbox.review(request, never)
}

test('a question says who started its server, how often it was asked before, why a person is asked, and until when it waits', async () => {
  const { inbox, shown, time } = openTerminal(['decline', 'decline', 'decline'])
  await ask(inbox)
  time.now += 60_000
  await ask(inbox)
  time.now += 60_000
  await ask(inbox, question(confirm, { because: { key: 'rule-other-form', sentence: 'rules[0] was written for another form.' } }))
  const heads = shown.filter((text) => text.startsWith('travel wants'))

  expect(heads).toEqual([
    'travel wants you to confirm something\nnode travel.js\nIt was started by Cursor\nIt waits for your answer until 12:30 at most',
    'travel wants you to confirm something\nnode travel.js\nIt was started by Cursor\nIt asked the same before, at 12:00.\nIt waits for your answer until 12:31 at most',
    'travel wants you to confirm something\nnode travel.js\nIt was started by Cursor\nIt asked the same 2 times before: first at 12:00, last at 12:01.\nIt waits for your answer until 12:32 at most',
  ])
  expect(shown).toContain('You are asked because: rules[0] was written for another form.')
})

test('a server that asks again can be stopped for this run, and what it had waiting ends', async () => {
  const { inbox, shown } = openTerminal(['decline', 'stop'])
  await ask(inbox)
  const [second, third] = [ask(inbox), ask(inbox)]

  expect([await second, await third, await ask(inbox)]).toMatchObject([
    { outcome: 'decided', decision: { action: 'cancel', stopAsking: true } },
    { outcome: 'muted' },
    { outcome: 'muted' },
  ])
  expect(shown.some((text) => text.includes('Stop: show nothing more of travel in this run'))).toBe(true)
})

test.each([
  ['all', ['accept', 'accept', 'accept']],
  ['each', ['accept', 'decline', 'decline']],
])('questions that read the same get one answer only where the person says so (%s)', async (chosen, expected) => {
  const { inbox, shown } = openTerminal(['send', chosen, ...(chosen === 'each' ? ['decline', 'each', 'decline'] : [])])
  const ends = await Promise.all([ask(inbox), ask(inbox), ask(inbox)])

  expect(ends.map((end) => end.outcome === 'decided' && end.decision.action)).toEqual(expected)
  expect(shown).toContain('travel has asked exactly the same 2 times more. The same answer to all of them? [No, ask me each time | Yes, the same answer]')
})

test('what is sent is marked where it differs from what the server proposed, and a secret is not repeated', async () => {
  const form = parseForm({
    type: 'object',
    properties: {
      nights: { type: 'integer', default: 3 },
      city: { type: 'string', default: 'Bern' },
      pin: { type: 'string', title: 'Card PIN', default: '1234' },
    },
  })
  const { inbox, shown } = openTerminal(['answer', '5', '', '9999', 'send'])
  await ask(inbox, question(form))

  expect(shown).toContain('nights: changed; the server proposed 3\ncity: left out; the server proposed "Bern"\nCard PIN: changed')
  expect(shown.join('\n')).not.toContain('9999')
})

test('answers that did not fit are kept, secrets too, and asked for again where they are wrong only', async () => {
  const form = parseForm({ type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } })
  let checks = 0
  const check: ReviewRequest<'form'>['check'] = () =>
    Promise.resolve((checks += 1) === 1 ? [{ field: 'user', problem: 'too-short', facts: { minimum: 4 }, message: 'is too short: at least 4 characters' }] : [])
  const { inbox } = openTerminal(['answer', 'ada', 'hunter2', 'send', 'edit', '0', 'adalovelace', 'send'])

  expect(await ask(inbox, question(form, { check }))).toMatchObject({ decision: { content: { user: 'adalovelace', password: 'hunter2' } } })
})

test('what was filled in before the server gave up is said, is there when the same is asked again, and only the rest is asked then', async () => {
  const form = parseForm({ type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' }, city: { type: 'string' } } })
  const asker = new AbortController()
  const inbox = new Inbox()
  const { prompts, shown, left } = scriptPrompts(['answer', 'ada', 'hunter2', 'answer', 'hunter3', 'Bern', 'show', 'send'])
  const write: typeof prompts.write = async (question, options) => {
    if (!question.includes('city') || asker.signal.aborted) return prompts.write(question, options)
    asker.abort(new Error('the server timed out'))
    return undefined
  }
  attachTerminal(inbox, { prompts: () => Promise.resolve({ ...prompts, write }), matchPattern, openUrl: () => Promise.resolve() })
  const first = await inbox.review(question(form), asker.signal)
  const second = await ask(inbox, question(form))

  expect([first, second, left]).toMatchObject([
    { outcome: 'withdrawn' },
    { decision: { action: 'accept', content: { user: 'ada', password: 'hunter3', city: 'Bern' } } },
    [],
  ])
  expect(shown).toContain('Nothing was sent. What you had filled in is there again if the same is asked within ten minutes: {"user":"ada"}')
  expect(shown.filter((text) => text.includes('user (optional'))).toHaveLength(1)
})

test('hidden values are shown only where the person says so', async () => {
  const form = parseForm({ type: 'object', properties: { pin: { type: 'string', title: 'Card PIN' } } })
  const { inbox, shown } = openTerminal(['answer', '9999', 'show', 'send'])
  await ask(inbox, question(form))
  const sent = shown.filter((text) => text.startsWith('This will be sent'))

  expect(sent.map((text) => text.includes('9999'))).toEqual([false, true])
})
