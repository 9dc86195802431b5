import { expect, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import { Policy, MemorySpending, type Rule } from '../policy/index.ts'
import type { Completion, CompletionDraft, InputResponse, Origin, Review } from '../protocol/index.ts'
import type { AskOptions, ProviderAnswer } from './model-provider.ts'
import { modelFailed } from './model-failure.ts'
import type { Models } from './models.ts'
import { sample } from './sampling.ts'
import { createSamplingMemory } from './sampling-memory.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Which flight?' } }], maxTokens: 100 }
const everything = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const says = (text: string): Completion => ({ content: [{ type: 'text', text }], model: 'tiny' })
const whole: Completion = { ...says('Take the 10:05.'), stopReason: 'endTurn', usage: { input: 20, output: 7 } }

/** A model that says what a test tells it to, when the test tells it to. */
class Speaker implements Models {
  readonly size = 1
  signal: AbortSignal | undefined
  #onPart: AskOptions['onPart']
  #end: ((answer: ProviderAnswer | Error) => void) | undefined
  readonly begun: Promise<void>
  #begin: () => void = () => undefined

  constructor() {
    this.begun = new Promise((resolve) => (this.#begin = resolve))
  }

  list(): ReturnType<Models['list']> {
    return [{ provider: 'lab', model: 'tiny', cost: { input: 10, output: 100 } }]
  }

  leavesOut(): readonly [] {
    return []
  }

  complete(_name: string, _request: unknown, signal: AbortSignal, onPart: AskOptions['onPart']): Promise<ProviderAnswer> {
    this.signal = signal
    this.#onPart = onPart
    onPart?.({ completion: { content: [], model: 'tiny' }, received: 0 })
    return new Promise((resolve, reject) => {
      this.#end = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer))
      this.#begin()
    })
  }

  say(text: string): void {
    this.#onPart?.({ completion: says(text), received: text.length })
  }

  end(answer: ProviderAnswer | Error = whole): void {
    this.#end?.(answer)
  }
}

interface Scene {
  readonly inbox: Inbox
  readonly model: Speaker
  readonly spending: MemorySpending
  readonly asker: AbortController
  readonly answer: Promise<InputResponse>
  /** The review of the answer, once it is open. */
  readonly review: Promise<Review<'completion'>>
}

/** A request whose prompt is approved at once, so that its answer streams into a review. */
function begin(rules: readonly Rule[] = [{ decision: 'allow', request: 'sampling', review: 'completion' }]): Scene {
  const inbox = new Inbox()
  inbox.attach({ name: 'window', kinds: ['prompt', 'completion', 'budget'] })
  const model = new Speaker()
  const spending = new MemorySpending()
  const policy = new Policy({ rules, spending })
  const asker = new AbortController()
  const review = new Promise<Review<'completion'>>((resolve) => {
    inbox.on('review-opened', (opened) => (opened.kind === 'completion' ? resolve(opened) : undefined))
  })
  const needs = { policy, reviewer: inbox, capabilities: everything, models: model, memory: createSamplingMemory() }
  const answer = sample({ kind: 'sampling', params, revision: '2025-11-25' }, origin, needs, asker.signal)
  return { inbox, model, spending, asker, answer, review }
}

const spent = async ({ spending }: Scene): Promise<unknown> => (await spending.history(0)).map(({ tokens, outputTokens }) => ({ tokens, outputTokens }))

test('a person sees the answer grow from the first word on, and it is whole in the end', async () => {
  const scene = begin()
  const review = await scene.review
  const seen: (readonly [string | undefined, number])[] = []
  const note = ({ progress, content }: CompletionDraft): unknown => seen.push([progress, content[0]?.type === 'text' ? content[0].text.length : 0])
  note(review.draft.value)
  review.draft.subscribe(note)
  scene.model.say('Take')
  scene.model.say('Take the')
  scene.model.end()
  await Promise.resolve()
  while (review.draft.value.progress !== 'finished') await new Promise(setImmediate)

  expect(await scene.inbox.decide(review.id, { action: 'approve' }, 'window')).toEqual({ status: 'decided' })
  expect(seen).toEqual([
    ['streaming', 0],
    ['streaming', 4],
    ['streaming', 8],
    ['finished', 15],
  ])
  expect(review.draft.value).toMatchObject({ answer: whole, spent: { inputTokens: 20, outputTokens: 7, cost: 0.0009 } })
  expect(await scene.answer).toMatchObject({
    outcome: 'answered',
    by: 'person',
    result: { content: { type: 'text', text: 'Take the 10:05.' }, stopReason: 'endTurn' },
    facts: { rule: 'rules[0]', completionEdited: false },
  })
})

test('what nobody has seen whole cannot be sent', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take')

  expect(await scene.inbox.decide(review.id, { action: 'approve' }, 'window')).toMatchObject({ status: 'faulty', faults: [{ problem: 'still-streaming' }] })
  scene.model.end()
  expect((await scene.inbox.decide(review.id, { action: 'deny' }, 'window')).status).toBe('decided')
  expect(await scene.answer).toMatchObject({ outcome: 'refused', error: { code: 'SAMPLING_DENIED' } })
})

test('Stop ends the model at once, keeps what has come, and books it', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take the')
  review.draft.update({ ...review.draft.value, progress: 'stopped' })
  await new Promise(setImmediate)

  expect(scene.model.signal?.aborted).toBe(true)
  expect(review.draft.value).toMatchObject({ progress: 'stopped', content: says('Take the').content, spent: { estimated: true } })
  scene.model.say('Take the 10:05, which nobody wants to hear any more')
  await scene.inbox.decide(review.id, { action: 'approve' }, 'window')
  expect(await scene.answer).toMatchObject({ result: { content: { text: 'Take the' } }, facts: { end: 'stopped', estimated: true } })
  expect(await spent(scene)).toEqual([{ tokens: 16, outputTokens: 8 }])
})

