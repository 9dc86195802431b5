import type { PolicyQuestion, Reservation, ReservationRequest, Ruling } from '../policy/index.ts'
import {
  isAtLeast,
  type AnswerCapabilities,
  type InputRequest,
  type InputResponse,
  type JsonObject,
  type Origin,
  type Reviewer,
  type SamplingRequest,
} from '../protocol/index.ts'
import { askModel } from './ask-model.ts'
import { lastUserText } from './last-user-text.ts'
import type { Models } from './models.ts'
import { parseSamplingRequest } from './parse-request.ts'
import { proposeModel } from './propose-model.ts'
import { denied, failed, withdrawn, withFacts } from './refusals.ts'
import { reviewCompletion } from './review-completion.ts'
import { approvedByRule, reviewPrompt, type Approved } from './review-prompt.ts'
import { writeResult } from './write-result.ts'

/** What sampling needs of the world. */
export interface SamplingNeeds {
  readonly policy: { decide(question: PolicyQuestion): Ruling; reserve(request: ReservationRequest): Promise<Reservation> }
  readonly reviewer: Reviewer
  /** What was declared to this server. */
  readonly capabilities: AnswerCapabilities
  readonly models: Models
}

/**
 * Answers one `sampling/createMessage`: a person sees the request, a model (or the person) answers, the person sees the answer, and only then it leaves.
 *
 * A rule of the user may stand in for both reviews, within its limits and where a model can answer; it never writes in a person's place.
 * Never rejects: whatever goes wrong is a refused response. Tool calls are given back, never run. No message is kept.
 *
 * @see MCP 2025-11-25 client/sampling "Message Flow"
 */
export async function sample(request: InputRequest, origin: Origin, needs: SamplingNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    signal.throwIfAborted()
    const tools = needs.capabilities.samplingTools && isAtLeast(origin.revision, '2025-11-25')
    return await decide(parseSamplingRequest(request.params, { tools, revision: origin.revision }), origin, needs, signal)
  } catch (error) {
    return signal.aborted ? withdrawn(signal) : failed(error)
  }
}

async function decide(asked: SamplingRequest, origin: Origin, needs: SamplingNeeds, signal: AbortSignal): Promise<InputResponse> {
  const question: PolicyQuestion = { kind: 'sampling', origin, message: lastUserText(asked) }
  const ruling = needs.policy.decide(question)
  if (ruling.outcome === 'deny') return denied('rule', { rule: ruling.rule })

  const proposal = proposeModel(needs.models, asked)
  if (ruling.outcome === 'allow' && proposal.model) return complete(asked, approvedByRule(proposal, ruling.rule), question, origin, needs, signal)

  const prompt = await reviewPrompt(proposal, origin, needs, signal)
  switch (prompt.outcome) {
    case 'approved':
      return complete(asked, prompt, question, origin, needs, signal)
    case 'written':
      return { outcome: 'answered', by: prompt.by, result: writeResult(prompt.completion, asked), facts: { model: prompt.completion.model, written: true } }
    case 'ended':
      return prompt.response
    default:
      return prompt satisfies never
  }
}

async function complete(
  asked: SamplingRequest,
  { proposal, by, promptEdited, rule }: Approved,
  question: PolicyQuestion,
  origin: Origin,
  needs: SamplingNeeds,
  signal: AbortSignal,
): Promise<InputResponse> {
  const { request, choice } = proposal
  let facts: JsonObject = { model: choice.model, why: choice.why, ...(rule === undefined ? { promptEdited } : { rule }) }
  try {
    const { completion, spent } = await askModel(proposal, question, origin.revision, needs, signal)
    facts = { ...facts, ...spent }
    if (by === 'rule') return { outcome: 'answered', by, result: writeResult(completion, asked), facts }

    const review = await reviewCompletion(request, completion, origin, needs.reviewer, signal)
    if (review.outcome === 'ended') return withFacts(review.response, facts)
    return { outcome: 'answered', by: review.by, result: writeResult(review.completion, asked), facts: { ...facts, completionEdited: review.edited } }
  } catch (error) {
    return signal.aborted ? withdrawn(signal) : withFacts(failed(error), facts)
  }
}
