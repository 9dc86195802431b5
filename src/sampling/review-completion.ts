import type {
  Completion,
  CompletionDraft,
  Decision,
  Draft,
  FieldFault,
  InputResponse,
  ModelChoice,
  Origin,
  Phrase,
  Reviewer,
  SamplingRemembrance,
  SamplingRequest,
  Spent,
} from '../protocol/index.ts'
import { AnswerView } from './answer-view.ts'
import type { ModelAnswer, Watcher } from './ask-model.ts'
import { findFaults } from './find-faults.ts'
import { describeFailure, failureOf } from './model-failure.ts'
import { parseCompletion } from './parse-completion.ts'
import { readRemembrance } from './read-remembrance.ts'
import { closed, denied, undecided } from './refusals.ts'
import { isSameJson } from './same-json.ts'

/** What became of the answer; `spent` is what the model took, where that is known. */
export type CompletionOutcome = { readonly spent: Spent | undefined } & (
  | {
      readonly outcome: 'approved'
      readonly completion: Completion
      readonly by: 'person' | 'script'
      readonly edited: boolean
      readonly end: ModelAnswer['end']
      readonly remember: SamplingRemembrance | undefined
    }
  | { readonly outcome: 'ended'; readonly response: InputResponse }
)

/** An answer that is to be shown as it comes. */
export interface AnswerToReview {
  /** As it goes to the model. */
  readonly request: SamplingRequest
  readonly choice: ModelChoice
  readonly ask: (watcher: Watcher) => Promise<ModelAnswer>
}

const stillStreaming: FieldFault = {
  field: '',
  problem: 'still-streaming',
  message: 'The model is still writing: stop it, or wait until it has ended',
}

/**
 * Has a model answer, and shows its answer before it leaves: from the first words on where the provider streams, else once it is whole.
 * Stopping, editing, sending and withholding are possible at any time; what is decided ends the model's work. An edited answer keeps the name of the model.
 *
 * @throws ConsentryError `MODEL_FAILED` where there is nothing to show
 */
export async function reviewCompletion(
  { request, choice, ask }: AnswerToReview,
  origin: Origin,
  reviewer: Reviewer,
  signal: AbortSignal,
): Promise<CompletionOutcome> {
  const stop = new AbortController()
  const view = new AnswerView(choice.model, () => stop.abort(new Error('stopped by a person')))
  let begin = (): void => {}
  const firstPart = new Promise<void>((resolve) => {
    begin = resolve
  })
  let hasFailed = false
  let fail = (_why: Phrase): void => {}
  const failure = new Promise<Phrase>((resolve) => {
    fail = resolve
  })
  const answer = ask({
    stop: stop.signal,
    onPart(completion) {
      view.grow(completion)
      begin()
    },
  }).then(
    (whole) => {
      view.finish(whole)
      return whole
    },
    (error: unknown) => {
      hasFailed = true
      fail(describeFailure(choice.model, failureOf(choice.model, error)))
      throw error
    },
  )
  await Promise.race([firstPart, answer])

  const read = ({ completion }: ModelAnswer, decision: Decision<'completion'>): Completion => {
    if (decision.action !== 'approve' || decision.completion === undefined) return completion
    const { content, stopReason } = parseCompletion(decision.completion, { request, revision: origin.revision })
    return { ...completion, content, stopReason }
  }
  const check = async (decision: Decision<'completion'>): Promise<readonly FieldFault[]> => {
    if (decision.action !== 'approve') return []
    if (view.isStreaming && view.isShown) {
      if (decision.completion === undefined) return [stillStreaming]
      stop.abort(new Error('stopped by a person'))
    }
    const whole = await answer.catch(() => undefined)
    return whole === undefined
      ? []
      : findFaults(() => {
          readRemembrance(decision.remember)
          parseCompletion(read(whole, decision), { request, revision: origin.revision })
        })
  }
  const subject = { request, completion: withoutState(view.value), choice }
  const onOpen = (draft: Draft<CompletionDraft>): void => view.show(draft)
  const settlement = await reviewer.review({ kind: 'completion', origin, subject, draft: view.value, onOpen, check, failure }, signal)

  const isApproved = settlement.outcome === 'decided' && settlement.decision.action === 'approve'
  if (hasFailed && !signal.aborted && (isApproved || settlement.outcome !== 'decided')) await answer
  if (!isApproved) stop.abort(new Error('nobody waits for the answer any more'))
  const whole = await answer.catch(() => undefined)
  const spent = whole?.spent
  if (settlement.outcome !== 'decided') return { outcome: 'ended', response: undecided(settlement), spent }
  const { decision, by } = settlement
  if (decision.action === 'cancel') return { outcome: 'ended', response: closed(by, 'completion'), spent }
  if (decision.action !== 'approve' || whole === undefined) return { outcome: 'ended', response: denied(by, { review: 'completion' }), spent }

  const faults = await check(decision)
  if (faults.length > 0) return { outcome: 'ended', response: undecided({ outcome: 'unfit', faults }), spent }
  const completion = read(whole, decision)
  const edited = !isSameJson(completion.content, whole.completion.content)
  return { outcome: 'approved', completion, by, edited, end: whole.end, remember: readRemembrance(decision.remember), spent }
}

/** The answer alone, as a review without a draft shows it. */
function withoutState({ content, model, stopReason, usage }: Completion): Completion {
  return { content, model, ...(stopReason !== undefined && { stopReason }), ...(usage && { usage }) }
}
