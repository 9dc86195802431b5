import type { ModelPreferences } from '../protocol/index.ts'
import type { HintMatch } from './match-hints.ts'
import { nameOf, priceOf } from './model.ts'
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

/** Says in one line why a model was chosen: its name, then each step that had a part in it. */
export function explainChoice({ hints = [] }: ModelPreferences, maxTokens: number, steps: ChoiceSteps): string {
  const parts = [nameOf(steps.hints.models[steps.chosen]!)]
  const { considered, able, demands, hints: match, clamped, decidedBy } = steps
  if (demands.length > 0) parts.push(`${able} of ${considered} can (${demands.join(', ')})`)
  if (clamped) parts.push(`answer cut to ${maxTokens} tokens`)
  if (match.via === 'direct') parts.push(`hint ${quoteHint(hints, match.hint)} matches ${match.models.length}`)
  else if (match.via === 'equivalent') parts.push(`hint ${quoteHint(hints, match.hint)} taken as ${match.niche}`)
  else if (hints.some(({ name }) => name?.trim())) parts.push('no hint matched')
  const scores = describeScores(steps)
  if (scores !== undefined) parts.push(scores)
  if (decidedBy === 'order') parts.push('first in your list')
  const unpriced = steps.priorities.cost > 0 && decidedBy !== 'only' ? match.models.filter((one) => priceOf(one, 1, 1) === undefined) : []
  if (unpriced.length > 0) parts.push(`price unknown: ${unpriced.map(({ model }) => model).join(', ')}`)
  return parts.join('; ')
}

function quoteHint(hints: NonNullable<ModelPreferences['hints']>, index: number | null): string {
  return quoteText(hints[index ?? -1]?.name?.trim() ?? '')
}

function describeScores({ scores, chosen, hints: { models }, priorities: { cost, speed, intelligence } }: ChoiceSteps): string | undefined {
  if (scores === undefined) return undefined
  const others = models.map(({ model }, index) => ({ model, score: scores[index]!, index })).filter(({ index }) => index !== chosen)
  const next = others.reduce((best, other) => (other.score > best.score ? other : best))
  const won = `${models[chosen]!.model} ${twoPlaces(scores[chosen]!)} before ${next.model} ${twoPlaces(next.score)}`
  return `cost ${twoPlaces(cost)}, speed ${twoPlaces(speed)}, intelligence ${twoPlaces(intelligence)}: ${won}`
}

function twoPlaces(number: number): string {
  return number.toFixed(2)
}
