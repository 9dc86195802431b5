import type { DeskSession, InputResponse, JsonObject, ParentCall, Revision } from '../protocol/index.ts'
import { visitDone, visitOver } from '../protocol/visit-done.ts'
import { sleep, type Clock } from './clock.ts'
import { pauseMs, readConsent, type VisitedPage } from './follow-visit.ts'

export interface VisitedPagesNeeds {
  readonly session: Pick<DeskSession, 'awaitCompletion'>
  readonly clock: Clock
  readonly request: { readonly revision: Revision; readonly call: ParentCall | undefined }
  /** Starts the person's clock. @returns the function that stops it */
  readonly pause: () => () => void
  /** Ends the call. */
  readonly giveUp: () => void
  /** Aborted when the call is over. */
  readonly signal: AbortSignal
}

/** Nobody has read a card and decided so soon: that was a script, or nobody could be shown it. */
const soonestMs = 500

/**
 * Pages that a modern call sent somebody to. Until the server asks something else or the call is over a card stays, whether the server works or has the call come
 * back: whoever presses Continue has it sent again without a rest, and whoever gives up ends it.
 *
 * @see MCP 2026-07-28 client/elicitation "URL Mode Elicitation Requests"
 */
export class VisitedPages {
  readonly #needs: VisitedPagesNeeds
  #pages: VisitedPage[] = []
  #isSent = false
  #card: AbortController | undefined
  #isUnattended = false
  #isContinued = false
  #endRest = (): void => undefined

  constructor(needs: VisitedPagesNeeds) {
    this.#needs = needs
  }

  /** The server asks something: pages of rounds before are done. */
  asked(): void {
    if (this.#isSent) this.#end(visitDone)
  }

  answered(params: unknown, response: InputResponse): void {
    const consent = readConsent(params, response)
    if (consent) this.#pages.push(consent)
  }

  /** The call is on its way again. */
  sent(): void {
    this.#isSent = true
    this.#isContinued = false
    if (this.#pages.length > 0 && this.#card === undefined && !this.#isUnattended) void this.#show()
  }

  /** Rests before the call is sent again. @throws the reason of the signal */
  async rest(milliseconds: number): Promise<void> {
    const { clock, signal } = this.#needs
    if (this.#isContinued) return
    const over = new AbortController()
    const continued = new Promise<void>((resolve) => (this.#endRest = resolve))
    await Promise.race([sleep(clock, milliseconds, AbortSignal.any([signal, over.signal])), continued])
    over.abort()
  }

  /** The call has its result: there is no other report of this revision that a visit is done. */
  returned(result: JsonObject): void {
    if (result['isError'] !== true) this.#end(visitDone)
  }

  /** Takes the card away. Safe to call twice. */
  close(): void {
    this.#end(visitOver)
  }

  #end(reason: string): void {
    this.#card?.abort(new Error(reason))
    this.#card = undefined
    this.#pages = []
    this.#isSent = false
  }

  async #show(): Promise<void> {
    const { giveUp } = this.#needs
    const closer = (this.#card = new AbortController())
    const outcome = await this.#decide(AbortSignal.any([this.#needs.signal, closer.signal])).catch(() => 'unattended' as const)
    if (this.#card !== closer) return
    this.#card = undefined
    if (outcome === 'cancelled') return giveUp()
    this.#isUnattended = outcome === 'unattended'
    if (outcome !== 'continued') return
    this.#isContinued = true
    this.#endRest()
  }

  /** @throws where the card is taken away, or the log cannot be written, so that nobody is shown it */
  async #decide(ended: AbortSignal): Promise<'continued' | 'cancelled' | 'unattended'> {
    const { session, clock, request, pause } = this.#needs
    await sleep(clock, pauseMs, ended)
    const since = clock.now()
    const urls = this.#pages.map(({ url }) => url)
    const resume = pause()
    try {
      const outcome = await session.awaitCompletion({ ids: [], urls, message: this.#pages[0]!.message, request, goesOn: true }, ended)
      ended.throwIfAborted()
      return outcome === 'completed' || clock.now() - since < soonestMs ? 'unattended' : outcome
    } finally {
      resume()
    }
  }
}
