import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { groupReviews } from './group-reviews.ts'

const review = (server: string, id: string, isOver = false): ReviewSummary => ({
  id,
  kind: 'form',
  asker: { server, named: true, target: server, launch: 'fresh' } as unknown as ReviewSummary['asker'],
  about: {},
  openedAt: 0,
  deadline: 1,
  ...(isOver && { ended: { outcome: 'withdrawn', at: 1 } }),
})

test('what waits stands above what has ended, and only what waits is counted', () => {
  const rows = groupReviews([review('travel', 'a', true), review('notes', 'b', true), review('notes', 'c'), review('travel', 'd'), review('notes', 'e')])

  expect(rows.map((row) => (row.kind === 'server' ? `${row.server} ${row.count}` : row.review.id))).toEqual(['notes 2', 'c', 'e', 'b', 'travel 1', 'd', 'a'])
})
