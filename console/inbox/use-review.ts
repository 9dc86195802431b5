import { useQuery, type FetchQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { EndedAnswer, GetReviewAnswer, ReviewDetail } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { useDesk } from '../desk/use-desk.ts'

export type LoadedReview =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Error; readonly retry: () => void }
  | { readonly status: 'found'; readonly review: ReviewDetail }
  /** It is known no more, and what it asked is known no more either. */
  | EndedAnswer

/** How one review is read, for whoever asks ahead too. */
export function reviewQuery(id: string): FetchQueryOptions<GetReviewAnswer> {
  return { queryKey: ['review', id], queryFn: ({ signal }) => call('review/get', { id }, { signal }) }
}

/** A draft that was changed elsewhere, or here and is on screen no more: whoever looks again finds it. */
export function keepDraft(queries: QueryClient, id: string, draft: ReviewDetail['draft']): void {
  queries.setQueryData<GetReviewAnswer>(['review', id], (answer) =>
    answer?.status === 'found' ? { status: 'found', review: { ...answer.review, draft } as ReviewDetail } : answer,
  )
}

/** One review in full, kept up to date: drafts of other windows, and how it ended. */
export function useReview(id: string): LoadedReview {
  const { reviews, done } = useDesk()
  const { data, error, refetch } = useQuery(reviewQuery(id))
  if (error !== null && data === undefined) return { status: 'failed', error, retry: () => void refetch() }
  if (data === undefined) return { status: 'loading' }
  if (data.status !== 'found') return data
  const summary = reviews.get(id)
  const ended = summary ? summary.ended : done.find((one) => one.id === id)?.ended
  if (ended) return { status: 'found', review: { ...data.review, ended } }
  // Put away in another window, or in all of them.
  return summary ? data : { status: 'unknown' }
}
