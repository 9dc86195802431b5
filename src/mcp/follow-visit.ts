import { ConsentryError } from '../errors.ts'
import { isJsonObject, type DeskSession, type InputRequest, type InputResponse, type UrlWait } from '../protocol/index.ts'
import { sleep, type Clock } from './clock.ts'

/** A page that somebody agreed to go to. */
export interface VisitedPage {
  readonly url: string
  readonly message: string
}

/** What a card is about: pages of one question or round, and by which ids the server reports them complete (none in 2026-07-28). */
export type Visit = Pick<UrlWait, 'ids' | 'urls' | 'message'>

/** A call that ends so soon after consent needs nobody on its page: a card would only flash. */
export const pauseMs = 1000

/**
 * Consent is not completion: a call that sent somebody to a page waits while they are there, and a card says so. That ends when the server reports that they are
 * done, when they go on or give up, and with the call. Never rejects.
 *
 * @param signal aborted when the call is over
 * @returns `given-up` where a person said so, who wants no more of the call
 * @see MCP 2025-11-25 client/elicitation "Completion Notifications for URL Mode Elicitation"
 */
export async function followVisit(
  { ids, urls, message }: Visit,
  { session, revision, call }: { readonly session: Pick<DeskSession, 'awaitCompletion'> } & Pick<InputRequest, 'revision' | 'call'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<'given-up' | 'over'> {
  try {
    await sleep(clock, pauseMs, signal)
    const outcome = await session.awaitCompletion({ ids, urls, message, request: { revision, call }, goesOn: true }, signal)
    return outcome === 'cancelled' && !signal.aborted ? 'given-up' : 'over'
  } catch {
    // The call is over, or the log cannot be written: then the next question says so.
    return 'over'
  }
}

/** The page that somebody agreed to go to, where the server can report its end. */
export function readVisit(params: unknown, response: InputResponse): Visit | undefined {
  const page = readConsent(params, response)
  const id = isJsonObject(params) ? params['elicitationId'] : undefined
  return page !== undefined && typeof id === 'string' ? { ids: [id], urls: [page.url], message: page.message } : undefined
}

/** The page that somebody agreed to go to, if that is what was asked and answered. */
export function readConsent(params: unknown, response: InputResponse): VisitedPage | undefined {
  if (response.outcome !== 'answered' || response.result['action'] !== 'accept' || !isJsonObject(params) || params['mode'] !== 'url') return undefined
  const { url, message } = params
  return typeof url === 'string' && typeof message === 'string' ? { url, message } : undefined
}

/** Somebody who was sent to a page by a call wants no more of it. */
export function visitGivenUp(): ConsentryError {
  return new ConsentryError('CALL_CANCELLED', 'The call was given up while its page was visited')
}
