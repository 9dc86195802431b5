import type { InputResponse } from '../protocol/index.ts'

/** Nobody answered; a request that was not valid, or not offered to the server for another reason, is no question left open. */
export function isUnanswered(response: InputResponse): boolean {
  if (response.outcome === 'withdrawn' || response.by !== 'none') return false
  if (response.unanswered !== undefined) return true
  return response.outcome === 'refused' && (response.error.code === 'NO_ONE_TO_ASK' || response.error.code === 'FEATURE_NOT_DECLARED')
}

/** Why nobody's answer went out, a sentence for each reason. @param advice what would get it answered */
export function explainUnanswered(kind: string, response: InputResponse, advice: string): readonly string[] {
  if (response.outcome === 'withdrawn') return []
  const faults = response.facts?.['faults']
  if (response.unanswered === 'answer-does-not-fit' && Array.isArray(faults)) {
    return (faults as readonly { readonly field: string; readonly message: string }[]).map(
      ({ field, message }) => `the answer to a question (${kind}) does not fit: ${field}: ${message}`,
    )
  }
  const reason = response.unanswered ?? 'no-one-to-ask'
  return [`a question (${kind}) was not answered by anyone (${reason}): ${advice}`]
}
