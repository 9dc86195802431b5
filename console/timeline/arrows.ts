import type { Lane, TimelineEvent } from '../../src/console-api/contract.ts'

/** The lanes from left to right. */
export const lanes: readonly Lane[] = ['you', 'desk', 'client', 'server', 'model']

const places: Readonly<Record<Lane, number>> = { you: 0, desk: 1, client: 2, server: 3, model: 4 }

/** Between which lanes an arrow runs: half a lane in from each side. Columns count half lanes, from 0. */
export function arrowOf({ from, to }: Pick<TimelineEvent, 'from' | 'to'>): { readonly start: number; readonly end: number; readonly isLeftward: boolean } {
  const [left, right] = places[from] < places[to] ? [places[from], places[to]] : [places[to], places[from]]
  return { start: left * 2 + 1, end: Math.max(right * 2 + 1, left * 2 + 2), isLeftward: places[from] > places[to] }
}

const LONG_MS = 1000

/** How long a person thought before they decided, by the id of the decision; only what is worth drawing. */
export function waitsBefore(events: readonly TimelineEvent[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>()
  for (const event of events) {
    if ((event.kind !== 'decided' && event.kind !== 'completed') || event.review === undefined) continue
    const shown = events.find((other) => other.kind === 'shown' && other.review === event.review)
    if (shown && event.at - shown.at >= LONG_MS) waits.set(event.id, event.at - shown.at)
  }
  return waits
}
