import { expect, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import { Policy } from '../policy/index.ts'
import type { InputResponse, Origin, Review } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { LiveModels } from './live-models.ts'
import type { Models } from './models.ts'
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

/** Models of these names; each says its own. */
function modelsOf(...names: readonly string[]): Models {
  const provider = createScriptedProvider((_request, model) => ({ content: [{ type: 'text', text: model }], model }))
  return createModels({ entries: names.map((model) => ({ provider: 'lab', model })), providers: new Map([['lab', provider]]) })
}

interface Asked {
  readonly inbox: Inbox
  readonly models: LiveModels
  readonly review: Review<'prompt'>
  readonly answer: Promise<InputResponse>
  /** Puts other models in the place of these. */
  readonly change: (...names: readonly string[]) => void
}

/** A server has asked, and a person looks at it. */
async function ask(...names: readonly string[]): Promise<Asked> {
  const inbox = new Inbox()
  inbox.attach({ name: 'window', kinds: ['prompt', 'completion'] })
  const models = new LiveModels(modelsOf(...names))
  const opened = new Promise<Review>((resolve) => inbox.on('review-opened', resolve))
  const needs = { policy: new Policy(), reviewer: inbox, capabilities: everything, models }
  const answer = sample({ kind: 'sampling', params, revision: '2025-11-25' }, origin, needs, new AbortController().signal)
  const review = (await opened) as Review<'prompt'>
  inbox.on('review-opened', ({ id, kind }) => kind === 'completion' && void inbox.decide(id, { action: 'approve' }, 'window'))
  const change = (...next: readonly string[]): void => {
    models.update(modelsOf(...next))
    models.announce()
  }
  return { inbox, models, review, answer, change }
}

test('a model that is configured while a person looks at a prompt can be asked at once', async () => {
  const { inbox, review, answer, change } = await ask()
  const changes: string[] = []
  inbox.on('review-changed', ({ id }) => changes.push(id))
  const before = review.subject.choice.model
  change('tiny')
  const during = [review.subject.choice.model, review.subject.models?.map(({ model }) => model), review.draft.value]
  await inbox.decide(review.id, { action: 'approve', model: 'lab:tiny' }, 'window')

  expect([before, ...during, changes]).toEqual(['person', 'lab:tiny', ['lab:tiny'], review.subject.request, [review.id]])
  expect(await answer).toMatchObject({ outcome: 'answered', result: { model: 'tiny' } })
})

test('a yes without a name means the model that was there when the review was opened, never one that came after; where it is gone, the review stays', async () => {
  const { inbox, review, answer, change } = await ask('first')
  change('second', 'first')
  const shown = review.subject.choice.model
  change('second')
  const gone = await inbox.decide(review.id, { action: 'approve' }, 'window')
  change('second', 'first')
  await inbox.decide(review.id, { action: 'approve' }, 'window')

  expect([shown, gone]).toMatchObject(['lab:second', { status: 'faulty', faults: [{ field: 'model' }] }])
  expect(await answer).toMatchObject({ outcome: 'answered', result: { model: 'first' } })
})

test('what a person has changed stays while models change', async () => {
  const { review, change } = await ask('first')
  const mine = { ...review.draft.value, systemPrompt: 'Be brief' }
  review.draft.update(mine)
  change('second')

  expect(review.draft.value).toBe(mine)
})

test('an answer that somebody writes stays while models change, and no model reads it', async () => {
  const { inbox, review, answer, change } = await ask('first')
  review.draft.update({ ...review.draft.value, written: 'The 10:05' })
  change('second')
  const now = review.draft.value
  await inbox.decide(review.id, { action: 'approve', request: now, model: 'lab:second' }, 'window')

  expect(now).toEqual({ ...review.subject.request, written: 'The 10:05' })
  expect(await answer).toMatchObject({ outcome: 'answered', facts: { promptEdited: false } })
})

test('a review that has ended follows no models any more', async () => {
  const { inbox, review, answer, change } = await ask('first')
  await inbox.decide(review.id, { action: 'deny' }, 'window')
  await answer
  const changes: unknown[] = []
  inbox.on('review-changed', (changed) => changes.push(changed))
  change('second')

  expect(changes).toEqual([])
})
