import type { Policy, ReservationRequest, Ruling } from '../policy/index.ts'
import {
  isAtLeast,
  type AnswerCapabilities,
  type InputRequest,
  type InputResponse,
  type JsonObject,
  type Origin,
  type Phrase,
  type Reviewer,
  type SamplingRequest,
} from '../protocol/index.ts'
import { askModel, type ModelAnswer, type Watcher } from './ask-model.ts'
import { contextNote } from './context-note.ts'
import { keptText } from './kept-text.ts'
import { findFailedTry, isUnseen, proposeAgain, type FailedTry } from './failed-try.ts'
import { findOddMedia } from './find-odd-media.ts'
import { lastUserText } from './last-user-text.ts'
import { roomIn } from './limit-room.ts'
import { priceOf } from './model.ts'
import type { Models } from './models.ts'
import { parseSamplingRequest } from './parse-request.ts'
import { listOptions, proposeModel, type ModelProposal } from './propose-model.ts'
import { redactRequest } from './redact-request.ts'
import { denied, failed, withdrawn, withFacts } from './refusals.ts'
import { reviewCompletion } from './review-completion.ts'
import { approvedUnseen, reviewPrompt, type Approved, type PromptOutcome, type PromptSurroundings, type ShownPrompt } from './review-prompt.ts'
import { createSamplingMemory, type SamplingMemory } from './sampling-memory.ts'
import { findSkips, type Skips } from './find-skips.ts'
import { takeRoom } from './take-room.ts'
import { countToolRounds, refuseEndlessLoop } from './tool-rounds.ts'
import { writeResult } from './write-result.ts'

/** What sampling needs of the world. */
export interface SamplingNeeds {
  readonly policy: Pick<Policy, 'decide' | 'reserve' | 'limitsOf' | 'raise' | 'toolRoundsOf' | 'samplingOf'>
  readonly reviewer: Reviewer
  /** What was declared to this server. */
  readonly capabilities: AnswerCapabilities
  readonly models: Models
  /** What is known from the requests before. Default: nothing. */
  readonly memory?: SamplingMemory | undefined
}

/**
 * Answers one `sampling/createMessage`: a person sees the request, a model (or the person) answers, the person sees the answer, and only then it leaves.
 *
 * A rule of the user, or what a person had remembered, may stand in for either review, within its limits and where a model can answer; it never writes in a person's place.
 * Never rejects: whatever goes wrong is a refused response. Tool calls are given back, never run. No message is kept.
 *
 * @see MCP 2025-11-25 client/sampling "Message Flow"
 */
export async function sample(request: InputRequest, origin: Origin, needs: SamplingNeeds, signal: AbortSignal): Promise<InputResponse> {
  try {
    signal.throwIfAborted()
    const tools = needs.capabilities.samplingTools && isAtLeast(origin.revision, '2025-11-25')
    const asked = parseSamplingRequest(request.params, { tools, revision: origin.revision })
    const question: ReservationRequest = { kind: 'sampling', origin, message: lastUserText(asked) }
    return await new Completing(origin, { ...needs, memory: needs.memory ?? createSamplingMemory() }, question, signal).decide(
      asked,
      contextNote(request.params),
    )
  } catch (error) {
    return signal.aborted ? withdrawn(signal) : failed(error)
  }
}

/** One request on its way to an answer. */
class Completing {
  readonly #origin: Origin
  readonly #needs: SamplingNeeds & { readonly memory: SamplingMemory }
  readonly #question: ReservationRequest
  readonly #signal: AbortSignal
  /** What the audit log is told; never the words of anybody. */
  #facts: JsonObject = {}

  constructor(origin: Origin, needs: SamplingNeeds & { readonly memory: SamplingMemory }, question: ReservationRequest, signal: AbortSignal) {
    this.#origin = origin
    this.#needs = needs
    this.#question = question
    this.#signal = signal
  }

