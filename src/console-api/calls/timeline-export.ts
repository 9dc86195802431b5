import type { CallNeeds, Handler } from '../call.ts'
import { drawMermaid } from '../draw-mermaid.ts'
import { readTimelineFilter } from '../timeline-filter.ts'

export function exportTimeline({ timeline, now }: Pick<CallNeeds, 'timeline' | 'now'>): Handler<'timeline/export'> {
  return (body) => {
    const events = timeline.list({ limit: Infinity, filter: readTimelineFilter(body.optionalBody('filter')) }).events.toReversed()
    const name = `consentry-timeline-${new Date(now()).toISOString().slice(0, 10)}`
    if (body.oneOf('format', ['mermaid', 'json']) === 'mermaid') return { name: `${name}.mmd`, type: 'text/vnd.mermaid', text: drawMermaid(events) }
    const withMessages = events.map((event) => ({ ...event, message: timeline.messageOf(event.id) }))
    return { name: `${name}.json`, type: 'application/json', text: `${JSON.stringify(withMessages, undefined, 2)}\n` }
  }
}
