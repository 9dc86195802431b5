import type { ModelPreferences, Phrase } from '../protocol/index.ts'
import type { HintMatch } from './match-hints.ts'
import { priceOf } from './model.ts'
import { phrase } from './phrases.ts'
import { quoteText } from './quote-text.ts'
import type { Priorities } from './score-models.ts'

/** How a choice came about. */
export interface ChoiceSteps {
  readonly considered: number
  readonly able: number
  /** What ruled models out, or was asked for. */
  readonly demands: readonly string[]
  readonly hints: HintMatch
  readonly priorities: Priorities
  /** Which of the models that the hints left. */
  readonly chosen: number
  /** Of the models that the hints left; absent where the order decided without any. */
  readonly scores?: readonly number[] | undefined
  readonly decidedBy: 'only' | 'score' | 'order'
  /** The answer is cut to fit: no model had room for all that was asked. */
  readonly clamped: boolean
}

/** Says why a model was chosen: each step that had a part in it. */
export function explainChoice({ hints = [] }: ModelPreferences, maxTokens: number, steps: ChoiceSteps): readonly Phrase[] {
  const reasons: Phrase[] = []
  const { considered, able, demands, hints: match, clamped, decidedBy } = steps
  if (demands.length > 0)
    reasons.push(phrase('able-models', `${able} of ${considered} can (${demands.join(', ')})`, { able, considered, demands: [...demands] }))
  if (clamped) reasons.push(phrase('answer-cut', `answer cut to ${maxTokens} tokens`, { tokens: maxTokens }))
  const hint = quoteHint(hints, match.hint)
  if (match.via === 'direct') reasons.push(phrase('hint-matches', `hint ${hint} matches ${match.models.length}`, { hint, count: match.models.length }))
  else if (match.via === 'equivalent') reasons.push(phrase('hint-niche', `hint ${hint} taken as ${match.niche}`, { hint, niche: match.niche }))
  else if (hints.some(({ name }) => name?.trim())) reasons.push(phrase('no-hint-matched', 'no hint matched'))
  const scores = describeScores(steps)
  if (scores !== undefined) reasons.push(scores)
  if (decidedBy === 'order') reasons.push(phrase('first-in-list', 'first in your list'))
  const unpriced = steps.priorities.cost > 0 && decidedBy !== 'only' ? match.models.filter((one) => priceOf(one, 1, 1) === undefined) : []
  const models = unpriced.map(({ model }) => model).join(', ')
  if (unpriced.length > 0) reasons.push(phrase('price-unknown', `price unknown: ${models}`, { models }))
  return reasons
}

function quoteHint(hints: NonNullable<ModelPreferences['hints']>, index: number | null): string {
  return quoteText(hints[index ?? -1]?.name?.trim() ?? '')
}

function describeScores({ scores, chosen, hints: { models }, priorities: { cost, speed, intelligence } }: ChoiceSteps): Phrase | undefined {
  if (scores === undefined) return undefined
  const others = models.map(({ model }, index) => ({ model, score: scores[index]!, index })).filter(({ index }) => index !== chosen)
  const next = others.reduce((best, other) => (other.score > best.score ? other : best))
  const facts = {
    cost: twoPlaces(cost),
    speed: twoPlaces(speed),
    intelligence: twoPlaces(intelligence),
    winner: models[chosen]!.model,
    winnerScore: twoPlaces(scores[chosen]!),
    next: next.model,
    nextScore: twoPlaces(next.score),
  }
  const won = `${facts.winner} ${facts.winnerScore} before ${facts.next} ${facts.nextScore}`
  return phrase('scores', `cost ${facts.cost}, speed ${facts.speed}, intelligence ${facts.intelligence}: ${won}`, facts)
}

function twoPlaces(number: number): string {
  return number.toFixed(2)
}
