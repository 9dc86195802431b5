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
  warnings: [{ key: 'userinfo', code: 'userinfo', sentence: 'It names another host before the real one.' }],
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

test('of a message of many lines the beginning is quoted, and all of it for whoever asks', async () => {
  const message = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`).join('\n')
  const brief = await ask(form(message), ['decline'])
  const whole = await ask(form(message), ['show-all', 'decline'])

  expect(
    [brief, whole].map(({ shown }) => [shown.includes('line 8\n'), shown.includes('line 9\n'), shown.includes('492 more lines'), shown.includes('line 500')]),
  ).toEqual([
    [true, false, true, false],
    [true, true, true, true],
  ])
  expect([brief, whole].map(({ settlement }) => settlement)).toMatchObject([{ decision: { action: 'decline' } }, { decision: { action: 'decline' } }])
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

test('a terminal that fails is none any more: what waits ends as nobody’s, and it is said', async () => {
  const inbox = new Inbox()
  const { prompts } = scriptPrompts([])
  const faults: unknown[] = []
  const broken = new Error('the screen is gone')
  const say = (): never => {
    throw broken
  }
  attachTerminal(inbox, {
    prompts: () => Promise.resolve({ ...prompts, say }),
    matchPattern,
    openUrl: () => Promise.resolve(),
    onFault: (error) => faults.push(error),
  })
  const settlement = await inbox.review({ ...form(), origin }, new AbortController().signal)

  expect([settlement, inbox.canReview('form'), faults]).toEqual([{ outcome: 'nobody' }, false, [broken]])
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
    ['write', 'Take the 9:05.', 'edit', 'Take the 10:05.', 'send'],
  )

  expect(settlement).toMatchObject({ decision: { action: 'write', completion: { content: [{ type: 'text', text: 'Take the 10:05.' }], model: 'person' } } })
  expect(shown).toContain('travel says: [system] Be brief\n\n[user] Which flight?')
  expect(shown).toContain('This will be sent to travel: Take the 10:05.')
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

const folders = (...warned: readonly string[]): Omit<ReviewRequest<'folders'>, 'origin'> => ({
  kind: 'folders',
  subject: {
    proposed: [
      { path: '/w/trips', name: 'Trips', status: 'ok', uri: 'file:///w/trips', why: { key: 'holds-evidence', sentence: 'It holds .git.' } },
      { path: '/mnt/usb', status: 'missing', reason: { key: 'folder-missing', sentence: 'There is no such folder.' } },
      { path: '/w/clients', status: 'ok', uri: 'file:///w/clients', warning: { key: 'concern-shared', sentence: 'This folder is shared.' } },
    ],
  },
  draft: undefined,
  check: async (decision) =>
    decision.action !== 'grant'
      ? []
      : decision.roots
          .filter(({ path, confirmed }) => warned.includes(path) && !confirmed)
          .map(({ path }) => ({ field: path, problem: 'folder-unconfirmed', message: 'This folder is shared.' })),
})

test('each folder is shown with why, what the server would see and what is wrong with it; only those that are there can be picked', async () => {
  const { settlement, shown } = await ask(folders(), [['0'], 'run'])

  expect(settlement).toMatchObject({ decision: { action: 'grant', roots: [{ path: '/w/trips', name: 'Trips' }] } })
  expect(shown).toContain(
    'travel wants to know your folders to finish book_trip\nnode travel-server.js\nIt is only told: this does not keep it out of other folders.\nIt waits ten seconds',
  )
  expect(shown).toContain('/w/trips\n  It holds .git.\n  it would see file:///w/trips')
  expect(shown).toContain('/mnt/usb\n  There is no such folder.')
  expect(shown).toContain('/w/clients\n  it would see file:///w/clients\n  ! This folder is shared.')
  expect(shown).toContain('[/w/trips | /w/clients | Another folder]')
  expect(shown).toContain('This will be told to travel: file:///w/trips')
})

test.each([
  ['for this run', [['0'], 'run'], { action: 'grant' }],
  ['until it is revoked', [['0'], 'always'], { action: 'grant', remember: {} }],
  ['for some days', [['0'], 'days'], { action: 'grant', remember: { until: expect.any(Number) } }],
  ['no, in this run', [[], 'deny'], { action: 'deny' }],
  ['never', [[], 'never'], { action: 'deny', remember: {} }],
  ['nothing, with Ctrl-C at the folders', [undefined], { action: 'cancel' }],
  ['nothing, with Ctrl-C at the path', [['other'], undefined], { action: 'cancel' }],
  ['nothing, with Ctrl-C at the end', [['0'], undefined], { action: 'cancel' }],
] as const)('a person says %s', async (_, typed, decision) => {
  expect((await ask(folders(), typed)).settlement).toMatchObject({ outcome: 'decided', decision })
})

test('a person names folders that were not proposed', async () => {
  const { settlement, shown } = await ask(folders(), [['0', 'other'], ' ~/notes ', '/w/x', '', 'run'])

  expect(settlement).toMatchObject({ decision: { roots: [{ path: '/w/trips' }, { path: '~/notes' }, { path: '/w/x' }] } })
  expect(shown).toContain('This will be told to travel: file:///w/trips\n~/notes\n/w/x')
})

test('where nothing is proposed a person names a folder, or says no before a path has to be typed', async () => {
  const none = { kind: 'folders', subject: { proposed: [] }, draft: undefined } as const
  const [named, blank, denied] = [await ask(none, ['again', '/w/x', '', 'run']), await ask(none, ['again', '', 'deny']), await ask(none, ['never'])]

  expect([named, blank, denied].map(({ settlement }) => settlement)).toMatchObject([
    { decision: { action: 'grant', roots: [{ path: '/w/x' }] } },
    { decision: { action: 'deny' } },
    { decision: { action: 'deny', remember: {} } },
  ])
})

test('a folder with a warning is told after a second yes only, and to choose again is the safe answer', async () => {
  const told = await ask(folders('/w/clients'), [['0', '1'], 'always', 'tell'])
  const thought = await ask(folders('/w/clients'), [['1'], 'run', 'again', [], 'deny'])

  expect(told.settlement).toMatchObject({
    decision: { action: 'grant', roots: [{ path: '/w/trips' }, { path: '/w/clients', confirmed: true }], remember: {} },
  })
  expect(told.shown).toContain('/w/clients: This folder is shared.')
  expect(thought.settlement).toMatchObject({ decision: { action: 'deny' } })
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

test('what somebody is typing when the question is taken back is not sent, and they are told that it is not kept', async () => {
  const inbox = new Inbox()
  const asker = new AbortController()
  const { prompts, shown } = scriptPrompts(['answer', 'true', '2', ''])
  const write: typeof prompts.write = (question, options) => {
    if (!question.includes('note')) return prompts.write(question, options)
    options.onTyped?.()
    asker.abort(new Error('the server took it back'))
    return Promise.resolve(undefined)
  }
  attachTerminal(inbox, { prompts: () => Promise.resolve({ ...prompts, write }), matchPattern, openUrl: () => Promise.resolve() })

  expect(await inbox.review({ ...form(), origin }, asker.signal)).toMatchObject({ outcome: 'withdrawn' })
  expect(shown.slice(-2)).toEqual([
    expect.stringContaining('{"confirmBooking":true,"seats":2,"seatPreference":null}'),
    'What you were typing is not kept, and was not sent: it stands above.',
  ])
})

test('whoever had typed nothing is told nothing of what is not kept', async () => {
  const inbox = new Inbox()
  const asker = new AbortController()
  const { prompts, shown } = scriptPrompts(['answer', 'true', '2', ''])
  const write: typeof prompts.write = (question, options) => {
    if (question.includes('note')) asker.abort(new Error('the server took it back'))
    return question.includes('note') ? Promise.resolve(undefined) : prompts.write(question, options)
  }
  attachTerminal(inbox, { prompts: () => Promise.resolve({ ...prompts, write }), matchPattern, openUrl: () => Promise.resolve() })

  expect(await inbox.review({ ...form(), origin }, asker.signal)).toMatchObject({ outcome: 'withdrawn' })
  expect(shown.join('\n')).not.toContain('What you were typing')
})

test('what is taken back because of a decision is never drawn', async () => {
  const inbox = new Inbox()
  const asker = new AbortController()
  const { prompts, shown } = scriptPrompts(['decline'])
  attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.resolve() })
  const first = inbox.review({ ...form('first'), origin }, new AbortController().signal)
  const second = inbox.review({ ...form('second'), origin }, asker.signal)
  await first
  await new Promise(setImmediate)
  asker.abort(new Error('the call is over'))

  expect([await first, await second]).toMatchObject([{ outcome: 'decided' }, { outcome: 'withdrawn' }])
  expect([shown.join('\n').includes('second'), shown.join('\n').includes('does not wait')]).toEqual([false, false])
})

test('a question goes before the wait for somebody who is on a page, which is shown again afterwards', async () => {
  const inbox = new Inbox()
  const { prompts, shown } = scriptPrompts(['decline', 'continue'])
  let others: Promise<unknown> = Promise.resolve()
  let isFirst = true
  const choose: typeof prompts.choose = async (question, choices, options) => {
    if (!isFirst) return prompts.choose(question, choices, options)
    isFirst = false
    const closed = new Promise<undefined>((resolve) => options.signal.addEventListener('abort', () => resolve(undefined)))
    others = inbox.review({ ...form(), origin }, new AbortController().signal)
    return closed
  }
  attachTerminal(inbox, { prompts: () => Promise.resolve({ ...prompts, choose }), matchPattern, openUrl: () => Promise.resolve() })
  const waited = inbox.review({ kind: 'url-wait', origin, subject: { message: '', cards: [card] }, draft: undefined }, new AbortController().signal)

  expect([await waited, await others]).toMatchObject([{ decision: { action: 'continue' } }, { decision: { action: 'decline' } }])
  expect(shown.filter((text) => text.includes('waits until you are done on its web page'))).toHaveLength(2)
})
