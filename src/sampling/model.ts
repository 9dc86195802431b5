/** What is known of a model. A figure that is missing is unknown, and never taken for 0. */
export interface ModelFigures {
  /** USD per million tokens; half a price is no price. */
  readonly cost?: { readonly input?: number | undefined; readonly output?: number | undefined } | undefined
  /** Tokens per second. */
  readonly speed?: number | undefined
  /** 0 to 1. */
  readonly intelligence?: number | undefined
  /** `text`, `image`, `audio`. Default: text alone. */
  readonly modalities?: readonly string[] | undefined
  readonly tools?: boolean | undefined
  /** Tokens of question and answer together. */
  readonly contextTokens?: number | undefined
  /** Runs on this machine: without a price it is free. */
  readonly local?: boolean | undefined
  /** The day (`YYYY-MM-DD`) that the price is of, where it is ours and not the user's own. */
  readonly priceAsOf?: string | undefined
}

/** One of the user's models. */
export interface Model extends ModelFigures {
  readonly provider: string
  readonly model: string
}

/** How a model is named everywhere: `provider:model`. */
export function nameOf({ provider, model }: Pick<Model, 'provider' | 'model'>): string {
  return `${provider}:${model}`
}

/** USD for this many tokens, or undefined where the price is unknown. */
export function priceOf({ cost, local }: Model, inputTokens: number, outputTokens: number): number | undefined {
  const input = figure(cost?.input)
  const output = figure(cost?.output)
  if (input !== undefined && output !== undefined) return (inputTokens * input + outputTokens * output) / 1e6
  return local === true ? 0 : undefined
}

/** A figure that counts: finite and not negative. */
export function figure(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined
}
