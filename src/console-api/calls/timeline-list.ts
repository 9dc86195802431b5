import type { CallNeeds, Handler } from '../call.ts'
import { readTimelineFilter } from '../timeline-filter.ts'

const MOST = 1000

export function listTimeline({ timeline }: Pick<CallNeeds, 'timeline'>): Handler<'timeline/list'> {
  return (body) =>
    timeline.list({
      before: body.optionalCount('before') ?? Infinity,
      limit: Math.min(body.optionalCount('limit') ?? 200, MOST),
      filter: readTimelineFilter(body.optionalBody('filter')),
    })
}
