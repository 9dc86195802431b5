import type { LimitState, SpendingEstimate } from './sampling-review.ts'

/** What one request would take at most. */
export interface WantedAmounts {
  /** Absent: not known. */
  readonly tokens?: number | undefined
  /** USD. Absent: not known. */
  readonly cost?: number | undefined
}

/** True where a limit has room for one request more; one of unknown size needs something left at least. */
export function hasRoom({ limit, allowed, used }: LimitState, { tokens = 1, cost = 0 }: WantedAmounts): boolean {
  switch (limit) {
    case 'requestsPerMinute':
    case 'atOnce':
      return used + 1 <= allowed
    case 'tokensPerDay':
    case 'tokensPerRun':
      return used + tokens <= allowed
    case 'costPerDay':
    case 'costPerRun':
      return used + cost <= allowed
    case 'toolRounds':
      return true
    default:
      return limit satisfies never
  }
}

/** An amount that a request may take more of than is left. */
export interface Shortfall {
  readonly limit: LimitState
  /** What it may take at most. */
  readonly wanted: number
  readonly left: number
  /** The longest answer that fits, in tokens; absent where none does, or where that is not known. */
  readonly answer?: number | undefined
}

/** Which amounts have no room for a request whose answer may have so many tokens. Rates are none of them: they free themselves. */
export function findShortfalls(limits: readonly LimitState[], { inputTokens, outputTokens, cost }: SpendingEstimate, maxTokens: number): readonly Shortfall[] {
  const answer = Math.min(outputTokens, maxTokens)
  // A shorter answer costs less; how much less is not known here.
  const wanted: WantedAmounts = { tokens: inputTokens + answer, ...(answer === outputTokens && { cost }) }
  return limits.flatMap((limit) => {
    if (hasRoom(limit, wanted) || !(limit.limit in amountOf)) return []
    const kind = amountOf[limit.limit as keyof typeof amountOf]
    const left = Math.max(0, limit.allowed - limit.used)
    const fitting = Math.floor(left) - inputTokens
    return [{ limit, wanted: wanted[kind] ?? 0, left, ...(kind === 'tokens' && fitting > 0 && { answer: fitting }) }]
  })
}

const amountOf = { tokensPerDay: 'tokens', tokensPerRun: 'tokens', costPerDay: 'cost', costPerRun: 'cost' } as const
