import { ConsentryError } from '../errors.ts'
import type { PolicyQuestion, Reservation, ReservationRequest } from '../policy/index.ts'
import type { Completion, JsonObject, Revision } from '../protocol/index.ts'
import { estimateAnswer } from './estimate-tokens.ts'
import { priceOf } from './model.ts'
import { failureOf, spentNothing } from './model-failure.ts'
import type { Models } from './models.ts'
import { parseCompletion, type CompletionRules } from './parse-completion.ts'
import type { ModelProposal } from './propose-model.ts'
import { present } from './read-fields.ts'

export interface AskingNeeds {
  readonly models: Models
  readonly policy: { reserve(request: ReservationRequest): Promise<Reservation> }
}

/** What a model answered, checked, and what it took. */
export interface ModelAnswer {
  readonly completion: Completion
  readonly spent: JsonObject
}

/**
 * Has the model answer, within the budget: the most that it could take is reserved before, what it took is booked after.
 * A call that was taken back or failed half-way, nobody knows how far, stays booked in full: a budget is never stretched by giving up.
 *
 * @throws ConsentryError `LIMIT_REACHED`, `MODEL_UNKNOWN`, `MODEL_FAILED`
 */
export async function askModel(
  proposal: ModelProposal,
  question: PolicyQuestion,
  revision: Revision,
  { models, policy }: AskingNeeds,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { request, choice, model, inputTokens } = proposal
  const reservation = await policy.reserve({ ...question, tokens: inputTokens + request.maxTokens, cost: priceOf(model, inputTokens, request.maxTokens) })
  if (signal.aborted) await reservation.release()
  signal.throwIfAborted()

  let completion: Completion
  try {
    completion = await untilAborted(models.complete(choice.model, request, signal), signal)
  } catch (error) {
    if (spentNothing(error)) await reservation.release()
    throw failureOf(choice.model, error)
  }

  const { input, output } = completion.usage ?? {}
  const spent = { inputTokens: input ?? inputTokens, outputTokens: output ?? estimateAnswer(completion.content) }
  const cost = priceOf(model, spent.inputTokens, spent.outputTokens)
  await reservation.settle({ tokens: spent.inputTokens + spent.outputTokens, cost })
  const estimated = input === undefined || output === undefined
  return { completion: checkAnswer(completion, choice.model, { request, revision }), spent: present({ ...spent, cost, estimated: estimated || undefined }) }
}

function checkAnswer(answer: Completion, name: string, rules: CompletionRules): Completion {
  try {
    return parseCompletion(answer, rules)
  } catch (cause) {
    if (!(cause instanceof ConsentryError)) throw cause
    throw new ConsentryError('MODEL_FAILED', `${name} gave an answer that cannot be sent: ${cause.message}`, { cause })
  }
}

/** A model that does not listen to its signal holds up nobody. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
