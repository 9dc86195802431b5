import type { ConsoleEvent, DeskState, DoneReview, Preferences, ReviewSummary, ServerSummary, Snapshot, ToolCall } from '../../src/console-api/contract.ts'

/** What every screen is made of: the desk as this tab knows it. */
export interface DeskView {
  /** This tab's name among the windows of the desk. */
  readonly window: string
  /** The desk's clock minus ours, in milliseconds. */
  readonly clockOffset: number
  readonly desk: DeskState
  /** By id, oldest first; ended ones that nobody has dismissed among them. */
  readonly reviews: ReadonlyMap<string, ReviewSummary>
  /** Newest first. */
  readonly done: readonly DoneReview[]
  readonly servers: readonly ServerSummary[]
  readonly calls: readonly ToolCall[]
  readonly preferences: Preferences
}

const MOST_DONE = 200
const MOST_CALLS = 50

/** The view after one event; the same object where nothing on it has changed. */
export function applyEvent(view: DeskView | undefined, event: ConsoleEvent, now: number): DeskView | undefined {
  if (event.type === 'snapshot') return fromSnapshot(event.snapshot, now)
  if (view === undefined) return view
  switch (event.type) {
    case 'resumed':
      return { ...view, window: event.window, clockOffset: event.now - now }
    case 'review-opened':
    case 'review-changed':
      return { ...view, reviews: new Map(view.reviews).set(event.review.id, event.review) }
    case 'review-closed': {
      const review = view.reviews.get(event.id)
      const done = event.done ? [event.done, ...view.done.filter(({ id }) => id !== event.id)].slice(0, MOST_DONE) : view.done
      if (!review) return done === view.done ? view : { ...view, done }
      const reviews = new Map(view.reviews)
      if (event.done) reviews.delete(event.id)
      else reviews.set(event.id, { ...review, ended: event.ended })
      return { ...view, reviews, done }
    }
    case 'review-dismissed': {
      const reviews = new Map(view.reviews)
      return reviews.delete(event.id) ? { ...view, reviews } : view
    }
    case 'server-changed':
      return { ...view, servers: putIn(view.servers, event.server, ({ name }) => name) }
    case 'server-removed':
      return { ...view, servers: view.servers.filter(({ name }) => name !== event.name) }
    case 'call-changed':
      return { ...view, calls: putIn(view.calls, event.call, ({ id }) => id).slice(-MOST_CALLS) }
    case 'desk-changed':
      return { ...view, desk: event.desk }
    case 'preferences-changed':
      return { ...view, preferences: event.preferences }
    case 'draft-changed':
    case 'server-touched':
    case 'timeline-grew':
    case 'session-ended':
      return view
    default:
      return (event satisfies never) ?? view
  }
}

/** Reviews that still wait, oldest first. */
export function waitingOf({ reviews }: DeskView): readonly ReviewSummary[] {
  return [...reviews.values()].filter(({ ended }) => ended === undefined)
}

function fromSnapshot({ reviews, now: deskNow, ...rest }: Snapshot, now: number): DeskView {
  return { ...rest, clockOffset: deskNow - now, reviews: new Map(reviews.map((review) => [review.id, review])) }
}

/** In the place of what has the same key, or else at the end. */
function putIn<Item>(items: readonly Item[], item: Item, keyOf: (item: Item) => string): readonly Item[] {
  const place = items.findIndex((one) => keyOf(one) === keyOf(item))
  return place < 0 ? [...items, item] : items.with(place, item)
}
