import type { ModelFigures } from './model.ts'
import { present } from './read-fields.ts'

/** The day that the prices of the catalogue are of; shown wherever one of them is. */
export const catalogueDate = '2026-11-01'

type Row = readonly [
  provider: string,
  model: string,
  inputPrice: number | undefined,
  outputPrice: number | undefined,
  speed: number,
  intelligence: number,
  modalities: readonly string[],
  contextTokens: number | undefined,
]

const sees = ['text', 'image'] as const
const hears = ['text', 'image', 'audio'] as const

/**
 * Models that are known by name; all of them use tools. Prices are the makers' list prices for short prompts, in USD per million tokens;
 * speed and intelligence are coarse classes after the makers' own comparisons, not measurements. What is not known is left out.
 */
const rows: readonly Row[] = [
  ['anthropic', 'claude-opus-5-5', 4, 20, 60, 0.95, sees, 1_000_000],
  ['anthropic', 'claude-opus-5', 5, 25, 60, 0.93, sees, 1_000_000],
  ['anthropic', 'claude-opus-4-5', 5, 25, 60, 0.88, sees, 200_000],
  ['anthropic', 'claude-sonnet-5-5', 2, 10, 90, 0.88, sees, 1_000_000],
  ['anthropic', 'claude-sonnet-5', 2, 10, 90, 0.86, sees, 1_000_000],
  ['anthropic', 'claude-sonnet-4-5', 3, 15, 70, 0.8, sees, 200_000],
  ['anthropic', 'claude-haiku-5-5', undefined, undefined, 180, 0.75, sees, 1_000_000],
  ['anthropic', 'claude-haiku-4-5', 1, 5, 150, 0.65, sees, 200_000],
  ['openai', 'gpt-5.5', 5, 30, 60, 0.92, sees, 1_000_000],
  ['openai', 'gpt-5.4', 2.5, 15, 70, 0.88, sees, undefined],
  ['openai', 'gpt-5.4-mini', 0.75, 4.5, 120, 0.75, sees, undefined],
  ['openai', 'gpt-5.4-nano', 0.2, 1.25, 180, 0.6, sees, undefined],
  ['openai', 'gpt-5-mini', 0.25, 2, 120, 0.68, sees, 400_000],
  ['openai', 'gpt-4.1', 2, 8, 90, 0.65, sees, 1_047_576],
  ['openai', 'gpt-4o', 2.5, 10, 100, 0.55, sees, 128_000],
  ['openai', 'gpt-4o-mini', 0.15, 0.6, 140, 0.45, sees, 128_000],
  ['google', 'gemini-3.1-pro', 2, 12, 90, 0.9, hears, 1_048_576],
  ['google', 'gemini-3.8-flash', 1.5, 7.5, 180, 0.85, hears, 1_048_576],
  ['google', 'gemini-3.5-flash', 1.5, 9, 180, 0.8, hears, 1_048_576],
  ['google', 'gemini-3.5-flash-lite', 0.3, 2.5, 250, 0.65, hears, 1_048_576],
]

const VERSION = /^(?:-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview))?$/

/** Figures for a model by its name, with or without the date of its version; empty for a model that is not in the catalogue. */
export function findFigures(provider: string, model: string): ModelFigures {
  const row = rows.find((one) => one[0] === provider && model.startsWith(one[1]) && VERSION.test(model.slice(one[1].length)))
  if (row === undefined) return {}
  const [, , input, output, speed, intelligence, modalities, contextTokens] = row
  const price = input === undefined || output === undefined ? {} : { cost: { input, output }, priceAsOf: catalogueDate }
  return present({ ...price, speed, intelligence, modalities, tools: true, contextTokens })
}
