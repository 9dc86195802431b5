import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { Inbox } from '../../inbox/index.ts'
import type { CompletionDraft, Draft, Origin, PromptDraft, PromptSubject, ReviewKind, ReviewRequest, Settlement } from '../../protocol/index.ts'
import { openFakeTerminal } from './fake-terminal.ts'
import { growText } from './grow-text.ts'
import { scriptPrompts, type Typed } from './scripted-prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const text = (words: string) => ({ type: 'text', text: words }) as const
const request = { messages: [{ role: 'user', content: [text('Which flight?')] }], maxTokens: 100 } as const
const estimate = { inputTokens: 1200, outputTokens: 100, cost: 0.0345, priceAsOf: '2026-11-01' }
const subject: PromptSubject = {
  request,
  choice: { model: 'lab:a', why: 'lab:a; first in your list', reasons: [] },
  estimate,
  models: [
    { model: 'lab:a', estimate, notes: [] },
    { model: 'lab:b', estimate: { inputTokens: 1200, outputTokens: 100 }, notes: [{ key: 'metadata-left-out', sentence: 'metadata' }] },
    { model: 'lab:c', estimate, notes: [], cannot: { key: 'model-without-tools', sentence: 'it uses no tools' } },
  ],
  limits: [{ limit: 'tokensPerDay', scope: 'server', allowed: 50_000, used: 48_800 }],
  notes: [{ key: 'context-not-given', sentence: 'It asked for more, and is given none' }],
  toolRounds: 3,
}

async function ask<Kind extends ReviewKind>(
  review: Omit<ReviewRequest<Kind>, 'origin'>,
  typed: readonly Typed[],
): Promise<{ readonly settlement: Settlement<Kind>; readonly shown: string; readonly left: Typed[] }> {
  const inbox = new Inbox()
  const { prompts, shown, left } = scriptPrompts(typed)
  const detach = attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern: () => Promise.resolve([]), openUrl: () => Promise.resolve() })
  const settlement = await inbox.review({ ...review, origin }, new AbortController().signal)
  detach()
  return { settlement, shown: shown.join('\n'), left }
}

const promptReview = (more: Partial<PromptSubject> = {}): Omit<ReviewRequest<'prompt'>, 'origin'> => {
  const shown = { ...subject, ...more }
  return { kind: 'prompt', subject: shown, draft: shown.request }
}

test('a prompt says what it would take, what is left, and what there is to mind, before anybody approves', async () => {
  const { settlement, shown } = await ask(promptReview({ request: { ...request, temperature: 0, stopSequences: ['END', '\u001b[2J'] } }), ['approve'])

  for (const line of [
    'Temperature: 0',
    'It stops at: "END" "\\u001b[2J"',
    'Model: lab:a (lab:a; first in your list)',
    'It would take about 1,200 tokens to read, 100 at most to answer, USD 0.035 at most (prices of 2026-11-01)',
    'Limits: 50,000 tokens a day for this server: 1,200 left',
    'Rounds of tool use before this: 3',
    'It asked for more, and is given none',
  ])
    expect(shown).toContain(line)
  expect(settlement).toMatchObject({ decision: { action: 'approve' } })
  expect(settlement).not.toHaveProperty('decision.request')
})

test('once, for this run, for some time and never are different answers', async () => {
  const decisions = []
  for (const choice of ['approve', 'run', 'always', 'deny', 'never']) decisions.push((await ask(promptReview(), [choice])).settlement)

  expect(decisions).toMatchObject([
    { decision: { action: 'approve' } },
    { decision: { action: 'approve', remember: { for: 'run' } } },
    { decision: { action: 'approve', remember: { for: 'always', until: expect.any(Number) } } },
    { decision: { action: 'deny' } },
    { decision: { action: 'deny', remember: { for: 'always' } } },
  ])
  expect(decisions[0]).not.toHaveProperty('decision.remember')
})

