import type { ReviewSummary } from '../../src/console-api/contract.ts'

/** A row of the list: the name of a server, or a question of it. */
export type ListRow = { readonly kind: 'server'; readonly server: string; readonly count: number } | { readonly kind: 'review'; readonly review: ReviewSummary }

/** Reviews by server: what waits above what has ended, and the oldest first. The count is of those that wait. */
export function groupReviews(reviews: readonly ReviewSummary[]): readonly ListRow[] {
  const groups = new Map<string, ReviewSummary[]>()
  for (const review of reviews.toSorted((one, other) => Number(one.ended !== undefined) - Number(other.ended !== undefined))) {
    const group = groups.get(review.asker.server)
    if (group) group.push(review)
    else groups.set(review.asker.server, [review])
  }
  return [...groups].flatMap(([server, group]) => [
    { kind: 'server' as const, server, count: group.filter(({ ended }) => !ended).length },
    ...group.map((review) => ({ kind: 'review' as const, review })),
  ])
}

/** Questions in the order of the list. */
export function reviewsIn(rows: readonly ListRow[]): readonly ReviewSummary[] {
  return rows.flatMap((row) => (row.kind === 'review' ? [row.review] : []))
}

/**
 * The rows that were on screen, brought up to date in their places: nothing is put between them, and nothing closes up.
 * What has ended elsewhere stays, and what is new waits.
 */
export function holdStill(shown: readonly ListRow[], reviews: ReadonlyMap<string, ReviewSummary>): readonly ListRow[] {
  return shown.map((row) => (row.kind === 'server' ? row : { ...row, review: reviews.get(row.review.id) ?? row.review }))
}
