import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import { Grants, MemorySpending, Policy, type PolicyOptions } from '../policy/index.ts'
import type { Completion, Decision, InputResponse, Origin, Review, ReviewKind } from '../protocol/index.ts'
import { LazyStore } from '../store/index.ts'
import { createModels } from './create-models.ts'
import { sample } from './sampling.ts'
import { createSamplingMemory, type SamplingMemory } from './sampling-memory.ts'
import { createScriptedProvider } from './scripted-provider.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const said: Completion = { content: [text('The 10:05.')], model: 'tiny', stopReason: 'endTurn', usage: { input: 20, output: 10 } }
const params = { messages: [{ role: 'user', content: text('Which flight?') }], maxTokens: 100 }
const everything = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const originOf = (name: string): Origin => ({
  server: { name, named: true, target: { kind: 'custom', description: name } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
})

interface Desk {
  readonly inbox: Inbox
  readonly policy: Policy
  readonly shown: Review[]
  readonly asked: unknown[]
  ask(more?: { readonly params?: unknown; readonly server?: string }): Promise<InputResponse>
}

type Decides = { readonly [Kind in ReviewKind]?: Decision<Kind> | ((review: Review) => Decision<Kind>) | undefined }

/** A desk with one person, who decides by kind; without a decision, the review waits. */
function openDesk(decides: Decides, { policy: options = {}, memory = createSamplingMemory() }: { policy?: PolicyOptions; memory?: SamplingMemory } = {}): Desk {
  const inbox = new Inbox()
  inbox.attach({ name: 'window', kinds: ['prompt', 'completion', 'budget'] })
  const shown: Review[] = []
  inbox.on('review-opened', (review) => {
    shown.push(review)
    const decide = decides[review.kind] as Decision | ((review: Review) => Decision) | undefined
    if (decide !== undefined) void inbox.decide(review.id, typeof decide === 'function' ? decide(review) : decide, 'window')
  })
  const asked: unknown[] = []
  const provider = createScriptedProvider((request) => {
    asked.push(request.messages)
    return said
  })
  const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', cost: { input: 1, output: 1 } }], providers: new Map([['lab', provider]]) })
  const policy = new Policy(options)
  return {
    inbox,
    policy,
    shown,
    asked,
    ask: ({ params: given = params, server = 'travel' } = {}) =>
      sample(
        { kind: 'sampling', params: given, revision: '2025-11-25' },
        originOf(server),
        { policy, reviewer: inbox, capabilities: everything, models, memory },
        new AbortController().signal,
      ),
  }
}

const kinds = ({ shown }: Desk): readonly string[] => shown.map(({ kind }) => kind)
const approve = { action: 'approve' } as const

function openGrants(): { readonly grants: Grants } {
  const folder = mkdtempSync(join(tmpdir(), 'consentry-remembered-'))
  const store = new LazyStore({ file: join(folder, 'consentry.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { grants: new Grants({ store }) }
}

test('"don’t ask again in this run" holds from the next request on, for this server alone, and ends with the run', async () => {
  const { grants } = openGrants()
  const decides = { prompt: { ...approve, remember: { for: 'run' } }, completion: approve } as const
  const desk = openDesk(decides, { memory: createSamplingMemory(grants) })
  const first = await desk.ask()
  const second = await desk.ask()
  const before = kinds(desk)
  await desk.ask({ server: 'notes' })
  const restarted = openDesk(decides, { memory: createSamplingMemory(grants) })
  await restarted.ask()

  expect(before).toEqual(['prompt', 'completion'])
  expect([first, second]).toMatchObject([{ by: 'person' }, { by: 'rule', facts: { remembered: 'run' } }])
  expect([kinds(desk).length, kinds(restarted)]).toEqual([4, ['prompt', 'completion']])
})

test('"always" and "never" survive a restart as such, until they are revoked', async () => {
  const { grants } = openGrants()
  const open = (decides: Decides): Desk => openDesk(decides, { memory: createSamplingMemory(grants) })
  await open({ prompt: { ...approve, remember: { for: 'always' } }, completion: approve }).ask()
  const always = open({})
  const allowed = await always.ask()
  const [grant] = await grants.list()
  await grants.revoke(grant!.id)
  const denied = await open({ prompt: { action: 'deny', remember: { for: 'always' } } }).ask()
  const never = open({})
  const refused = await never.ask()

  expect([allowed, denied, refused]).toMatchObject([
    { outcome: 'answered', by: 'rule', facts: { remembered: 'always' } },
    { outcome: 'refused', by: 'person', error: { code: 'SAMPLING_DENIED' } },
    { outcome: 'refused', by: 'rule', error: { code: 'SAMPLING_DENIED' }, facts: { remembered: 'always' } },
  ])
  expect([kinds(always), kinds(never), grant]).toMatchObject([[], [], { kind: 'sampling', server: 'travel', details: { says: 'allow', skip: 'both' } }])
})

test.each([
  ['prompt', ['completion']],
  ['completion', ['prompt']],
] as const)('a person may skip only the %s', async (skip, left) => {
  const desk = openDesk({ prompt: { ...approve, remember: { for: 'run', skip } }, completion: approve })
  await desk.ask()
  desk.shown.length = 0
  await desk.ask()

  expect(kinds(desk)).toEqual(left)
})

test('a rule may skip either review, and leave the other', async () => {
  const seen = []
  for (const review of ['prompt', 'completion', undefined] as const) {
    const desk = openDesk({ prompt: approve, completion: approve }, { policy: { rules: [{ request: 'sampling', decision: 'allow', review }] } })
    const answer = await desk.ask()
    seen.push([kinds(desk), answer.outcome === 'answered' ? answer.by : answer])
  }

  expect(seen).toEqual([
    [['prompt'], 'person'],
    [['completion'], 'person'],
    [[], 'rule'],
  ])
})

test('nothing that was remembered stands in where a rule, a doubt or "always ask me" says that a person is asked', async () => {
  const memory = createSamplingMemory()
  await memory.consents.remember(originOf('travel').server, 'allow', { for: 'run' })
  const stdio = new Map([['travel', { kind: 'stdio', command: 'node', args: ['other.js'] } as const]])
  const firm: readonly PolicyOptions[] = [{ rules: [{ decision: 'ask' }] }, { alwaysAsk: true }, { knownServers: stdio }]
  const asked = []
  for (const policy of firm) {
    const desk = openDesk({ prompt: { action: 'deny' } }, { policy, memory })
    await desk.ask()
    asked.push(kinds(desk))
  }

  expect(asked).toEqual([['prompt'], ['prompt'], ['prompt']])
})

test('what cannot be read as a wish to remember keeps the review open', async () => {
  const desk = openDesk({})
  void desk.ask()
  while (desk.shown.length === 0) await new Promise(setImmediate)
  const results = []
  for (const remember of [{}, { for: 'ever' }, { for: 'run', until: 1 }, { for: 'run', skip: 'all' }])
    results.push(await desk.inbox.decide(desk.shown[0]!.id, { action: 'approve', remember } as unknown as Decision, 'window'))
  desk.inbox.close()

  expect(results).toMatchObject(['remember.for', 'remember.for', 'remember.until', 'remember.skip'].map((field) => ({ status: 'faulty', faults: [{ field }] })))
})

const limited = (tokensPerDay: number): PolicyOptions => ({
  rules: [{ request: 'sampling', decision: 'allow' }],
  sampling: { servers: new Map([['travel', { limits: { tokensPerDay } }]]) },
  spending: new MemorySpending(),
})

test('a budget that is used up is one question for each server, however many requests wait for it', async () => {
  const desk = openDesk({}, { policy: limited(150) })
  await desk.ask()
  const waiting = [desk.ask(), desk.ask(), desk.ask()]
  while (desk.shown.length === 0) await new Promise(setImmediate)
  const [review] = desk.shown
  await desk.inbox.decide(review!.id, { action: 'raise', by: 4 }, 'window')
  const answers = await Promise.all(waiting)

  expect(desk.shown.map(({ kind, subject }) => ({ kind, subject }))).toMatchObject([
    {
      kind: 'budget',
      subject: { limits: [{ limit: 'tokensPerDay', scope: 'server', allowed: 150, used: 138 }], wanted: { outputTokens: 100 }, choice: { model: 'lab:tiny' } },
    },
  ])
  expect(answers.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'answered'])
})

test.each([
  ['run', ['budget']],
  ['day', []],
] as const)('a budget that is raised for the %s is asked about again after a restart, or is not', async (lasts, asked) => {
  const policy = limited(150)
  const desk = openDesk({ budget: { action: 'raise', by: 2, lasts } }, { policy })
  const answers = [await desk.ask(), await desk.ask(), await desk.ask()]
  const restarted = openDesk({ budget: { action: 'cancel' } }, { policy })
  await restarted.ask()

  expect([answers.map(({ outcome }) => outcome), kinds(desk), kinds(restarted)]).toEqual([['answered', 'answered', 'answered'], ['budget'], asked])
})

test.each([0, -3, NaN, Infinity, '1000'])('a raise by %s gives what is wanted, and no more than once the amount', async (by) => {
  const policy = limited(150)
  const desk = openDesk({ budget: { action: 'raise', by: by as number } }, { policy })
  for (let count = 0; count < 3; count += 1) await desk.ask()

  expect(await desk.policy.limitsOf({ kind: 'sampling', origin: originOf('travel') })).toMatchObject([{ allowed: 300 }])
})

test('"wait" refuses without asking again until there is room, "stop" says no for the run, closing the question is neither', async () => {
  const refusals = []
  for (const action of ['wait', 'stop', 'cancel'] as const) {
    const desk = openDesk({ budget: { action } }, { policy: limited(50) })
    const first = await desk.ask()
    const second = await desk.ask()
    const ends = [first, second].map((answer) => (answer.outcome === 'refused' ? [answer.error.code, answer.by, answer.facts?.['said']] : answer))
    refusals.push([...ends, kinds(desk).length])
  }

  expect(refusals).toEqual([
    [['LIMIT_REACHED', 'rule', 'wait'], ['LIMIT_REACHED', 'rule', 'wait'], 1],
    [['LIMIT_REACHED', 'person', 'stop'], ['SAMPLING_DENIED', 'rule', undefined], 1],
    [['LIMIT_REACHED', 'rule', 'cancel'], ['LIMIT_REACHED', 'rule', 'cancel'], 2],
  ])
})

test('whoever says yes to a prompt that a budget has no room for is asked for room each time, and the end is the limit’s', async () => {
  const desk = openDesk({ prompt: approve, budget: { action: 'wait' } }, { policy: { ...limited(50), rules: [] } })
  const ends = [await desk.ask(), await desk.ask()]

  expect(kinds(desk)).toEqual(['prompt', 'budget', 'prompt', 'budget'])
  expect(ends).toMatchObject(
    ends.map(() => ({
      outcome: 'refused',
      by: 'rule',
      facts: { model: 'lab:tiny', limit: 'tokensPerDay', scope: 'server', allowed: 50, remaining: 50, said: 'wait' },
    })),
  )
})

test.each([
  ['requestsPerMinute', 'limit-of-rate', { allowed: 1, seconds: 60 }],
  ['atOnce', 'limit-at-once', { allowed: 1 }],
] as const)('a yes that %s keeps from its model leaves the question open, with why, and an answer can be written', async (limit, key, facts) => {
  const policy: PolicyOptions = { sampling: { servers: new Map([['travel', { limits: { [limit]: 1 } }]]) } }
  const written = { action: 'write', completion: { content: [{ type: 'text', text: 'The 10:05.' }], model: 'person' } } as const
  const yes = (review: Review): Decision<'prompt'> => ('failed' in review.subject && review.subject.failed ? written : approve)
  const desk = openDesk({ prompt: yes }, { policy })
  await desk.policy.reserve({ kind: 'sampling', origin: originOf('travel') })
  const second = await desk.ask()

  expect(desk.shown.map(({ kind, subject }) => [kind, 'failed' in subject ? subject.failed?.key : undefined])).toEqual([
    ['prompt', undefined],
    ['prompt', key],
  ])
  expect(desk.shown[1]?.subject).toMatchObject({ failed: { key, facts } })
  expect(second).toMatchObject({ outcome: 'answered', by: 'person', facts: { written: true } })
})

test('a rate over its limit asks nobody, and says how long to wait', async () => {
  const policy = { rules: [{ request: 'sampling', decision: 'allow', limits: { requestsPerMinute: 1 } }] } as const
  const desk = openDesk({}, { policy })
  await desk.ask()
  const second = await desk.ask()

  expect(second).toMatchObject({ outcome: 'refused', by: 'rule', error: { code: 'LIMIT_REACHED', data: { limit: 'requestsPerMinute' } } })
  expect((second as unknown as { error: { data: { retryAfterSeconds: number } } }).error.data.retryAfterSeconds).toBeGreaterThan(0)
  expect(desk.shown).toEqual([])
})

test('an answer is cut to what a budget has left, and it is said; where that is too little, the budget is the question', async () => {
  const policy: PolicyOptions = { sampling: { servers: new Map([['travel', { limits: { tokensPerDay: 1000 } }]]) } }
  const desk = openDesk({ prompt: { action: 'deny' } }, { policy })
  await desk.ask({ params: { ...params, maxTokens: 9000 } })

  expect(desk.shown[0]?.subject).toMatchObject({
    request: { maxTokens: 992 },
    limits: [{ limit: 'tokensPerDay', scope: 'server', allowed: 1000, used: 0 }],
    notes: [{ key: 'answer-cut-to-budget', facts: { tokens: 992 } }],
    estimate: { inputTokens: 8, outputTokens: 992, cost: 0.001 },
    models: [{ model: 'lab:tiny' }],
  })
})

test('a tool loop has an end, which is the user’s to set, and the review says how far it is', async () => {
  const loop = (rounds: number): object => ({
    ...params,
    tools: [{ name: 'look', inputSchema: { type: 'object' } }],
    messages: [
      params.messages[0],
      ...Array.from({ length: rounds }, (_, index) => [
        { role: 'assistant', content: { type: 'tool_use', id: `c${index}`, name: 'look', input: {} } },
        { role: 'user', content: { type: 'tool_result', toolUseId: `c${index}`, content: [] } },
      ]).flat(),
    ],
  })
  const desk = openDesk({ prompt: { action: 'deny' } }, { policy: { sampling: { total: { toolRounds: 3 }, servers: new Map() } } })
  await desk.ask({ params: loop(2) })
  const over = await desk.ask({ params: loop(3) })

  expect(desk.shown.map(({ subject }) => subject)).toMatchObject([{ toolRounds: 2, choice: { model: 'person', why: 'no configured model uses tools' } }])
  expect(over).toMatchObject({ outcome: 'refused', by: 'rule', error: { code: 'LIMIT_REACHED', data: { limit: 'toolRounds', allowed: 3 } } })
})

const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`

test('what looks like a secret is taken out before anybody sees it, the person sees where, and may put it back', async () => {
  const servers = new Map([['*', { redact: true }]])
  const asking = { ...params, systemPrompt: `use ${token}`, messages: [{ role: 'user', content: [text('hi'), text(`my key: ${token}`)] }] }
  const plain = openDesk({ prompt: approve, completion: approve }, { policy: { sampling: { servers } } })
  const answered = await plain.ask({ params: asking })
  const back = openDesk(
    { prompt: (review) => ({ ...approve, request: (review as Review<'prompt'>).subject.redaction!.original }), completion: approve },
    { policy: { sampling: { servers } } },
  )
  await back.ask({ params: asking })

  expect(JSON.stringify(plain.asked)).not.toContain(token)
  expect(plain.shown[0]?.subject).toMatchObject({
    request: { systemPrompt: 'use [redacted:github-token]' },
    redaction: {
      parts: [
        { path: 'systemPrompt', kinds: ['github-token'] },
        { path: 'messages[0].content[1].text', kinds: ['github-token'] },
      ],
    },
  })
  expect(answered).toMatchObject({ facts: { redacted: ['github-token', 'github-token'], promptEdited: false } })
  expect(JSON.stringify(back.asked)).toContain(token)
})

test('the audit log is told no words, unless the user wants them, and never a secret', async () => {
  const asking = { ...params, messages: [{ role: 'user', content: text(`Which flight? ${token}`) }] }
  const open = (keepText: boolean): Desk =>
    openDesk({ prompt: approve, completion: approve }, { policy: { sampling: { servers: new Map([['travel', { keepText }]]) } } })
  const [silent, kept] = [await open(false).ask({ params: asking }), await open(true).ask({ params: asking })]

  expect(JSON.stringify((silent as { facts: object }).facts)).not.toMatch(/flight|10:05/)
  expect(kept).toMatchObject({ facts: { prompt: '[user] Which flight? [redacted:github-token]', answer: 'The 10:05.' } })
})

test('a server that asks for context of others is given none, and the person is told', async () => {
  const desk = openDesk({ prompt: approve, completion: approve })
  await desk.ask({ params: { ...params, includeContext: 'allServers' } })

  expect(desk.shown[0]?.subject).toMatchObject({ notes: [{ key: 'context-not-given', facts: { asked: 'allServers' } }] })
  expect(desk.asked).toEqual([[{ role: 'user', content: [text('Which flight?')] }]])
})