test('another model can be asked, with what it would take and would not be given', async () => {
  const { settlement, shown } = await ask(promptReview(), ['model', 'lab:b', 'approve'])

  expect(settlement).toMatchObject({ decision: { action: 'approve', model: 'lab:b' } })
  expect(shown).toContain('price unknown')
  expect(shown).toContain('\nmetadata')
  expect(shown).not.toContain('lab:c |')
})

test('what was taken out is named, and can be put back', async () => {
  const redacted = { ...request, messages: [{ role: 'user' as const, content: [text('[redacted:github-token]')] }] }
  const original = { ...request, messages: [{ role: 'user' as const, content: [text('the token itself')] }] }
  const parts = [{ path: 'messages[0].content[0].text', kinds: ['github-token'] }]
  const { settlement, shown } = await ask(promptReview({ request: redacted, redaction: { parts, original } }), ['back', 'approve'])

  expect(shown).toContain('Taken out before anybody sees it: github-token (messages[0].content[0].text)')
  expect(settlement).toMatchObject({ decision: { action: 'approve', request: original } })
})

test('whatever a person changed stays changed when what was taken out is put back', async () => {
  const redacted = { ...request, messages: [{ role: 'user' as const, content: [text('log in with [redacted:password]'), text('Hello')] }] }
  const original = { ...request, messages: [{ role: 'user' as const, content: [text('log in with hunter22'), text('Hello')] }] }
  const parts = [{ path: 'messages[0].content[0].text', kinds: ['password'] }]
  const typed = ['edit', '0', 'please log in with [redacted:password]', 'edit', '1', 'Good day', 'back', 'approve']
  const { settlement } = await ask(promptReview({ request: redacted, redaction: { parts, original } }), typed)

  expect(settlement).toMatchObject({
    decision: { action: 'approve', request: { messages: [{ content: [text('please log in with hunter22'), text('Good day')] }] } },
  })
})

test('models that change while somebody looks at a prompt are offered at once; what is not about them is not shown again', async () => {
  const inbox = new Inbox()
  const { prompts, shown } = scriptPrompts(['model', 'lab:b', 'approve'])
  let isWaiting = true
  const choose: typeof prompts.choose = (question, choices, options) => {
    if (!isWaiting) return prompts.choose(question, choices, options)
    isWaiting = false
    return new Promise((resolve) => options.signal.addEventListener('abort', () => resolve(undefined)))
  }
  const detach = attachTerminal(inbox, {
    prompts: () => Promise.resolve({ ...prompts, choose }),
    matchPattern: () => Promise.resolve([]),
    openUrl: () => Promise.resolve(),
  })
  let change: (next: PromptSubject) => void = () => undefined
  const person = { request, choice: { model: 'person', why: 'no model is configured' } }
  const review = { kind: 'prompt', origin, subject: person, draft: request, onOpen: (_draft: unknown, to: typeof change) => (change = to) } as const
  const settlement = inbox.review(review, new AbortController().signal)
  while (isWaiting) await new Promise(setImmediate)
  change(subject)

  expect(await settlement).toMatchObject({ decision: { action: 'approve', model: 'lab:b' } })
  expect(shown.filter((words) => words.includes('Which flight?'))).toHaveLength(2)
  expect(shown.join('\n')).toMatch(/No model: no model is configured[^]*Your language models have changed[^]*Model: lab:a/u)
  detach()
})

test('whoever changes a prompt and then writes the answer is told that the changes are for a model', async () => {
  const { settlement, shown } = await ask(promptReview(), ['edit', '0', 'Which train?', 'write', 'The 10:05.', 'send'])
  const unchanged = await ask(promptReview(), ['write', 'The 10:05.', 'send'])

  expect(settlement).toMatchObject({ decision: { action: 'write', completion: { content: [text('The 10:05.')] } } })
  expect([shown, unchanged.shown].map((words) => words.includes('You answer what travel asked'))).toEqual([true, false])
})

