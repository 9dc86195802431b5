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
