import type { ConsentryError } from '../errors.ts'
import type { InputKind, InputResponse, UnansweredReason } from '../protocol/index.ts'

/** The end of a question that nobody answered: an elicitation is cancelled, everything else refused. Never a decision. */
export function unansweredResponse(kind: InputKind, unanswered: UnansweredReason, error: ConsentryError): InputResponse {
  return kind === 'elicitation'
    ? { outcome: 'answered', by: 'none', unanswered, result: { action: 'cancel' } }
    : { outcome: 'refused', by: 'none', unanswered, error }
}
