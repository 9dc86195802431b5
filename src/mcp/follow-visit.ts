import { isJsonObject, type InputResponse } from '../protocol/index.ts'
import type { AnswerContext } from './answer-input.ts'
import { sleep, type Clock } from './clock.ts'
import type { OpenQuestion } from './open-calls.ts'

/** A call that ends so soon after consent needs nobody on its page: a card would only flash. */
const pauseMs = 1000

/**
 * Consent is not completion: a call that sent somebody to a page waits while they are there, and is not charged for it. That ends when the server reports that
 * they are done, when they go on or give up, and with the call.
 *
 * @see MCP 2025-11-25 client/elicitation "Completion Notifications for URL Mode Elicitation"
 */
export function followVisit(params: unknown, response: InputResponse, question: OpenQuestion, context: AnswerContext, clock: Clock): void {
  const consent = readConsent(params, response)
  const id = isJsonObject(params) ? params['elicitationId'] : undefined
  if (consent === undefined || typeof id !== 'string') return
  const visit = question.follow()
  if (visit === undefined) return
  const wait = { ids: [id], urls: [consent.url], message: consent.message, request: { revision: context.revision, call: visit.call }, goesOn: true }
  const { session } = context
  void sleep(clock, pauseMs, visit.signal)
    .then(() => session.awaitCompletion(wait, visit.signal))
    .then((outcome) => {
      if (outcome === 'cancelled' && !visit.signal.aborted) visit.giveUp()
    })
    // The call is over, or the log cannot be written: then the next question says so.
    .catch(() => undefined)
    .finally(() => visit.done())
}

/** The page that somebody agreed to go to, if that is what was asked and answered. */
export function readConsent(params: unknown, response: InputResponse): { readonly url: string; readonly message: string } | undefined {
  if (response.outcome !== 'answered' || response.result['action'] !== 'accept' || !isJsonObject(params) || params['mode'] !== 'url') return undefined
  const { url, message } = params
  return typeof url === 'string' && typeof message === 'string' ? { url, message } : undefined
}
