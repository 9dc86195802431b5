import type { Completion, Decision, FieldFault, InputResponse, Origin, Reviewer, SamplingRequest } from '../protocol/index.ts'
import { findFaults } from './find-faults.ts'
import { parseCompletion } from './parse-completion.ts'
import { closed, denied, undecided } from './refusals.ts'

export type CompletionOutcome =
  | { readonly outcome: 'approved'; readonly completion: Completion; readonly by: 'person' | 'script'; readonly edited: boolean }
  | { readonly outcome: 'ended'; readonly response: InputResponse }

/** Shows what a model answered before it leaves. An edited answer keeps the name of the model. */
export async function reviewCompletion(
  request: SamplingRequest,
  completion: Completion,
  origin: Origin,
  reviewer: Reviewer,
  signal: AbortSignal,
): Promise<CompletionOutcome> {
  const read = (decision: Decision<'completion'>): Completion => {
    if (decision.action !== 'approve' || decision.completion === undefined) return completion
    const { content, stopReason } = parseCompletion(decision.completion, { request, revision: origin.revision })
    return { ...completion, content, stopReason }
  }
  const check = (decision: Decision<'completion'>): Promise<readonly FieldFault[]> => Promise.resolve(findFaults(() => read(decision)))
  const settlement = await reviewer.review({ kind: 'completion', origin, subject: { request, completion }, draft: completion, check }, signal)
  if (settlement.outcome !== 'decided') return { outcome: 'ended', response: undecided(settlement) }

  const { decision, by } = settlement
  const faults = await check(decision)
  if (faults.length > 0) return { outcome: 'ended', response: undecided({ outcome: 'unfit', faults }) }
  if (decision.action === 'cancel') return { outcome: 'ended', response: closed(by, 'completion') }
  if (decision.action !== 'approve') return { outcome: 'ended', response: denied(by, { review: 'completion' }) }
  const approved = read(decision)
  return { outcome: 'approved', completion: approved, by, edited: JSON.stringify(approved.content) !== JSON.stringify(completion.content) }
}
