import { expect, test } from 'vitest'
import { matchPattern, parseForm, readValues } from '../../elicitation/index.ts'
import { Inbox } from '../../inbox/index.ts'
import type { Origin, ReviewRequest, SamplingRequest, Settlement, UrlCard } from '../../protocol/index.ts'
import { scriptPrompts, type Typed } from './scripted-prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel-server.js'] } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
  call: { kind: 'tool', name: 'book_trip' },
}
const booking = parseForm({
  type: 'object',
  properties: {
    confirmBooking: { type: 'boolean', title: 'Confirm the booking' },
    seats: { type: 'integer', minimum: 1, maximum: 3 },
    seatPreference: { type: 'string', enum: ['window', 'aisle'] },
    note: { type: 'string' },
  },
  required: ['confirmBooking'],
})
const card: UrlCard = {
  url: 'https://evil.example/x?next=https://bank.example',
  host: 'evil.example',
  site: 'evil.example',
  verdict: 'warn',
  warnings: [{ code: 'userinfo', sentence: 'It names another host before the real one.' }],
}
const sampling: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Which flight?' }] }], systemPrompt: 'Be brief', maxTokens: 100 }

async function ask<Kind extends ReviewRequest<'form'>['kind'] | 'url' | 'prompt' | 'completion' | 'folders'>(
  request: Omit<ReviewRequest<Kind>, 'origin'>,
  typed: readonly Typed[],
): Promise<{ settlement: Settlement<Kind>; shown: string; left: number; opened: string[] }> {
  const inbox = new Inbox()
  const { prompts, shown, left } = scriptPrompts(typed)
  const opened: string[] = []
  const detach = attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: async (url) => void opened.push(url) })
  const settlement = await inbox.review({ ...request, origin }, new AbortController().signal)
  detach()
  return { settlement, shown: shown.join('\n'), left: left.length, opened }
}

const form = (message = 'Please confirm'): Omit<ReviewRequest<'form'>, 'origin'> => ({
  kind: 'form',
  subject: { message, form: booking },
  draft: {},
  check: async (decision) => {
    if (decision.action !== 'accept') return []
    const result = await readValues(booking, decision.content, { matchPattern })
    return result.ok ? [] : result.faults
  },
})

test('a form is answered field by field, reviewed, and sent as it was shown', async () => {
  const { settlement, shown, left } = await ask(form(), ['answer', 'true', '2', '1', '', 'send'])

  expect({ settlement, left }).toEqual({
    settlement: {
      outcome: 'decided',
      decision: { action: 'accept', content: { confirmBooking: true, seats: 2, seatPreference: 'aisle', note: null } },
      by: 'person',
      surface: 'terminal',
    },
    left: 0,
  })
  expect(shown).toContain('travel wants to know 4 things to finish book_trip')
  expect(shown).toContain('This will be sent to travel: {\n  "confirmBooking": true,\n  "seats": 2,\n  "seatPreference": "aisle"\n}')
})

test('a field that does not fit is asked again, with its constraint', async () => {
  const { settlement, shown } = await ask(form(), ['answer', 'false', '7', '3', '', '', 'send'])

  expect(settlement).toMatchObject({ decision: { content: { confirmBooking: false, seats: 3, seatPreference: null } } })
  expect(shown.match(/seats \(optional/g)).toHaveLength(2)
})

test('what was typed can be edited before it is sent', async () => {
  const { settlement } = await ask(form(), ['answer', 'true', '1', '', '', 'edit', '1', '2', 'send'])

  expect(settlement).toMatchObject({ decision: { action: 'accept', content: { seats: 2 } } })
})

test.each([
  ['declining at once', ['decline'], 'decline'],
  ['cancelling at once', ['cancel'], 'cancel'],
  ['Ctrl-C at once', [undefined], 'cancel'],
  ['Ctrl-C in a field', ['answer', undefined], 'cancel'],
  ['declining after filling in', ['answer', 'true', '1', '', '', 'decline'], 'decline'],
  ['Ctrl-C at the end', ['answer', 'true', '1', '', '', undefined], 'cancel'],
] as const)('rule 2: %s sends nothing but what it means', async (_, typed, action) => {
  const { settlement } = await ask(form(), typed)

  expect(settlement).toMatchObject({ outcome: 'decided', decision: { action } })
})

test('rule 3: words of a server are quoted under its name and act on nothing', async () => {
  const { shown } = await ask(form('\u001b[2JSystem: all is well\u202e'), ['cancel'])

  expect(shown).toContain('travel says: ␛[2JSystem: all is well<U+202E>')
})

test('an empty form is a confirmation with Send, Decline and Cancel, and Enter alone sends nothing', async () => {
  const empty = parseForm({ type: 'object', properties: {} })

  const { settlement, shown } = await ask({ kind: 'form', subject: { message: 'Buy bread?', form: empty }, draft: {} }, ['send'])

  expect(settlement).toMatchObject({ decision: { action: 'accept', content: {} } })
  expect(shown).toContain('[Send to travel | Decline | Cancel]')
})

test('a secret is masked where it is shown and kept out of the draft', async () => {
  const secret = parseForm({ type: 'object', properties: { password: { type: 'string', format: 'password' } }, required: ['password'] })
  const inbox = new Inbox()
  const { prompts, shown } = scriptPrompts(['answer', 'hunter2', 'send'])
  let draft: unknown
  inbox.on('review-opened', (review) => review.draft.subscribe((value: unknown) => (draft = value)))
  attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.resolve() })

  await inbox.review({ kind: 'form', origin, subject: { message: 'Sign in', form: secret }, draft: {} }, new AbortController().signal)

  expect({ draft, isShown: shown.join().includes('hunter2') }).toEqual({ draft: {}, isShown: false })
})

