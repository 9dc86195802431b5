import type { ModelPreferences } from '../protocol/index.ts'
import { nameOf, type Model } from './model.ts'

type Niche = 'small' | 'medium' | 'large'

/** What the hints left, and how. */
export interface HintMatch {
  readonly models: readonly Model[]
  /** Which of the hints decided; null for none. */
  readonly hint: number | null
  readonly via: 'direct' | 'equivalent' | 'none'
  readonly niche?: Niche | undefined
}

const niches: readonly (readonly [Niche, ReadonlySet<string>])[] = [
  ['small', new Set(['haiku', 'flash', 'mini', 'nano', 'lite', 'small'])],
  ['medium', new Set(['sonnet', 'pro', 'medium', '4o'])],
  ['large', new Set(['opus', 'ultra', 'large', 'o1', 'o3'])],
]

/**
 * Narrows models to the first hint that matches any of them: by a plain substring, or, only where no hint does, by the niche it stands for.
 *
 * @see MCP 2025-11-25 client/sampling "Model Preferences"
 */
export function matchHints(models: readonly Model[], hints: ModelPreferences['hints'] = []): HintMatch {
  const wanted = hints.flatMap(({ name = '' }, hint) => {
    const words = name.trim().toLowerCase()
    return words === '' ? [] : [{ hint, words }]
  })
  for (const { hint, words } of wanted) {
    const matching = models.filter((model) => spellingsOf(model).some((spelling) => spelling.includes(words)))
    if (matching.length > 0) return { models: matching, hint, via: 'direct' }
  }
  for (const { hint, words } of wanted) {
    const niche = nicheOf(words)
    const matching = niche === undefined ? [] : models.filter(({ model }) => nicheOf(model.toLowerCase()) === niche)
    if (matching.length > 0) return { models: matching, hint, via: 'equivalent', niche }
  }
  return { models, hint: null, via: 'none' }
}

function spellingsOf(model: Model): readonly string[] {
  return [nameOf(model), `${model.provider}/${model.model}`].map((spelling) => spelling.toLowerCase())
}

function nicheOf(name: string): Niche | undefined {
  const words = name.split(/[^\p{L}\p{N}]+/u)
  return niches.find(([, known]) => words.some((word) => known.has(word)))?.[0]
}