test('words of a person stop the model, and are not written over', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take the')
  review.draft.update({ ...review.draft.value, ...says('Take the train.') })
  scene.model.say('Take the 10:05')
  await new Promise(setImmediate)

  expect([scene.model.signal?.aborted, review.draft.value.progress, review.draft.value.content]).toEqual([true, 'stopped', says('Take the train.').content])
  await scene.inbox.decide(review.id, { action: 'approve', completion: review.draft.value }, 'window')
  expect(await scene.answer).toMatchObject({ result: { content: { text: 'Take the train.' }, model: 'tiny' }, facts: { completionEdited: true } })
})

test('whoever sends their own words while the model speaks has it stopped', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take')

  expect(await scene.inbox.decide(review.id, { action: 'approve', completion: says('The train.') }, 'window')).toEqual({ status: 'decided' })
  expect(await scene.answer).toMatchObject({ result: { content: { text: 'The train.' } }, facts: { completionEdited: true } })
  expect(scene.model.signal?.aborted).toBe(true)
})

test.each(['deny', 'cancel'] as const)('%s ends the model at once, and what had come is booked', async (action) => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take')
  await scene.inbox.decide(review.id, { action }, 'window')

  expect(await scene.answer).toMatchObject({ outcome: 'refused', facts: { inputTokens: 8, outputTokens: 4, estimated: true } })
  expect(scene.model.signal?.aborted).toBe(true)
  expect(await spent(scene)).toEqual([{ tokens: 12, outputTokens: 4 }])
})

test('a request that is taken back ends the model and its review, and what had come is booked', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take')
  scene.asker.abort(new Error('the call was cancelled'))

  expect(await scene.answer).toEqual({ outcome: 'withdrawn', reason: 'the call was cancelled' })
  expect([scene.model.signal?.aborted, scene.inbox.get(review.id)]).toEqual([true, undefined])
  expect(await spent(scene)).toEqual([{ tokens: 12, outputTokens: 4 }])
})

test('an answer that breaks off is shown as far as it came, with the reason, for the person to judge', async () => {
  const scene = begin()
  const review = await scene.review
  scene.model.say('Take the')
  scene.model.end(modelFailed('lab:tiny', 'gave no answer'))
  while (review.draft.value.progress !== 'stopped') await new Promise(setImmediate)

  expect(review.draft.value.notes).toMatchObject([{ key: 'answer-broke-off', sentence: 'The answer broke off before its end: lab:tiny gave no answer' }])
  await scene.inbox.decide(review.id, { action: 'approve' }, 'window')
  expect(await scene.answer).toMatchObject({ result: { content: { text: 'Take the' } }, facts: { end: 'broke-off' } })
})

test('a model that fails before it says anything leaves no answer to review behind, but the question how it goes on', async () => {
  const scene = begin()
  const review = await scene.review
  const closed = new Promise((resolve) => scene.inbox.on('review-closed', ({ settlement }) => resolve(settlement)))
  const next = new Promise<Review>((resolve) => scene.inbox.on('review-opened', resolve))
  scene.model.end(modelFailed('lab:tiny', 'has no capacity left', { spent: 'nothing' }))

  const failure = { key: 'model-failed', facts: { model: 'lab:tiny' }, sentence: 'lab:tiny has no capacity left' }
  expect(await closed).toEqual({ outcome: 'withdrawn', reason: failure.sentence, failure })
  await scene.inbox.decide((await next).id, { action: 'deny' }, 'window')
  expect(await scene.answer).toMatchObject({ outcome: 'refused', by: 'person', error: { code: 'SAMPLING_DENIED' } })
  expect([scene.inbox.get(review.id), await spent(scene)]).toEqual([undefined, [{ tokens: 0, outputTokens: 0 }]])
})

test('two windows see the same answer, and the first decision ends it for both', async () => {
  const scene = begin()
  const review = await scene.review
  const second: CompletionDraft[] = []
  review.draft.subscribe((draft) => second.push(draft))
  scene.model.say('Take')
  scene.model.end()
  while (review.draft.value.progress !== 'finished') await new Promise(setImmediate)
  const results = await Promise.all([scene.inbox.decide(review.id, { action: 'approve' }, 'one'), scene.inbox.decide(review.id, { action: 'deny' }, 'two')])

  expect(results).toMatchObject([{ status: 'decided' }, { status: 'ended', surface: 'one' }])
  expect(second.at(-1)).toMatchObject(whole)
})

test('nobody left to see it ends the model', async () => {
  const scene = begin()
  await scene.review
  scene.model.say('Take')
  scene.inbox.close()

  expect(await scene.answer).toMatchObject({ outcome: 'refused', unanswered: 'desk-closed' })
  expect(scene.model.signal?.aborted).toBe(true)
})
