import { readValues } from '../../elicitation/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

export function checkReview({ inbox, reviews, matchPattern }: Pick<CallNeeds, 'inbox' | 'reviews' | 'matchPattern'>): Handler<'review/check'> {
  return async (body) => {
    const id = body.text('id')
    const review = inbox.get(id)
    if (review?.kind !== 'form') return reviews.endOf(id)
    const reading = await readValues(review.subject.form, body.object('content'), { matchPattern })
    return reading.ok ? { status: 'fits', values: reading.values } : { status: 'faulty', faults: reading.faults }
  }
}
