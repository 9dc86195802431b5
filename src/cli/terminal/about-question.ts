import type { Review } from '../../protocol/index.ts'
import { safeText } from './safe-text.ts'
import { describeTarget, headline, words } from './words.ts'

/** What a person should know of a question before they read what the server says: who asks, by what, how often already, and until when it waits. */
export function aboutQuestion({ kind, origin, asked, deadline }: Pick<Review, 'kind' | 'origin' | 'asked' | 'deadline'>, count = 0): string {
  const through = origin.client === undefined ? [] : [words.through(safeText(origin.client, { maximum: 60 }))]
  const before = asked.last === undefined ? [] : [words.askedBefore(asked.times - 1, timeOf(asked.first), timeOf(asked.last))]
  return [headline(kind, origin, count), describeTarget(origin.server.target), ...through, ...before, words.waitsUntil(timeOf(deadline))].join('\n')
}

/** Local time, as on a clock. */
function timeOf(milliseconds: number): string {
  const time = new Date(milliseconds)
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