test('a prompt that a budget has no room for says so before anybody approves it, until its answer is short enough', async () => {
  const limits = [{ limit: 'tokensPerDay', scope: 'server', allowed: 1280, used: 0 }] as const
  const { shown } = await ask(promptReview({ ...subject, limits }), ['edit', 'tokens', '80', 'deny'])

  const told = '! It does not fit: it may take 1,300 tokens a day for this server, and 1,280 are left (an answer of 80 tokens fits).'
  expect(shown.split('It does not fit').length).toBe(2)
  expect(shown).toContain(told)
})

test('an answer that was begun in another window is gone on with in the terminal, and kept where somebody goes back', async () => {
  const review = promptReview()
  const { settlement } = await ask({ ...review, draft: { ...request, written: 'The 10:05.' } }, ['write', undefined, 'approve'])
  let written: string | undefined
  const onOpen = (draft: Draft<PromptDraft>): void => void draft.subscribe((value) => (written = value.written))
  await ask({ ...review, onOpen }, ['write', 'The 11:40.', 'back', 'edit', '0', 'Which train?', 'deny'])

  expect([settlement, written]).toMatchObject([{ decision: { action: 'approve', request: { messages: request.messages } } }, 'The 11:40.'])
})

test('tools are shown with what they take', async () => {
  const tools = [{ name: 'look', description: 'Looks\u001b[2J around', inputSchema: { type: 'object', properties: { where: {} } } }]
  const { shown } = await ask(promptReview({ request: { ...request, tools } }), ['deny'])

  expect(shown).toContain('[look] Looks␛[2J around\n{"type":"object","properties":{"where":{}}}')
})

interface Streaming {
  readonly review: Omit<ReviewRequest<'completion'>, 'origin'>
  readonly draft: Promise<Draft<CompletionDraft>>
}

function streaming(): Streaming {
  let open: (draft: Draft<CompletionDraft>) => void = () => undefined
  const draft = new Promise<Draft<CompletionDraft>>((resolve) => (open = resolve))
  const value: CompletionDraft = { content: [], model: 'tiny', progress: 'streaming' }
  return {
    review: { kind: 'completion', subject: { request, completion: { content: [], model: 'tiny' } }, draft: value, onOpen: (opened) => open(opened) },
    draft,
  }
}

const says = (words: string, progress: CompletionDraft['progress'] = 'streaming'): CompletionDraft => ({ content: [text(words)], model: 'tiny', progress })

test('an answer is written as it comes, made safe, and can be sent when it is whole', async () => {
  const { review, draft } = streaming()
  const asked = ask(review, ['send'])
  const seen = await draft
  await new Promise(setImmediate)
  seen.update(says('Take'))
  seen.update(says('Take \u001b[2J the \ud83d'))
  seen.update(says('Take \u001b[2J the \ud83d\ude42'))
  seen.update({ ...says('Take \u001b[2J the \ud83d\ude42', 'finished'), spent: { inputTokens: 20, outputTokens: 7, cost: 0.0009 } })
  const { settlement, shown } = await asked

  expect(shown).toContain('tiny writes (Ctrl-C stops it, and what has come stays): Take ␛[2J the 🙂\n')
  expect(shown).toContain('It took 20 tokens read, 7 answered, USD 0.0009')
  expect(settlement).toMatchObject({ decision: { action: 'approve' } })
})

test('Ctrl-C while an answer comes means Stop, and what has come can be sent or withheld', async () => {
  const { review, draft } = streaming()
  const asked = ask(review, ['stop', 'deny'])
  const seen = await draft
  await new Promise(setImmediate)
  seen.update(says('Take the'))
  const { settlement, shown, left } = await asked

  expect([seen.value.progress, left]).toEqual(['stopped', []])
  expect(shown).toContain('It was stopped, or broke off, here.')
  expect(settlement).toMatchObject({ decision: { action: 'deny' } })
})

