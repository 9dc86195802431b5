import { ConsentryError } from '../errors.ts'
import { isModelFailure } from './model-failure.ts'
import { present } from './read-fields.ts'
import type { DecidedBy, InputResponse, Json, JsonObject, ReviewKind, Settlement, UnansweredReason } from '../protocol/index.ts'

/** A person, a script or a rule of the user said no. @see MCP 2025-11-25 client/sampling "Error Handling" */
export function denied(by: DecidedBy, facts: JsonObject): InputResponse {
  return { outcome: 'refused', by, error: new ConsentryError('SAMPLING_DENIED', 'User rejected sampling request'), facts }
}

/** Somebody closed the review: no answer, and no refusal either. The protocol has no cancel for a completion. */
export function closed(by: DecidedBy, review: ReviewKind): InputResponse {
  const error = new ConsentryError('NO_ONE_TO_ASK', 'The review of this completion was closed without a decision', { data: { reason: 'closed' } })
  return { outcome: 'refused', by, error, facts: { review, closed: true } }
}

/** The end of a request whose review was not decided: nobody's answer, or nobody is left to tell. */
export function undecided<Kind extends ReviewKind>(settlement: Exclude<Settlement<Kind>, { outcome: 'decided' }>): InputResponse {
  switch (settlement.outcome) {
    case 'withdrawn':
      return { outcome: 'withdrawn', reason: settlement.reason }
    case 'nobody':
      return unanswered('no-one-to-ask', 'Nobody could be asked for this completion')
    case 'timed-out':
      return unanswered('timed-out', 'Nobody decided on this completion in time')
    case 'desk-closed':
      return unanswered('desk-closed', 'The desk was closed before anybody decided on this completion')
    case 'too-many-waiting':
      return unanswered('too-many-waiting', 'Too many questions wait for a decision already')
    case 'asked-too-often':
      return unanswered('asked-too-often', 'This server asks faster than people can answer')
    case 'muted':
      return unanswered('muted', 'The user does not want to be asked any more in this run')
    case 'unfit': {
      const faults = settlement.faults.map(({ field, problem, message }) => ({ field, problem, message }))
      return unanswered('answer-does-not-fit', 'The answer that was given does not fit this request', { faults })
    }
    default:
      return settlement satisfies never
  }
}

function unanswered(reason: UnansweredReason, message: string, facts?: JsonObject): InputResponse {
  const error = new ConsentryError('NO_ONE_TO_ASK', message, { data: { reason } })
  return { outcome: 'refused', by: 'none', unanswered: reason, error, ...(facts && { facts }) }
}

/** The asker is gone, or took the request back. */
export function withdrawn(signal: AbortSignal): InputResponse {
  const { reason } = signal as { reason: unknown }
  return { outcome: 'withdrawn', reason: reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'the request was taken back' }
}

/** What went wrong, as the end of a request; what is not an error of ours is never told. */
export function failed(cause: unknown): InputResponse {
  const error = cause instanceof ConsentryError ? cause : new ConsentryError('INTERNAL', 'The completion could not be made: an error of ours', { cause })
  // The log says why, for whoever was not there to be told.
  if (error.code === 'LIMIT_REACHED') return beyondLimit(error)
  return { outcome: 'refused', by: 'none', error, ...(isModelFailure(error) && { facts: { reason: error.message } }) }
}

/** What the user had set says no, whoever was asked for more room; a person says it only where they want no more of it. */
function beyondLimit(error: ConsentryError): InputResponse {
  const { limit, scope, allowed, remaining, said } = (error.data ?? {}) as Record<string, Json | undefined>
  return { outcome: 'refused', by: said === 'stop' ? 'person' : 'rule', error, facts: present({ limit, scope, allowed, remaining, said }) }
}

/** The same end, with what was known before it for the audit log. */
export function withFacts(response: InputResponse, facts: JsonObject): InputResponse {
  return response.outcome === 'withdrawn' ? response : { ...response, facts: { ...facts, ...response.facts } }
}
