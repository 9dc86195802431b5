import type { Host } from '../host/index.ts'
import type { Inbox } from '../inbox/index.ts'
import type { ConsoleEvent, TimelineEvent } from './contract.ts'
import type { Timeline } from './timeline.ts'

const GATHER_MS = 50

/** Shows the timeline what the inbox does and what servers and we say to each other, and windows what the timeline has more, several arrows at a time. @returns the function that ends it */
export function gatherTimeline(timeline: Timeline, inbox: Pick<Inbox, 'on'>, host: Pick<Host, 'on'>, tell: (event: ConsoleEvent) => void): () => void {
  let gathered: TimelineEvent[] = []
  let timer: NodeJS.Timeout | undefined
  const stops = [
    inbox.on('review-opened', (review) => timeline.reviewOpened(review)),
    inbox.on('review-closed', (closed) => timeline.reviewClosed(closed)),
    host.on('traffic', ({ server, from, message }) => {
      if (timeline.keepsTraffic(server)) timeline.addTraffic(server, from, message)
    }),
    timeline.on('grew', (event) => {
      gathered.push(event)
      timer ??= setTimeout(() => {
        timer = undefined
        tell({ type: 'timeline-grew', events: gathered })
        gathered = []
      }, GATHER_MS).unref()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
