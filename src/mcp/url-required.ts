import { isJsonObject, type DeskSession, type InputRequest, type InputResponse, type JsonObject } from '../protocol/index.ts'
import { inLanes } from './in-lanes.ts'
import { serverErrorOf, wireCodes } from './wire-error.ts'

export interface UrlRequiredNeeds {
  readonly session: Pick<DeskSession, 'awaitCompletion'>
  readonly request: Pick<InputRequest, 'revision' | 'call'>
  readonly answer: (params: JsonObject, signal: AbortSignal) => Promise<InputResponse>
  readonly signal: AbortSignal
}

interface Elicitation {
  readonly id: string
  readonly url: string
  readonly params: JsonObject
}

const mostElicitations = 16
const mostRounds = 10

/**
 * What one call was told to visit before it can go on.
 * @see MCP 2025-11-25 client/elicitation "URL Elicitation Required Error"
 */
export class UrlVisits {
  /** What a person, rule or script has agreed to already: the identifier and the address together. */
  readonly #agreed = new Set<string>()
  #isByPerson = true
  #last: { readonly list: string; readonly mayRepeat: boolean } | undefined
  #rounds = 0

  /**
   * Asks for consent to each address that the error lists, and waits until all are done or somebody says to go on.
   *
   * The same list again ends the call, unless it was a person who pressed Continue too early: then the wait goes on, without asking for consent twice.
   * @returns whether the call is to be sent again; false: it ends with this error
   */
  async satisfy(error: unknown, needs: UrlRequiredNeeds): Promise<boolean> {
    const wire = serverErrorOf(error)
    const elicitations = wire?.code === wireCodes.urlElicitationRequired ? readElicitations(wire.data) : []
    const list = elicitations.map(keyOf).toSorted().join('\n')
    this.#rounds += 1
    if (wire === undefined || elicitations.length === 0 || this.#rounds > mostRounds) return false
    if (this.#last?.list === list && !this.#last.mayRepeat) return false
    if (!(await this.#agree(elicitations, needs))) return false
    const { session, request, signal } = needs
    const [ids, urls] = [elicitations.map(({ id }) => id), elicitations.map(({ url }) => url)]
    const outcome = await session.awaitCompletion({ ids, urls, message: wire.message, request }, signal)
    this.#last = { list, mayRepeat: outcome === 'continued' && this.#isByPerson }
    return outcome !== 'cancelled'
  }

  async #agree(elicitations: readonly Elicitation[], { answer, signal }: UrlRequiredNeeds): Promise<boolean> {
    const siblings = new AbortController()
    // One for each question, so that no signal has more listeners than Node holds for sound.
    const either = (): AbortSignal => AbortSignal.any([signal, siblings.signal])
    const open = elicitations.filter((elicitation) => !this.#agreed.has(keyOf(elicitation)))
    await inLanes(open, mostElicitations, async (elicitation) => {
      const response = await answer(elicitation.params, either())
      if (response.outcome === 'answered' && response.result['action'] === 'accept') {
        this.#agreed.add(keyOf(elicitation))
        this.#isByPerson &&= response.by === 'person'
      } else siblings.abort()
    })
    return !either().aborted
  }
}

/** All of them, or none where one is not what the protocol says. */
function readElicitations(data: unknown): readonly Elicitation[] {
  const listed = isJsonObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(listed) || listed.length > mostElicitations) return []
  const sound = listed.filter(isUrlElicitation).map((params) => ({ id: params.elicitationId, url: params.url, params }))
  return sound.length === listed.length ? sound : []
}

function isUrlElicitation(value: unknown): value is JsonObject & { readonly elicitationId: string; readonly url: string } {
  return isJsonObject(value) && value['mode'] === 'url' && typeof value['elicitationId'] === 'string' && typeof value['url'] === 'string'
}

function keyOf({ id, url }: Elicitation): string {
  return JSON.stringify([id, url])
}
