import type { DeskSession, InputResponse, ParentCall, Revision } from '../protocol/index.ts'
import { sleep, type Clock } from './clock.ts'
import { readConsent, type VisitedPage } from './follow-visit.ts'
import { visitGivenUp } from './open-calls.ts'

export interface VisitedPagesNeeds {
  readonly session: Pick<DeskSession, 'awaitCompletion'>
  readonly clock: Clock
  readonly request: { readonly revision: Revision; readonly call: ParentCall | undefined }
  readonly signal: AbortSignal
}

interface Card {
  readonly closer: AbortController
  /** By a person; never where nobody decides. */
  readonly decided: Promise<'continued' | 'cancelled'>
}

/** Nobody has read a card and decided so soon: that was a script, or nobody could be shown it. */
const soonestMs = 500

/**
 * Pages that a modern call sent somebody to. While the server has the call come back without a question, a card stays: whoever presses Continue has it sent again
 * at once, and whoever gives up ends it.
 *
 * @see MCP 2026-07-28 client/elicitation "URL Mode Elicitation Requests"
 */
export class VisitedPages {
  readonly #needs: VisitedPagesNeeds
  #pages: VisitedPage[] = []
  #rests = 0
  #card: Card | undefined

  constructor(needs: VisitedPagesNeeds) {
    this.#needs = needs
  }

  /** The server has asked something: pages of rounds before are done. */
  note(params: unknown, response: InputResponse): void {
    if (this.#rests > 0) this.close()
    const consent = readConsent(params, response)
    if (consent) this.#pages.push(consent)
  }

  /** Rests before the call is sent again. @throws ConsentryError `CALL_CANCELLED` when somebody gives up, or the reason of the signal */
  async rest(milliseconds: number): Promise<void> {
    const { clock, signal } = this.#needs
    this.#rests += 1
    // A card for what is over in a moment would only flash.
    if (this.#pages.length === 0 || this.#rests === 1) return sleep(clock, milliseconds, signal)
    this.#card ??= this.#show()
    const decided = new AbortController()
    const rested = sleep(clock, milliseconds, AbortSignal.any([signal, decided.signal])).then(() => 'rested' as const)
    const outcome = await Promise.race([rested, this.#card.decided])
    decided.abort()
    if (outcome === 'rested') return
    this.#card = undefined
    if (outcome === 'cancelled') throw visitGivenUp()
  }

  /** Takes the card away. Safe to call twice. */
  close(): void {
    this.#card?.closer.abort(new Error('the call went on'))
    this.#card = undefined
    this.#pages = []
    this.#rests = 0
  }

  #show(): Card {
    const { session, clock, request, signal } = this.#needs
    const closer = new AbortController()
    const ended = AbortSignal.any([signal, closer.signal])
    const since = clock.now()
    const urls = this.#pages.map(({ url }) => url)
    const decided = new Promise<'continued' | 'cancelled'>((resolve) => {
      session.awaitCompletion({ ids: [], urls, message: this.#pages[0]!.message, request, goesOn: true }, ended).then(
        (outcome) => {
          if (!ended.aborted && outcome !== 'completed' && clock.now() - since >= soonestMs) resolve(outcome)
        },
        // The log cannot be written: nobody is shown a card.
        () => undefined,
      )
    })
    return { closer, decided }
  }
}
