import { expect, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import { Policy, type Rule } from '../policy/index.ts'
import type { Decision, InputResponse, Origin, Review, Settlement } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { MOST_TRIES } from './failed-try.ts'
import { modelFailed } from './model-failure.ts'
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
  readonly reviews: Review[]
  readonly asked: string[]
  readonly answer: Promise<InputResponse>
  /** What is being asked next. */
  readonly next: (kind: Review['kind']) => Promise<Review>
  readonly decide: (review: Review, decision: Decision) => Promise<unknown>
}

/** A model that is down (`lab:off`), and one that answers (`lab:on`). */
function begin({
  rules = [],
  signal = new AbortController().signal,
  humanTimeoutMs,
}: { readonly rules?: readonly Rule[]; readonly signal?: AbortSignal; readonly humanTimeoutMs?: number } = {}): Scene {
  const inbox = new Inbox({ humanTimeoutMs })
  inbox.attach({ name: 'window', kinds: ['prompt', 'completion'] })
  const reviews: Review[] = []
  const asked: string[] = []
  const provider = createScriptedProvider((_request, model) => {
    asked.push(model)
    if (model === 'off')
      throw modelFailed('lab:off', 'could not be reached at 127.0.0.1:9', { spent: 'nothing', why: 'model-unreachable', facts: { host: '127.0.0.1:9' } })
    return { content: [{ type: 'text', text: 'The 10:05.' }], model }
  })
  const models = createModels({ entries: ['off', 'on'].map((model) => ({ provider: 'lab', model })), providers: new Map([['lab', provider]]) })
  let seen = 0
  let wake = (): void => undefined
  inbox.on('review-opened', (review) => {
    reviews.push(review)
    wake()
  })
  const needs = { policy: new Policy({ rules }), reviewer: inbox, capabilities: everything, models }
  const answer = sample({ kind: 'sampling', params, revision: '2025-11-25' }, origin, needs, signal)
  return {
    inbox,
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
  }
}

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

test('where a rule says yes nobody is asked: the request ends with the reason, for the log', async () => {
  const scene = begin({ rules: [{ request: 'sampling', decision: 'allow' }] })

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
