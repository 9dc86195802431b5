import type { ModelPreferences } from '../protocol/index.ts'
import { figure, priceOf, type Model } from './model.ts'

/** How much a server cares, 0 to 1 each. */
export interface Priorities {
  readonly cost: number
  readonly speed: number
  readonly intelligence: number
}

const LEAST_PRICE = 1e-6

export function prioritiesOf({ costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: ModelPreferences): Priorities {
  return { cost: costPriority, speed: speedPriority, intelligence: intelligencePriority }
}

/** One score from 0 to 1 for each model: price on a logarithmic scale, speed and intelligence on linear ones, each among these models only. */
export function scoreModels(models: readonly Model[], priorities: Priorities, inputTokens: number, outputTokens: number): readonly number[] {
  const costs = scale(models.map((model) => cheapness(priceOf(model, inputTokens, outputTokens))))
  const speeds = scale(models.map(({ speed }) => figure(speed)))
  const intelligences = scale(models.map(({ intelligence }) => figure(intelligence)))
  const { cost, speed, intelligence } = priorities
  return models.map((_, index) => (cost * costs[index]! + speed * speeds[index]! + intelligence * intelligences[index]!) / (cost + speed + intelligence))
}

function cheapness(price: number | undefined): number | undefined {
  return price === undefined ? undefined : -Math.log10(Math.max(price, LEAST_PRICE))
}

/** To 0..1, the largest being 1. Not knowing never wins: what is missing is 0. */
function scale(values: readonly (number | undefined)[]): readonly number[] {
  const known = values.filter((value) => value !== undefined)
  const least = Math.min(...known)
  const span = Math.max(...known) - least
  return values.map((value) => {
    if (value === undefined) return 0
    return span === 0 ? 1 : (value - least) / span
  })
}
