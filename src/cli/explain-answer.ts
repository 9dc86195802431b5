import type { InputResponse, UnansweredReason } from '../protocol/index.ts'

/** Nobody answered; a request that was not valid, or not offered to the server for another reason, is no question left open. */
export function isUnanswered(response: InputResponse): boolean {
  if (response.outcome === 'withdrawn' || response.by !== 'none') return false
  if (response.unanswered !== undefined) return true
  return response.outcome === 'refused' && (response.error.code === 'NO_ONE_TO_ASK' || response.error.code === 'FEATURE_NOT_DECLARED')
}

const reasons: Readonly<Record<Exclude<UnansweredReason, 'no-one-to-ask'>, string>> = {
  'answer-does-not-fit': 'what was given does not fit the question',
  'audit-unavailable': 'the audit log cannot be written, so that nothing is answered; look at the state folder',
  'desk-closed': 'the desk was ending',
  'desk-lost': 'the desk was lost and did not come back in time; consentry up starts it again',
  'asked-too-often': 'it asks faster than people can answer',
  muted: 'you did not want to be asked by it any more in this run',
  'timed-out': 'nobody answered in time',
  'too-many-waiting': 'too many questions were waiting already',
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
  // A desk of another version may know reasons that we do not.
  const byModel = kind === 'sampling' && reason === 'no-one-to-ask' ? '; a model answers without a person where a rule allows it (consentry models detect)' : ''
  const why = reason !== 'no-one-to-ask' && Object.hasOwn(reasons, reason) ? reasons[reason] : `${advice}${byModel}`
  return [`a question (${kind}) was not answered by anyone (${reason}): ${why}`]
}