test('a URL is shown whole with host and warnings, and opened only after consent', async () => {
  const { settlement, shown, opened } = await ask({ kind: 'url', subject: { message: 'Sign in', card }, draft: undefined }, ['open'])

  expect({ settlement, opened }).toMatchObject({ settlement: { decision: { action: 'accept' } }, opened: [card.url] })
  expect(shown).toContain(`Host: evil.example\n${card.url}\n! It names another host before the real one.`)
})

test('a URL that is declined or closed is never opened', async () => {
  const declined = await ask({ kind: 'url', subject: { message: 'Sign in', card }, draft: undefined }, ['decline'])
  const closed = await ask({ kind: 'url', subject: { message: 'Sign in', card }, draft: undefined }, [undefined])

  expect([declined, closed]).toMatchObject([
    { settlement: { decision: { action: 'decline' } }, opened: [] },
    { settlement: { decision: { action: 'cancel' } }, opened: [] },
  ])
})

test('a prompt is shown whole, and where no model can answer a person writes', async () => {
  const { settlement, shown } = await ask(
    { kind: 'prompt', subject: { request: sampling, choice: { model: 'person', why: 'no model is configured' } }, draft: sampling },
    ['write', 'Take the 10:05.'],
  )

  expect(settlement).toMatchObject({ decision: { action: 'write', completion: { content: [{ type: 'text', text: 'Take the 10:05.' }], model: 'person' } } })
  expect(shown).toContain('travel says: [system] Be brief\n\n[user] Which flight?')
  expect(shown).not.toContain('Approve')
})

test('a prompt can be edited and its limit lowered, never raised, before a model sees it', async () => {
  const { settlement } = await ask(
    { kind: 'prompt', subject: { request: sampling, choice: { model: 'openai:small', why: 'the cheapest' } }, draft: sampling },
    ['edit', 'tokens', '500', 'edit', 'tokens', '50', 'edit', '0', 'Which train?', 'approve'],
  )

  expect(settlement).toMatchObject({
    decision: { action: 'approve', request: { maxTokens: 50, messages: [{ role: 'user', content: [{ type: 'text', text: 'Which train?' }] }] } },
  })
})

test('a completion is shown, edited and sent, or withheld', async () => {
  const completion = { content: [{ type: 'text' as const, text: 'Take the 10:05.' }], model: 'small' }
  const request = { kind: 'completion' as const, subject: { request: sampling, completion }, draft: completion }

  const edited = await ask(request, ['edit', 'Take the 11:00.', 'send'])
  const withheld = await ask(request, ['deny'])

  expect([edited.settlement, withheld.settlement]).toMatchObject([
    { decision: { action: 'approve', completion: { content: [{ text: 'Take the 11:00.' }], model: 'small' } } },
    { decision: { action: 'deny' } },
  ])
})

test('folders are told only if they were picked and confirmed', async () => {
  const proposed = [
    { path: '/w/trips', name: 'Trips', status: 'ok' as const },
    { path: '/w/clients', status: 'ok' as const },
  ]
  const request = { kind: 'folders' as const, subject: { proposed }, draft: undefined }

  const told = await ask(request, [['0'], 'tell'])
  const none = await ask(request, [[], 'deny'])

  expect([told.settlement, none.settlement]).toMatchObject([
    { decision: { action: 'grant', roots: [{ path: '/w/trips', name: 'Trips' }] } },
    { decision: { action: 'deny' } },
  ])
})

test('a question that is taken back while it is on the screen ends there, and the next one is shown', async () => {
  const inbox = new Inbox()
  const asker = new AbortController()
  const { prompts, shown } = scriptPrompts(['decline'])
  let announceShown = (): void => undefined
  const isShown = new Promise<void>((resolve) => (announceShown = resolve))
  let isFirst = true
  const choose: typeof prompts.choose = (question, choices, options) => {
    if (!isFirst) return prompts.choose(question, choices, options)
    isFirst = false
    announceShown()
    return new Promise((resolve) => options.signal.addEventListener('abort', () => resolve(undefined)))
  }
  attachTerminal(inbox, { prompts: () => Promise.resolve({ ...prompts, choose }), matchPattern, openUrl: () => Promise.resolve() })
  const first = inbox.review({ ...form('first'), origin }, asker.signal)
  const second = inbox.review({ ...form('second'), origin }, new AbortController().signal)

  await isShown
  asker.abort(new Error('the server took it back'))

  expect([await first, await second]).toMatchObject([{ outcome: 'withdrawn' }, { outcome: 'decided', decision: { action: 'decline' } }])
  expect(shown.join('\n')).toContain('travel does not wait for this any more: the server took it back')
})
