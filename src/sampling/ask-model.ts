import { ConsentryError } from '../errors.ts'
import type { Reservation } from '../policy/index.ts'
import type { Completion, Phrase, Revision, Spent } from '../protocol/index.ts'
import { estimateAnswer } from './estimate-tokens.ts'
import { fitAnswer } from './fit-answer.ts'
import { priceOf } from './model.ts'
import { failureOf, modelFailed, spentNothing } from './model-failure.ts'
import type { PartialAnswer, ProviderAnswer } from './model-provider.ts'
import type { Models } from './models.ts'
import { parseCompletion, type CompletionRules } from './parse-completion.ts'
import { phrase } from './phrases.ts'
import type { ModelProposal } from './propose-model.ts'
import { present } from './read-fields.ts'
import { untilAborted } from './until-aborted.ts'

/** Somebody who sees an answer come. */
export interface Watcher {
  onPart(completion: Completion): void
  /** Ends the model's work; what has come stays. */
  readonly stop: AbortSignal
}

/** What a model answered, checked, and what it took. */
export interface ModelAnswer {
  readonly completion: Completion
  readonly spent: Spent
  /** `stopped`: a person did so. `broke-off`: the connection did; what had come is there for a person to judge. */
  readonly end: 'finished' | 'stopped' | 'broke-off'
  readonly notes: readonly Phrase[]
}

export interface AskingOptions {
  /** Taken before, for the most that this could take. */
  readonly reservation: Reservation
  readonly revision: Revision
  readonly watcher?: Watcher | undefined
}

/**
 * Has the model answer; what it took is booked after. What was taken back or broke off is booked by what had come;
 * where nobody knows how far it went, it stays booked in full: a budget is never stretched by giving up.
 *
 * @throws ConsentryError `MODEL_UNKNOWN`, `MODEL_FAILED`
 */
export async function askModel(
  proposal: ModelProposal,
  models: Models,
  { reservation, revision, watcher }: AskingOptions,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  if (signal.aborted) await reservation.release()
  signal.throwIfAborted()
  const asking = new Asking(proposal, reservation)
  const { request, choice } = proposal
  const isOver = watcher === undefined ? signal : AbortSignal.any([signal, watcher.stop])
  const onPart = watcher && ((part: PartialAnswer): void => asking.take(part, watcher))
  try {
    const answer = await untilAborted(models.complete(choice.model, request, isOver, onPart), isOver)
    const { completion, spent, notes } = await asking.finish(answer, { request, revision })
    return { completion, spent, end: 'finished', notes }
  } catch (error) {
    const end = signal.aborted ? undefined : watcher?.stop.aborted === true ? 'stopped' : 'broke-off'
    return await asking.breakOff(error, end)
  }
}

class Asking {
  readonly #proposal: ModelProposal
  readonly #reservation: Reservation
  #last: PartialAnswer | undefined

  constructor(proposal: ModelProposal, reservation: Reservation) {
    this.#proposal = proposal
    this.#reservation = reservation
  }

  take(part: PartialAnswer, watcher: Watcher): void {
    this.#last = part
    watcher.onPart(part.completion)
  }

  async finish(answer: ProviderAnswer, rules: CompletionRules): Promise<Omit<ModelAnswer, 'end'>> {
    this.#last = undefined
    const { input, output } = readCounts(answer)
    const { inputTokens, choice } = this.#proposal
    const isEstimated = input === undefined || output === undefined
    const spent = await this.#book(input ?? inputTokens, output ?? estimateAnswer(answer.content), isEstimated)
    const { notes = [], ...completion } = fitAnswer(answer, rules.request)
    return { completion: checkAnswer(completion, choice.model, rules), spent, notes }
  }

  /** @param end undefined: the asker is gone */
  async breakOff(error: unknown, end: 'stopped' | 'broke-off' | undefined): Promise<ModelAnswer> {
    const last = this.#last
    const { model } = this.#proposal.choice
    const failure = end === 'stopped' ? stoppedBefore(model) : failureOf(model, error)
    if (last === undefined) {
      if (spentNothing(error)) await this.#reservation.release()
      throw failure
    }
    const { completion, received } = last
    const hasSomething = completion.content.length > 0
    if (spentNothing(error) && !hasSomething) await this.#reservation.release()
    const spent = await this.#book(this.#proposal.inputTokens, Math.max(received, estimateAnswer(completion.content)), true)
    if (end === undefined || !hasSomething) throw failure
    const notes =
      end === 'stopped' ? [] : [phrase('answer-broke-off', describeBreak(error), { code: error instanceof ConsentryError ? error.code : 'CONNECTION_LOST' })]
    const { notes: more = [], ...fitting } = fitAnswer({ ...completion, notes }, this.#proposal.request)
    return { completion: fitting, spent, end, notes: more }
  }

  async #book(inputTokens: number, outputTokens: number, isEstimated: boolean): Promise<Spent> {
    const cost = priceOf(this.#proposal.model, inputTokens, outputTokens)
    await this.#reservation.settle({ tokens: inputTokens + outputTokens, cost, output: outputTokens })
    return present({ inputTokens, outputTokens, cost, estimated: isEstimated || undefined })
  }
}

/** What a provider says it took; nothing is read for nothing, and no word is written for nothing: a count that cannot be is none. */
function readCounts({ usage: { input, output } = {}, content }: Completion): NonNullable<Completion['usage']> {
  const isSilent = estimateAnswer(content) === 0
  return present({ input: input === 0 ? undefined : input, output: output === 0 && !isSilent ? undefined : output })
}

function describeBreak(error: unknown): string {
  const why = error instanceof ConsentryError ? error.message : 'the connection was lost'
  return `The answer broke off before its end: ${why}`
}

function stoppedBefore(model: string): ConsentryError {
  return modelFailed(model, 'was stopped before it had said anything', { why: 'model-stopped' })
}

function checkAnswer(answer: Completion, name: string, rules: CompletionRules): Completion {
  try {
    return parseCompletion(answer, rules)
  } catch (cause) {
    if (!(cause instanceof ConsentryError)) throw cause
    throw new ConsentryError('MODEL_FAILED', `${name} gave an answer that cannot be sent: ${cause.message}`, { cause })
  }
}
