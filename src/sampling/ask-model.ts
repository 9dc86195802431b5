import { ConsentryError } from '../errors.ts'
import type { Reservation } from '../policy/index.ts'
import type { Completion, Phrase, Revision, Spent } from '../protocol/index.ts'
import { estimateAnswer } from './estimate-tokens.ts'
import { priceOf } from './model.ts'
import { failureOf, spentNothing } from './model-failure.ts'
import type { PartialAnswer } from './model-provider.ts'
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
    const { notes = [], ...answer } = await untilAborted(models.complete(choice.model, request, isOver, onPart), isOver)
    const { completion, spent } = await asking.finish(answer, { request, revision })
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

  async finish(answer: Completion, rules: CompletionRules): Promise<Pick<ModelAnswer, 'completion' | 'spent'>> {
    this.#last = undefined
    const { input, output } = answer.usage ?? {}
    const { inputTokens, choice } = this.#proposal
    const isEstimated = input === undefined || output === undefined
    const spent = await this.#book(input ?? inputTokens, output ?? estimateAnswer(answer.content), isEstimated)
    return { completion: checkAnswer(answer, choice.model, rules), spent }
  }

  /** @param end undefined: the asker is gone */
  async breakOff(error: unknown, end: 'stopped' | 'broke-off' | undefined): Promise<ModelAnswer> {
    const last = this.#last
    if (last === undefined) {
      if (spentNothing(error)) await this.#reservation.release()
      throw end === 'stopped' ? stoppedBefore(this.#proposal.choice.model) : failureOf(this.#proposal.choice.model, error)
    }
    const { completion, received } = last
    const hasSomething = completion.content.length > 0
    if (spentNothing(error) && !hasSomething) await this.#reservation.release()
    const spent = await this.#book(this.#proposal.inputTokens, Math.max(received, estimateAnswer(completion.content)), true)
    if (end === undefined || (end === 'broke-off' && !hasSomething)) throw failureOf(this.#proposal.choice.model, error)
    const notes =
      end === 'stopped' ? [] : [phrase('answer-broke-off', describeBreak(error), { code: error instanceof ConsentryError ? error.code : 'CONNECTION_LOST' })]
    return { completion, spent, end, notes }
  }

  async #book(inputTokens: number, outputTokens: number, isEstimated: boolean): Promise<Spent> {
    const cost = priceOf(this.#proposal.model, inputTokens, outputTokens)
    await this.#reservation.settle({ tokens: inputTokens + outputTokens, cost, output: outputTokens })
    return present({ inputTokens, outputTokens, cost, estimated: isEstimated || undefined })
  }
}

function describeBreak(error: unknown): string {
  const why = error instanceof ConsentryError ? error.message : 'the connection was lost'
  return `The answer broke off before its end: ${why}`
}

function stoppedBefore(model: string): ConsentryError {
  return new ConsentryError('MODEL_FAILED', `${model} was stopped before it had said anything`)
}

function checkAnswer(answer: Completion, name: string, rules: CompletionRules): Completion {
  try {
    return parseCompletion(answer, rules)
  } catch (cause) {
    if (!(cause instanceof ConsentryError)) throw cause
    throw new ConsentryError('MODEL_FAILED', `${name} gave an answer that cannot be sent: ${cause.message}`, { cause })
  }
}
