import { followVisit, readVisit, type Visit } from '../mcp/follow-visit.ts'
import type { InputResponse } from '../protocol/index.ts'
import { visitOver } from '../protocol/visit-done.ts'
import type { ClientRequest } from './client-requests.ts'
import type { Handshake } from './handshake.ts'
import { giveUpRequest } from './give-up-request.ts'
import { keepAlive, type KeepAliveNeeds } from './keep-alive.ts'
import type { LazySession } from './lazy-session.ts'
import { parentCallOf } from './parent-call.ts'

export interface OpenVisitsNeeds extends KeepAliveNeeds {
  readonly session: LazySession
  readonly handshake: Handshake
  /** Takes away what else is asked here in the middle of a request that is over. */
  readonly withdrawFor: (request: ClientRequest) => void
}

/**
 * Pages that somebody agreed to here, in the middle of what the client has asked: whoever waits there hears that it goes on, and a card stays until the server reports
 * the end, the person goes on, or nothing of the client is open any more that it could belong to.
 */
export class OpenVisits {
  readonly #needs: OpenVisitsNeeds

  constructor(needs: OpenVisitsNeeds) {
    this.#needs = needs
  }

  /** @param candidates requests of the client that the question can belong to */
  follow(params: unknown, response: InputResponse, candidates: readonly ClientRequest[]): void {
    const page = readVisit(params, response)
    const open = candidates.filter((request) => this.#needs.requests.isOpen(request))
    if (page !== undefined && open.length > 0) void this.#follow(page, open, candidates)
  }

  /** That others ended since says nothing: the question belongs to the one that is left no more surely than when it came. */
  async #follow(page: Visit, open: readonly ClientRequest[], candidates: readonly ClientRequest[]): Promise<void> {
    const { session, handshake, clock, requests } = this.#needs
    if (session.current === undefined) return
    const over = new AbortController()
    const stopWatching = requests.whenOver(open, () => over.abort(new Error(visitOver)))
    const stopProgress = keepAlive(this.#needs, open)
    const about = { session: session.current, revision: handshake.revision, call: parentCallOf(candidates) }
    const outcome = await followVisit(page, about, clock, over.signal)
    stopProgress()
    stopWatching()
    if (outcome === 'given-up') this.#giveUp(candidates)
  }

  /** So ends the request, where there is no doubt which one it is. */
  #giveUp([request, ...others]: readonly ClientRequest[]): void {
    if (request === undefined || others.length > 0 || request.isAmbiguous || !this.#needs.requests.isOpen(request)) return
    giveUpRequest(request, this.#needs)
    this.#needs.withdrawFor(request)
  }
}
