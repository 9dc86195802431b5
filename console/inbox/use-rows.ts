import { useMemo, useRef, useState } from 'react'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { groupReviews, holdStill, type ListRow } from './group-reviews.ts'

interface Rows {
  readonly rows: readonly ListRow[]
  /** Questions that came while the list had to hold still. */
  readonly held: number
  readonly hold: () => void
  readonly release: () => void
}

/** The rows of the list. While a pointer is over it they hold still, so that nothing moves under a click. */
export function useRows(reviews: ReadonlyMap<string, ReviewSummary>): Rows {
  const [isHeld, setHeld] = useState(false)
  const shown = useRef<readonly ListRow[]>([])
  const rows = useMemo(() => {
    shown.current = isHeld ? holdStill(shown.current, reviews) : groupReviews([...reviews.values()])
    return shown.current
  }, [reviews, isHeld])
  const held = useMemo(() => {
    if (!isHeld) return 0
    const known = new Set(rows.flatMap((row) => (row.kind === 'review' ? [row.review.id] : [])))
    return [...reviews.keys()].filter((id) => !known.has(id)).length
  }, [reviews, rows, isHeld])
  return { rows, held, hold: () => setHeld(true), release: () => setHeld(false) }
}
