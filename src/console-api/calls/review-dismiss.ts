import type { CallNeeds, Handler } from '../call.ts'

export function dismissReview({ reviews }: Pick<CallNeeds, 'reviews'>): Handler<'review/dismiss'> {
  return (body) => {
    reviews.dismiss(body.text('id'))
    return {}
  }
}