test('a question about a budget has a safe way out, and says what was wanted', async () => {
  const limits = [
    { limit: 'costPerDay', scope: 'total', allowed: 5, used: 4.99 },
    { limit: 'costPerRun', scope: 'server', allowed: 2, used: 0.5, unpriced: 3 },
  ] as const
  const budget = { kind: 'budget', subject: { limits, wanted: estimate, choice: subject.choice }, draft: undefined } as const
  const decisions = []
  let words = ''
  for (const choice of ['wait', 'raise', 'stop', 'never', undefined]) {
    const { settlement, shown } = await ask<'budget'>(budget, [choice])
    decisions.push(settlement)
    words = shown
  }

  expect(words).toContain('travel asks for more than is left of what it may spend on language models')
  expect(words).toContain('5.00 USD a day for all servers together: 0.01 left')
  expect(words).toContain('2.00 USD in this run for this server: at most 1.50 left: the price of 3 requests is not known')
  expect(decisions).toMatchObject([
    { decision: { action: 'wait' } },
    { decision: { action: 'raise' } },
    { decision: { action: 'stop' } },
    { decision: { action: 'stop', remember: { for: 'always' } } },
    { decision: { action: 'cancel' } },
  ])
})

test('Ctrl-C is read from the keyboard itself while a text grows, and the keyboard is given back', () => {
  const input = Object.assign(new PassThrough(), { modes: [] as boolean[], setRawMode: (isRaw: boolean) => input.modes.push(isRaw) })
  const output = new PassThrough()
  let stops = 0
  const growing = growText({ input, output }, 'tiny writes', () => (stops += 1))
  growing.add('one\ntwo')
  input.emit('data', Buffer.from('x'))
  input.emit('data', Buffer.from('\u0003'))
  growing.add('not any more')
  input.emit('data', Buffer.from('\u0003'))
  growing.end()

  expect([stops, input.modes, input.listenerCount('data'), String(output.read())]).toEqual([1, [true, false], 0, '│\n│  tiny writes\none\r\ntwo\n'])
})

test('a model that gave no answer is told with its reason, and can be tried again', async () => {
  const failed = { key: 'model-unreachable', facts: { model: 'lab:a' }, sentence: 'lab:a could not be reached at 127.0.0.1:9' }
  const { settlement, shown } = await ask(promptReview({ failed }), ['approve'])

  expect(shown).toContain('! lab:a could not be reached at 127.0.0.1:9\nNothing was sent: travel still waits for your answer.')
  expect(shown).toContain('[Try again: ask lab:a | ')
  expect(settlement).toMatchObject({ decision: { action: 'approve', model: 'lab:a' } })
})

test('an answer that somebody leaves with Ctrl-C stands there when they come back, also after the question was shown again', async () => {
  const inbox = new Inbox()
  const terminal = await openFakeTerminal()
  const detach = attachTerminal(inbox, {
    prompts: () => Promise.resolve(terminal.prompts),
    matchPattern: () => Promise.resolve([]),
    openUrl: () => Promise.resolve(),
  })
  const settlement = inbox.review({ ...promptReview(), origin }, new AbortController().signal)
  const [ENTER, TAB, UP, CTRL_C] = ['\r', '\t', '\u001b[A', '\u0003']
  await terminal.look('Deny')
  await terminal.type(UP, UP, UP, ENTER)
  await terminal.look('Your answer')
  await terminal.type('T', 'a', 'k', 'e', ENTER, '2', CTRL_C)
  await terminal.look('What do you want to do?')
  await terminal.type(UP, UP, UP, ENTER)
  await terminal.look('Your answer')
  await terminal.type('!', TAB, ENTER)
  await terminal.look('What do you want to do?')
  await terminal.type(UP, ENTER)

  expect(await settlement).toMatchObject({ decision: { action: 'write', completion: { content: [text('Take\n2!')] } } })
  detach()
})
