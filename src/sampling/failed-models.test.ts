import { expect, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import { Policy, type Rule } from '../policy/index.ts'
import type { Decision, InputResponse, Origin, Review, Settlement } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { MOST_TRIES } from './failed-try.ts'
import { modelFailed } from './model-failure.ts'
import type { ModelProvider } from './model-provider.ts'
import { createSamplingMemory, type SamplingMemory } from './sampling-memory.ts'
import { sample } from './sampling.ts'
import { createScriptedProvider } from './scripted-provider.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'travel' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const everything = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Which flight?' } }], maxTokens: 100 }

interface Scene {
  readonly inbox: Inbox
  /** The only window goes. */
  readonly leave: () => void
  readonly reviews: Review[]
  readonly asked: string[]
  readonly answer: Promise<InputResponse>
  /** What is being asked next. */
  readonly next: (kind: Review['kind']) => Promise<Review>
  readonly decide: (review: Review, decision: Decision) => Promise<unknown>
  /** Ends the patience with `lab:late`. */
  readonly failNow: () => void
}

/** A model that is down (`lab:off`), one that answers (`lab:on`), and one that is awaited until it fails (`lab:late`). */
function begin({
  rules = [],
  signal = new AbortController().signal,
  humanTimeoutMs,
  isAlone = false,
  memory,
}: {
  readonly rules?: readonly Rule[]
  readonly signal?: AbortSignal
  readonly humanTimeoutMs?: number
  readonly isAlone?: boolean
  readonly memory?: SamplingMemory
} = {}): Scene {
  const inbox = new Inbox({ humanTimeoutMs })
  const leave = inbox.attach({ name: 'window', kinds: ['prompt', 'completion'] })
  if (isAlone) leave()
  const reviews: Review[] = []
  const asked: string[] = []
  let failNow = (): void => undefined
  const failing = new Promise<void>((resolve) => (failNow = resolve))
  const awaited: ModelProvider = {
    leavesOut: () => [],
    async complete(_request, { onPart }) {
      onPart?.({ completion: { content: [], model: 'late' }, received: 0 })
      await failing
      throw modelFailed('lab:late', 'did not answer within 300 seconds', { why: 'model-late', facts: { seconds: 300 } })
    },
  }
  const provider = createScriptedProvider((_request, model) => {
    asked.push(model)
    if (model === 'off')
      throw modelFailed('lab:off', 'could not be reached at 127.0.0.1:9', { spent: 'nothing', why: 'model-unreachable', facts: { host: '127.0.0.1:9' } })
    return { content: [{ type: 'text', text: 'The 10:05.' }], model }
  })
  const lab: ModelProvider = {
    ...provider,
    complete: (request, options) => (options.model === 'late' ? awaited : provider).complete(request, options),
  }
  const models = createModels({ entries: ['off', 'on', 'late'].map((model) => ({ provider: 'lab', model })), providers: new Map([['lab', lab]]) })
  let seen = 0
  let wake = (): void => undefined
  inbox.on('review-opened', (review) => {
    reviews.push(review)
    wake()
  })
  const needs = { policy: new Policy({ rules }), reviewer: inbox, capabilities: everything, models, memory }
  const answer = sample({ kind: 'sampling', params, revision: '2025-11-25' }, origin, needs, signal)
  return {
    inbox,
    leave,
    reviews,
    asked,
    answer,
    async next(kind) {
      while (reviews.length <= seen) await new Promise<void>((resolve) => (wake = resolve))
      const review = reviews[seen]!
      seen += 1
      expect(review.kind).toBe(kind)
      return review
    },
    decide: (review, decision) => inbox.decide(review.id, decision, 'window'),
    failNow,
  }
}

const late = { key: 'model-late', facts: { model: 'lab:late', seconds: 300 }, sentence: 'lab:late did not answer within 300 seconds' }
const allowed: readonly Rule[] = [{ request: 'sampling', decision: 'allow' }]
const other = { action: 'approve', model: 'lab:on' } as const
const unreachable = { key: 'model-unreachable', facts: { model: 'lab:off', host: '127.0.0.1:9' }, sentence: 'lab:off could not be reached at 127.0.0.1:9' }

