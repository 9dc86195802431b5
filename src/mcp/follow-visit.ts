import { isJsonObject, type DeskSession, type InputRequest, type InputResponse } from '../protocol/index.ts'
import { sleep, type Clock } from './clock.ts'

/** A page that somebody agreed to go to. */
export interface VisitedPage {
  readonly url: string
  readonly message: string
}

/** One that the server reports complete, by the id that it gave. */
export interface NamedPage extends VisitedPage {
  readonly id: string
}

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
  { id, url, message }: NamedPage,
  { session, revision, call }: { readonly session: Pick<DeskSession, 'awaitCompletion'> } & Pick<InputRequest, 'revision' | 'call'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<'given-up' | 'over'> {
  try {
    await sleep(clock, pauseMs, signal)
    const outcome = await session.awaitCompletion({ ids: [id], urls: [url], message, request: { revision, call }, goesOn: true }, signal)
    return outcome === 'cancelled' && !signal.aborted ? 'given-up' : 'over'
  } catch {
    // The call is over, or the log cannot be written: then the next question says so.
    return 'over'
  }
}

/** The page that somebody agreed to go to, where the server can report its end. */
export function readVisit(params: unknown, response: InputResponse): NamedPage | undefined {
  const page = readConsent(params, response)
  const id = isJsonObject(params) ? params['elicitationId'] : undefined
  return page !== undefined && typeof id === 'string' ? { ...page, id } : undefined
}

/** The page that somebody agreed to go to, if that is what was asked and answered. */
export function readConsent(params: unknown, response: InputResponse): VisitedPage | undefined {
  if (response.outcome !== 'answered' || response.result['action'] !== 'accept' || !isJsonObject(params) || params['mode'] !== 'url') return undefined
  const { url, message } = params
  return typeof url === 'string' && typeof message === 'string' ? { url, message } : undefined
}
