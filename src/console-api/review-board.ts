import type { ClosedReview, Inbox } from '../inbox/index.ts'
import type { Review } from '../protocol/index.ts'
import type { ConsoleEvent, DoneReview, EndedAnswer, FoldersDraft, ReviewSummary, ShownDrafts } from './contract.ts'
import { describeAsker, describeEnd, summarize } from './describe-review.ts'
import type { MediaShelf } from './media-shelf.ts'

export interface ReviewBoardNeeds {
  readonly inbox: Pick<Inbox, 'on' | 'list' | 'get'>
  readonly media: MediaShelf
  readonly tell: (event: ConsoleEvent, about?: string) => void
  readonly now: () => number
}

const MOST_GREY = 200
const MOST_DONE = 200
const MOST_ENDS = 1000
/** Changes of a draft are gathered for so long, in milliseconds: a model that writes is shown about so often. */
const GATHER_MS = 40

/** What windows see of the inbox: what waits, what ended without them and was not put away yet, and what was done today. */
export class ReviewBoard {
  readonly #needs: ReviewBoardNeeds
  readonly #grey = new Map<string, ReviewSummary>()
  /** How reviews ended, and nothing of what was in them. */
  readonly #ends = new Map<string, EndedAnswer>()
  readonly #folderDrafts = new Map<string, FoldersDraft>()
  readonly #watched = new Map<string, () => void>()
  /** By question: the review in which there was nothing to decide on. Another one may go on from it. */
  readonly #failed = new Map<string, string>()
  /** Which review waits in the place of which. */
  readonly #follows = new Map<string, string>()
  readonly #stops: (() => void)[]
  #done: readonly DoneReview[] = []
  /** Who changes a draft right now. */
  #author: string | undefined

  constructor(needs: ReviewBoardNeeds) {
    this.#needs = needs
    for (const review of needs.inbox.list()) this.#watch(review)
    this.#stops = [
      needs.inbox.on('review-opened', (review) => {
        this.#watch(review)
        this.#goOn(review)
      }),
      needs.inbox.on('review-changed', (review) => needs.tell({ type: 'review-changed', review: this.#summarize(review) }, `review ${review.id}`)),
      needs.inbox.on('review-closed', (closed) => this.#close(closed)),
    ]
  }

  /** What waits and what is grey, oldest first. */
  list(): readonly ReviewSummary[] {
    return [...this.#grey.values(), ...this.#needs.inbox.list().map((review) => this.#summarize(review))].toSorted(
      (one, other) => one.openedAt - other.openedAt,
    )
  }

  /** What was decided today, newest first. */
  done(): readonly DoneReview[] {
    const today = new Date(this.#needs.now()).toDateString()
    return this.#done.filter(({ ended }) => new Date(ended.at).toDateString() === today)
  }

  /** How a review ended that somebody asks about too late. */
  endOf(id: string): EndedAnswer {
    return this.#ends.get(id) ?? { status: 'unknown' }
  }

  /** How many of a server wait. */
  waitingOf(server: string): number {
    return this.#needs.inbox.list().filter(({ origin }) => origin.server.name === server).length
  }

  /** A review's draft as it is shown. */
  draftOf(review: Review): ShownDrafts[keyof ShownDrafts] {
    if (review.kind === 'folders') return this.#folderDrafts.get(review.id)
    return this.#needs.media.hide(review.id, review.draft.value) as ShownDrafts[keyof ShownDrafts]
  }

  /** Runs what changes a draft, so that its windows know who did. */
  asAuthor(window: string, change: () => void): void {
    this.#author = window
    try {
      change()
    } finally {
      this.#author = undefined
    }
  }

  /** Keeps which folders are picked so far; the desk has no draft of that. */
  keepFolders(id: string, window: string, draft: FoldersDraft): void {
    this.#folderDrafts.set(id, draft)
    this.#needs.tell({ type: 'draft-changed', id, draft, window }, `draft ${id}`)
  }

  /** Puts a grey card away; one that still waits stays. */
  dismiss(id: string): void {
    if (this.#grey.delete(id)) this.#needs.tell({ type: 'review-dismissed', id })
  }

  /** Safe to call twice. */
  close(): void {
    for (const stop of this.#stops) stop()
    for (const stop of this.#watched.values()) stop()
    this.#watched.clear()
  }

  #watch(review: Review): void {
    let timer: NodeJS.Timeout | undefined
    let author: string | undefined
    const tell = (): void => {
      timer = undefined
      this.#needs.tell({ type: 'draft-changed', id: review.id, draft: this.draftOf(review), window: author }, `draft ${review.id}`)
    }
    const draft: { subscribe(listener: () => void): () => void } = review.draft
    const stop = draft.subscribe(() => {
      author = this.#author
      timer ??= setTimeout(tell, GATHER_MS).unref()
    })
    this.#watched.set(review.id, () => {
      clearTimeout(timer)
      stop()
    })
  }

  #summarize(review: Review): ReviewSummary {
    const follows = this.#follows.get(review.id)
    return { ...summarize(review), ...(follows !== undefined && { follows }) }
  }

  /** What goes on from another review stands in its place. */
  #goOn(review: Review): void {
    const { question } = review.origin
    const before = question === undefined ? undefined : this.#failed.get(question)
    if (question !== undefined && before !== undefined) {
      this.#failed.delete(question)
      this.#follows.set(review.id, before)
    }
    this.#needs.tell({ type: 'review-opened', review: this.#summarize(review) })
    if (before !== undefined) this.dismiss(before)
  }

  #close(closed: ClosedReview): void {
    const { review, settlement } = closed
    const { tell, now, media } = this.#needs
    this.#follows.delete(review.id)
    this.#watched.get(review.id)?.()
    this.#watched.delete(review.id)
    this.#folderDrafts.delete(review.id)
    media.forget(review.id)
    const ended = describeEnd(closed, now())
    this.#ends.set(review.id, { status: 'ended', outcome: ended.outcome, surface: ended.surface })
    dropOldest(this.#ends, MOST_ENDS)
    if (settlement.outcome === 'decided') {
      const done = { id: review.id, kind: review.kind, asker: describeAsker(review.origin), ended }
      this.#done = [done, ...this.#done].slice(0, MOST_DONE)
      return tell({ type: 'review-closed', id: review.id, ended, done })
    }
    if (ended.failure !== undefined && review.origin.question !== undefined) this.#failed.set(review.origin.question, review.id)
    dropOldest(this.#failed, MOST_GREY)
    this.#grey.set(review.id, { ...summarize(review), ended })
    tell({ type: 'review-closed', id: review.id, ended })
    for (const oldest of this.#grey.keys()) {
      if (this.#grey.size <= MOST_GREY) break
      this.dismiss(oldest)
    }
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