test('a model that fails leaves the question open, with the reason, and what was edited; another model answers it', async () => {
  const scene = begin()
  const first = (await scene.next('prompt')) as Review<'prompt'>
  const edited = { ...first.subject.request, systemPrompt: 'Be brief' }
  await scene.decide(first, { action: 'approve', request: edited })
  const second = (await scene.next('prompt')) as Review<'prompt'>

  expect([first.subject.failed, second.subject.failed, second.subject.choice.model, second.draft.value]).toEqual([undefined, unreachable, 'lab:off', edited])
  await scene.decide(second, { action: 'approve', model: 'lab:on', request: edited })
  await scene.decide(await scene.next('completion'), { action: 'approve' })
  expect(await scene.answer).toMatchObject({
    outcome: 'answered',
    by: 'person',
    result: { content: { text: 'The 10:05.' } },
    facts: { model: 'lab:on', promptEdited: true, failures: [unreachable.sentence] },
  })
})

test('a yes without words of its own, after a try that failed, sends what the person had made of the request', async () => {
  const scene = begin()
  const first = (await scene.next('prompt')) as Review<'prompt'>
  await scene.decide(first, { action: 'approve', request: { ...first.subject.request, systemPrompt: 'Be brief' } })
  await scene.decide(await scene.next('prompt'), other)
  const completion = (await scene.next('completion')) as Review<'completion'>
  await scene.decide(completion, { action: 'approve' })

  expect([completion.subject.request.systemPrompt, await scene.answer]).toMatchObject(['Be brief', { facts: { promptEdited: true } }])
})

test('the model that a person had named is the one that is tried again', async () => {
  const scene = begin()
  await scene.decide(await scene.next('prompt'), { action: 'approve', model: 'lab:off' })
  const again = await scene.next('prompt')
  await scene.decide(again, { action: 'approve' })
  await scene.decide(await scene.next('prompt'), { action: 'cancel' })

  expect(scene.asked).toEqual(['off', 'off'])
  expect(await scene.answer).toMatchObject({
    outcome: 'refused',
    by: 'person',
    error: { code: 'NO_ONE_TO_ASK' },
    facts: { failures: [unreachable.sentence, unreachable.sentence] },
  })
})

test.each<[string, Decision<'prompt'>, object]>([
  [
    'written by hand',
    { action: 'write', completion: { content: [{ type: 'text', text: 'Mine' }], model: 'person' } },
    { outcome: 'answered', result: { content: { text: 'Mine' } } },
  ],
  ['denied', { action: 'deny' }, { outcome: 'refused', by: 'person', error: { code: 'SAMPLING_DENIED' } }],
])('after a model failed the answer can be %s', async (_, decision, end) => {
  const scene = begin()
  await scene.decide(await scene.next('prompt'), { action: 'approve' })
  await scene.decide(await scene.next('prompt'), decision)

  expect(await scene.answer).toMatchObject({ ...end, facts: { failures: [unreachable.sentence] } })
})

test('a model that fails once its answer is awaited ends the look at it with why, and nobody has taken anything back', async () => {
  const scene = begin()
  const closed: Settlement<'completion'>[] = []
  scene.inbox.on('review-closed', ({ review, settlement }) => review.kind === 'completion' && closed.push(settlement as Settlement<'completion'>))
  await scene.decide(await scene.next('prompt'), { action: 'approve', model: 'lab:late' })
  await scene.next('completion')
  scene.failNow()
  const again = (await scene.next('prompt')) as Review<'prompt'>
  await scene.decide(again, { action: 'deny' })

  expect(closed).toEqual([{ outcome: 'withdrawn', reason: late.sentence, failure: late }])
  expect([again.subject.failed, (await scene.answer).outcome]).toEqual([late, 'refused'])
})

test('a model that is stopped before it has said anything leaves the question open, as one that failed', async () => {
  const scene = begin()
  await scene.decide(await scene.next('prompt'), { action: 'approve', model: 'lab:late' })
  const awaited = (await scene.next('completion')) as Review<'completion'>
  awaited.draft.update({ ...awaited.draft.value, progress: 'stopped' })
  const again = (await scene.next('prompt')) as Review<'prompt'>
  await scene.decide(again, other)
  await scene.decide(await scene.next('completion'), { action: 'approve' })

  expect(again.subject.failed).toMatchObject({ key: 'model-stopped', facts: { model: 'lab:late' } })
  expect(await scene.answer).toMatchObject({ outcome: 'answered', facts: { model: 'lab:on' } })
})