  async decide(asked: SamplingRequest, context: readonly Phrase[]): Promise<InputResponse> {
    const { policy, memory, models, reviewer } = this.#needs
    const { server } = this.#origin
    const ruling = policy.decide(this.#question)
    if (ruling.outcome === 'deny') return denied('rule', { rule: ruling.rule })
    const consent = await memory.consents.find(server)
    if (consent?.says === 'deny') return denied('rule', { remembered: consent.for })
    const toolRounds = countToolRounds(asked)
    refuseEndlessLoop(toolRounds, policy.toolRoundsOf(this.#question))

    const { redact = false } = policy.samplingOf(server)
    const redaction = redact ? redactRequest(asked) : { request: asked, parts: [] }
    const lasting: JsonObject = redaction.parts.length > 0 ? { redacted: redaction.parts.flatMap(({ kinds }) => kinds) } : {}
    this.#facts = lasting
    const skips = findSkips(ruling, consent)
    const question: ReservationRequest = { ...this.#question, remembered: skips.remembered !== undefined }
    const before = [...context, ...findOddMedia(asked)]
    const failures: string[] = []
    for (let failed: FailedTry | undefined; ;) {
      const limits = await policy.limitsOf(question)
      const room = roomIn(limits)
      const proposal = proposeModel(models, redaction.request, { room })
      // Where nobody looks, a price that is not known is refused as what it is: beyond the limit.
      const unseen =
        skips.prompt && !proposal.model && room.isPriced ? proposeModel(models, redaction.request, { room: { ...room, isPriced: false } }) : proposal
      const look = (): ShownPrompt => {
        const now = proposeAgain(models, redaction.request, room, failed)
        const { request, notes } = now
        const surroundings: PromptSurroundings = {
          ...(models.size > 0 && { models: listOptions(models, request, room) }),
          ...(limits.length > 0 && { limits }),
          ...(before.length + notes.length > 0 && { notes: [...before, ...notes] }),
          ...(redaction.parts.length > 0 && { redaction: { parts: redaction.parts, original: { ...asked, maxTokens: request.maxTokens } } }),
          ...(toolRounds > 0 && { toolRounds }),
          ...becauseOf(ruling),
          ...(failed && { failed: failed.why }),
        }
        return { proposal: now, surroundings }
      }
      const prompt =
        !failed && skips.prompt && unseen.model
          ? approvedUnseen(unseen)
          : await reviewPrompt(look, this.#origin, { reviewer, models, room, edited: failed?.proposal.request }, this.#signal)
      if (failed && prompt.outcome === 'ended' && isUnseen(prompt.response)) return failed.end
      if (prompt.outcome !== 'approved') return this.#endWithoutModel(prompt, asked)
      if (prompt.remember && prompt.by === 'person') await memory.consents.remember(server, 'allow', prompt.remember)
      const end = await this.#complete(asked, prompt, skips)
      failed = reviewer.canReview('prompt', server) ? findFailedTry(prompt, end, failures.length + 1) : undefined
      if (!failed) return end
      failures.push(failed.why.sentence)
      this.#facts = { ...lasting, failures }
    }
  }

  async #endWithoutModel(prompt: Exclude<PromptOutcome, Approved>, asked: SamplingRequest): Promise<InputResponse> {
    if (prompt.outcome === 'written') {
      const { completion, by } = prompt
      return { outcome: 'answered', by, result: writeResult(completion, asked), facts: { ...this.#facts, model: completion.model, written: true } }
    }
    if (prompt.remember) await this.#needs.memory.consents.remember(this.#origin.server, 'deny', prompt.remember)
    return withFacts(prompt.response, this.#facts)
  }

  async #complete(asked: SamplingRequest, approved: Approved, skips: Skips): Promise<InputResponse> {
    const { proposal, by, promptEdited } = approved
    const { model, why } = proposal.choice
    this.#facts = { model, why, ...this.#facts, ...(by === 'rule' ? skips.facts : { promptEdited }) }
    try {
      const reservation = await this.#takeRoom(approved, skips)
      const ask = (watcher?: Watcher): Promise<ModelAnswer> =>
        askModel(proposal, this.#needs.models, { reservation, revision: this.#origin.revision, watcher }, this.#signal)
      return skips.completion ? await this.#answerUnseen(asked, proposal, by, ask) : await this.#answerSeen(asked, proposal, skips, ask)
    } catch (error) {
      return this.#signal.aborted ? withdrawn(this.#signal) : withFacts(failed(error), this.#facts)
    }
  }

  /** The most that this could take is reserved before anything is spent. */
  #takeRoom(approved: Approved, skips: Skips): ReturnType<typeof takeRoom> {
    const { policy, reviewer, memory } = this.#needs
    const { inputTokens, request, model, choice } = approved.proposal
    const { maxTokens } = request
    const wanted = { tokens: inputTokens + maxTokens, cost: priceOf(model, inputTokens, maxTokens), model: choice.model }
    const remembered = skips.remembered !== undefined
    return takeRoom({ ...this.#question, ...wanted, remembered }, approved, this.#origin, { policy, reviewer, ...memory }, this.#signal)
  }

  async #answerUnseen(asked: SamplingRequest, { request }: ModelProposal, by: Approved['by'], ask: () => Promise<ModelAnswer>): Promise<InputResponse> {
    const { completion, spent, notes } = await ask()
    const facts = { ...this.#facts, ...spent, ...(notes.length > 0 && { notes: notes.map(({ sentence }) => sentence) }), ...this.#kept(request, completion) }
    return { outcome: 'answered', by, result: writeResult(completion, asked), facts }
  }

  async #answerSeen(
    asked: SamplingRequest,
    { request, choice }: ModelProposal,
    skips: Skips,
    ask: (watcher: Watcher) => Promise<ModelAnswer>,
  ): Promise<InputResponse> {
    const { reviewer, memory } = this.#needs
    const review = await reviewCompletion({ request, choice, ask }, this.#origin, reviewer, this.#signal)
    this.#facts = { ...this.#facts, ...review.spent }
    if (review.outcome === 'ended') return withFacts(review.response, { ...this.#facts, ...this.#kept(request, undefined) })
    if (review.remember && review.by === 'person') await memory.consents.remember(this.#origin.server, 'allow', review.remember)
    const { completion, edited, end } = review
    const facts = {
      ...this.#facts,
      completionEdited: edited,
      ...(end !== 'finished' && { end }),
      ...(skips.prompt && skips.facts),
      ...this.#kept(request, completion),
    }
    return { outcome: 'answered', by: review.by, result: writeResult(completion, asked), facts }
  }

  /** The words themselves, where the user wants them in the log. */
  #kept(request: SamplingRequest, completion: ModelAnswer['completion'] | undefined): JsonObject {
    return this.#needs.policy.samplingOf(this.#origin.server).keepText === true ? keptText(request, completion) : {}
  }
}

function becauseOf(ruling: Ruling): Pick<PromptSurroundings, 'because'> {
  return ruling.outcome === 'ask' && ruling.because !== undefined ? { because: ruling.because } : {}
}
