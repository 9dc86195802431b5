import { followVisit, type VisitedPage } from '../mcp/follow-visit.ts'
import { latestRevision } from '../protocol/index.ts'
import { visitDone, visitOver } from '../protocol/visit-done.ts'
import type { ClientRequest } from './client-requests.ts'
import { giveUpRequest } from './give-up-request.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import type { LazySession } from './lazy-session.ts'
import { parentCallOf } from './parent-call.ts'

export interface RoundVisitsNeeds extends KeepAliveNeeds {
  readonly session: LazySession
}

interface Visit {
  readonly over: AbortController
  /** Undefined while the client rests before it comes back. */
  request: ClientRequest | undefined
  /** Ends what waits for its request, or for the client to come back. */
  stop: () => void
  isGivenUp: boolean
}

/** A client that has not come back for so long does not come back. */
const patienceMs = 60_000

/**
 * Pages that somebody agreed to here in a round of the 2026-07-28 revision. The card stays while the request is under way and while the client, at its own pace, brings
 * the server's state back; it goes with the result, with the next question, and when the person goes on or gives up.
 *
 * @see MCP 2026-07-28 client/elicitation "URL Mode Elicitation Requests", basic/patterns/mrtr
 */
export class RoundVisits {
  readonly #needs: RoundVisitsNeeds
  readonly #open = new Map<ClientRequest, Visit>()
  /** By the state that the client brings back. */
  readonly #carried = new Map<string, Visit>()

  constructor(needs: RoundVisitsNeeds) {
    this.#needs = needs
  }

  has(request: ClientRequest): boolean {
    return this.#open.has(request)
  }

  follow(request: ClientRequest, pages: readonly VisitedPage[]): void {
    const { session, clock } = this.#needs
    const [first] = pages
    if (first === undefined || session.current === undefined) return
    const visit: Visit = { over: new AbortController(), request, stop: () => undefined, isGivenUp: false }
    this.#attend(visit, request)
    const card = { ids: [], urls: pages.map(({ url }) => url), message: first.message }
    const about = { session: session.current, revision: latestRevision, call: parentCallOf([request]) }
    void followVisit(card, about, clock, visit.over.signal).then((outcome) => (outcome === 'given-up' ? this.#giveUp(visit) : this.#end(visit)))
  }

  /** The server asks something: pages of rounds before are done. */
  asked(request: ClientRequest): void {
    const visit = this.#open.get(request)
    if (visit) this.#end(visit, visitDone)
  }

  /** The server has the client come back with this state. */
  carry(request: ClientRequest, state: string): void {
    const visit = this.#open.get(request)
    if (visit === undefined) return
    visit.stop()
    visit.request = undefined
    // Another call with the same state: whose page it is could not be told any more.
    const twin = this.#carried.get(state)
    if (twin) this.#end(twin)
    this.#carried.set(state, visit)
    const end = (): void => this.#end(visit)
    const stopClock = this.#needs.clock.after(patienceMs, end)
    const stopWatching = this.#needs.requests.whenEnded(end)
    visit.stop = () => {
      stopClock()
      stopWatching()
      this.#carried.delete(state)
    }
  }

  /** The client is back with a state. @returns whether somebody has given it up meanwhile */
  isGivenUp(state: string): boolean {
    return this.#carried.get(state)?.isGivenUp === true
  }

  resume(request: ClientRequest, state: string): void {
    const visit = this.#carried.get(state)
    if (visit === undefined) return
    visit.stop()
    this.#attend(visit, request)
  }

  #attend(visit: Visit, request: ClientRequest): void {
    visit.request = request
    this.#open.set(request, visit)
    const stopProgress = keepAlive(this.#needs, [request])
    const stopWatching = this.#needs.requests.whenOver([request], () => this.#end(visit))
    visit.stop = () => {
      stopProgress()
      stopWatching()
      this.#open.delete(request)
    }
  }

  #giveUp(visit: Visit): void {
    const { request } = visit
    // Said when the client is back.
    if (request === undefined) visit.isGivenUp = true
    else {
      this.#end(visit)
      if (!request.isAmbiguous && this.#needs.requests.isOpen(request)) giveUpRequest(request, this.#needs)
    }
  }

  /** Safe to call twice: what has ended lets go of nothing that stands in its place by now. */
  #end(visit: Visit, reason: string = visitOver): void {
    if (visit.over.signal.aborted) return
    visit.stop()
    visit.over.abort(new Error(reason))
  }
}
