import { expect, test } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import type { Origin, PromptSubject } from '../protocol/index.ts'
import type { ConsoleEvent } from './contract.ts'
import { MediaShelf } from './media-shelf.ts'
import { ReviewBoard } from './review-board.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'travel' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const request = { messages: [], maxTokens: 1 }

test('windows are told when a review shows something else, in full and in the list', async () => {
  const inbox = new Inbox()
  inbox.attach({ name: 'window', kinds: ['prompt'] })
  const told: ConsoleEvent[] = []
  const board = new ReviewBoard({ inbox, media: new MediaShelf(), now: Date.now, tell: (event) => told.push(event) })
  let change: (subject: PromptSubject) => void = () => undefined
  const asker = new AbortController()
  const settled = inbox.review(
    {
      kind: 'prompt',
      origin,
      subject: { request, choice: { model: 'person', why: 'no model is configured' } },
      draft: request,
      onOpen: (_draft, changeTo) => (change = changeTo),
    },
    asker.signal,
  )
  change({ request, choice: { model: 'lab:tiny', why: 'lab:tiny' } })
  const list = board.list()
  asker.abort()
  await settled
  change({ request, choice: { model: 'lab:late', why: 'lab:late' } })
  board.close()

  expect(told.map((event) => [event.type, 'review' in event && event.review.about])).toEqual([
    ['review-opened', { model: 'person' }],
    ['review-changed', { model: 'lab:tiny' }],
    ['review-closed', false],
  ])
  expect(list.map(({ about }) => about)).toEqual([{ model: 'lab:tiny' }])
})

test('a review that goes on from one with nothing to decide on stands in its place; one that follows from something else does not', async () => {
  const inbox = new Inbox()
  inbox.attach({ name: 'window', kinds: ['prompt', 'completion'] })
  const told: ConsoleEvent[] = []
  const board = new ReviewBoard({ inbox, media: new MediaShelf(), now: () => 1, tell: (event) => told.push(event) })
  const choice = { model: 'lab:tiny', why: 'lab:tiny' }
  const failure = { key: 'model-busy', facts: { model: 'lab:tiny', status: '429' }, sentence: 'lab:tiny has no capacity left (HTTP 429)' }
  const asker = new AbortController()
  const asked = (question: string): Origin => ({ ...origin, question })
  const empty = { content: [], model: 'tiny' }
  const subject = { request, completion: empty, choice }
  await inbox.review({ kind: 'completion', origin: asked('one'), subject, draft: empty, failure: Promise.resolve(failure) }, asker.signal)
  const grey = board.list()
  for (const question of ['two', 'one'])
    void inbox.review({ kind: 'prompt', origin: asked(question), subject: { request, choice, failed: failure }, draft: request }, asker.signal)
  const list = board.list()
  asker.abort()
  board.close()

  expect(grey.map(({ id, ended }) => [id, ended])).toEqual([['review-1', { outcome: 'withdrawn', failure, at: 1 }]])
  expect(list.map(({ id, follows }) => [id, follows])).toEqual([
    ['review-2', undefined],
    ['review-3', 'review-1'],
  ])
  expect(told.slice(2, 5)).toMatchObject([
    { type: 'review-opened', review: { id: 'review-2' } },
    { type: 'review-opened', review: { id: 'review-3', follows: 'review-1' } },
    { type: 'review-dismissed', id: 'review-1' },
  ])
})
