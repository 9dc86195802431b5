import { expect, test } from 'vitest'
import type { ClosedReview } from '../inbox/index.ts'
import { visitDone } from '../protocol/visit-done.ts'
import { Timeline } from './timeline.ts'

test('that a person is done on a page is an arrow of the server that reports it, and no decision of anybody', () => {
  const timeline = new Timeline()
  const origin = { server: { name: 'travel', named: true, target: { kind: 'custom', description: 'a peer' } }, connection: 'c', question: 'q' }
  const review = { id: 'r', kind: 'url-wait', origin }
  for (const reason of [visitDone, 'the connection was closed'])
    timeline.reviewClosed({ review, settlement: { outcome: 'withdrawn', reason } } as unknown as ClosedReview)

  expect(timeline.list().events.map(({ from, to, kind, outcome, by }) => [from, to, kind, outcome, by])).toEqual([
    ['you', 'desk', 'decided', 'withdrawn', 'none'],
    ['server', 'desk', 'completed', undefined, undefined],
  ])
})