test('a question that is taken back, or whose time is over, ends after a failed model as before it', async () => {
  const asker = new AbortController()
  const takenBack = begin({ signal: asker.signal })
  await takenBack.decide(await takenBack.next('prompt'), { action: 'approve' })
  const open = await takenBack.next('prompt')
  asker.abort(new Error('the call was cancelled'))
  const late = begin({ humanTimeoutMs: 200 })
  await late.decide(await late.next('prompt'), { action: 'approve' })

  expect(await takenBack.answer).toEqual({ outcome: 'withdrawn', reason: 'the call was cancelled' })
  expect(takenBack.inbox.get(open.id)).toBeUndefined()
  expect(await late.answer).toMatchObject({ outcome: 'refused', unanswered: 'timed-out' })
})

test('where a rule had said yes, somebody who is there is asked how it goes on, and nothing more than that', async () => {
  const scene = begin({ rules: allowed })
  const open = (await scene.next('prompt')) as Review<'prompt'>
  await scene.decide(open, other)

  expect(open.subject.failed).toEqual(unreachable)
  expect(await scene.answer).toMatchObject({
    outcome: 'answered',
    by: 'person',
    result: { content: { text: 'The 10:05.' } },
    facts: { model: 'lab:on', failures: [unreachable.sentence] },
  })
  expect([scene.reviews.length, scene.asked]).toEqual([1, ['off', 'on']])
})

test('where a rule leaves the answer to a person, they see it, whichever model it is of', async () => {
  const scene = begin({ rules: [{ request: 'sampling', decision: 'allow', review: 'completion' }] })
  await scene.decide(await scene.next('prompt'), other)
  await scene.decide(await scene.next('completion'), { action: 'approve' })

  expect(await scene.answer).toMatchObject({ outcome: 'answered', by: 'person', facts: { model: 'lab:on' } })
})

test('what a person had remembered is asked about again where its model fails, and holds on for the next request', async () => {
  const memory = createSamplingMemory()
  await memory.consents.remember(origin.server, 'allow', { for: 'run' })
  const scene = begin({ memory })
  await scene.decide(await scene.next('prompt'), { action: 'deny' })

  expect(await scene.answer).toMatchObject({ outcome: 'refused', by: 'person', error: { code: 'SAMPLING_DENIED' } })
  expect(await memory.consents.find(origin.server)).toMatchObject({ says: 'allow', for: 'run' })
})

test('where the only window goes while somebody is asked, the request ends with why its model failed', async () => {
  const scene = begin({ rules: allowed })
  await scene.next('prompt')
  scene.leave()

  expect(await scene.answer).toMatchObject({ outcome: 'refused', by: 'none', error: { code: 'MODEL_FAILED' }, facts: { reason: unreachable.sentence } })
})

test('where a rule says yes and nobody is there, the request ends with the reason, for the log', async () => {
  const scene = begin({ rules: allowed, isAlone: true })

  expect(await scene.answer).toMatchObject({
    outcome: 'refused',
    by: 'none',
    error: { code: 'MODEL_FAILED' },
    facts: { model: 'lab:off', reason: unreachable.sentence },
  })
  expect([scene.reviews, scene.asked]).toEqual([[], ['off']])
})

test('a program that says yes to everything is not asked for ever', async () => {
  const scene = begin()
  const closed: Settlement<'prompt'>['outcome'][] = []
  scene.inbox.on('review-closed', ({ settlement }) => closed.push(settlement.outcome))
  for (let tries = 0; tries < MOST_TRIES; tries += 1) await scene.decide(await scene.next('prompt'), { action: 'approve' })

  expect(await scene.answer).toMatchObject({ outcome: 'refused', by: 'none', error: { code: 'MODEL_FAILED' } })
  expect([scene.asked.length, closed.length]).toEqual([MOST_TRIES, MOST_TRIES])
})
