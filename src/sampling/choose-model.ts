import type { ModelPreferences, Phrase } from '../protocol/index.ts'
import { explainChoice, type ChoiceSteps } from './explain-choice.ts'
import { matchHints } from './match-hints.ts'
import { nameOf, type Model } from './model.ts'
import { prioritiesOf, scoreModels, type Priorities } from './score-models.ts'

/** What a model must be able to do, whatever anybody prefers. */
export type ModelNeed = 'image' | 'audio' | 'tools'

export interface ModelNeeds {
  /** Default: none. */
  readonly needs?: readonly ModelNeed[] | undefined
  readonly inputTokens: number
  readonly maxTokens: number
}

export interface ChosenModel {
  readonly model: Model
  /** One line for people; begins with `provider:model`. */
  readonly why: string
  /** The same, step by step. */
  readonly reasons: readonly Phrase[]
  /** As asked, or as many as the model has room for. */
  readonly maxTokens: number
  readonly steps: ChoiceSteps
}

/** Which demand ruled the last model out. */
export type NoModelReason = 'no-models' | ModelNeed | 'context'

const TIE = 1e-9

/**
 * Chooses the model that answers: hard needs first, then the server's hints in order, then its priorities, then the user's own order.
 *
 * `models` are the user's, in the user's order, and the only ones ever chosen. Deterministic: the same input gives the same model.
 *
 * @see MCP 2025-11-25 client/sampling "Model Preferences"
 */
export function chooseModel(models: readonly Model[], preferences: ModelPreferences, request: ModelNeeds): ChosenModel | { readonly none: NoModelReason } {
  const able = findAble(models, request)
  if ('none' in able) return able
  const hints = matchHints(able.models, preferences.hints)
  const priorities = prioritiesOf(preferences)
  const { chosen, scores, decidedBy } = decide(hints.models, priorities, request)
  const model = hints.models[chosen]!
  const maxTokens = able.clamped ? model.contextTokens! - request.inputTokens : request.maxTokens
  const steps: ChoiceSteps = {
    considered: models.length,
    able: able.models.length,
    demands: able.demands,
    hints,
    priorities,
    chosen,
    scores,
    decidedBy,
    clamped: able.clamped,
  }
  const reasons = explainChoice(preferences, maxTokens, steps)
  return { model, why: [nameOf(model), ...reasons.map(({ sentence }) => sentence)].join('; '), reasons, maxTokens, steps }
}

interface Able {
  readonly models: readonly Model[]
  readonly demands: readonly string[]
  readonly clamped: boolean
}

function findAble(models: readonly Model[], { needs = [], inputTokens, maxTokens }: ModelNeeds): Able | { readonly none: NoModelReason } {
  if (models.length === 0) return { none: 'no-models' }
  const demands = (['image', 'audio', 'tools'] as const).filter((need) => needs.includes(need))
  let left = models
  for (const demand of demands) {
    left = left.filter((model) => can(model, demand))
    if (left.length === 0) return { none: demand }
  }
  const roomy = left.filter(({ contextTokens = Infinity }) => inputTokens + maxTokens <= contextTokens)
  if (roomy.length === left.length) return { models: left, demands, clamped: false }
  if (roomy.length > 0) return { models: roomy, demands: [...demands, 'context'], clamped: false }
  const tight = left.filter(({ contextTokens = Infinity }) => inputTokens < contextTokens)
  if (tight.length === 0) return { none: 'context' }
  return { models: tight, demands: tight.length < left.length ? [...demands, 'context'] : demands, clamped: true }
}

function can({ modalities = ['text'], tools }: Model, need: ModelNeed): boolean {
  return need === 'tools' ? tools === true : modalities.includes(need)
}

function decide(models: readonly Model[], priorities: Priorities, request: ModelNeeds): Pick<ChoiceSteps, 'chosen' | 'scores' | 'decidedBy'> {
  if (models.length === 1) return { chosen: 0, decidedBy: 'only' }
  if (priorities.cost + priorities.speed + priorities.intelligence === 0) return { chosen: 0, decidedBy: 'order' }
  const scores = scoreModels(models, priorities, request.inputTokens, request.maxTokens)
  const best = Math.max(...scores) - TIE
  const isBest = (score: number): boolean => score > best
  return { chosen: scores.findIndex(isBest), scores, decidedBy: scores.filter(isBest).length > 1 ? 'order' : 'score' }
}
