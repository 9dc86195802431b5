import type { LimitName, LimitState } from '../protocol/index.ts'
import type { Limits } from './rule.ts'
import { startOfNextDay, type SpendingScope, type Usage } from './spending.ts'

/** Limits that hold together, and whose requests they count. */
export interface LimitSet {
  readonly scope: LimitState['scope']
  /** For people: `rules[2]`, `sampling of travel`. */
  readonly name: string
  readonly limits: Limits
  readonly counts: SpendingScope
}

/** What is counted while requests are made; rounds of tool use are counted in the conversation itself. */
export type CountedLimit = Exclude<LimitName, 'toolRounds'>

/** In the order in which they are looked at: what frees itself soonest comes first. */
export const countedLimits: readonly CountedLimit[] = ['atOnce', 'requestsPerMinute', 'tokensPerDay', 'costPerDay', 'tokensPerRun', 'costPerRun']

/** Limits of an amount: where one is used up, a person may raise it; every other frees itself. */
export const amountLimits: ReadonlySet<LimitName> = new Set<LimitName>(['tokensPerDay', 'costPerDay', 'tokensPerRun', 'costPerRun'])

/** Room that a person gave beside a limit, in this run. */
export type Raised = (set: LimitSet, limit: CountedLimit) => number

/** How far each limit of a set is used up. */
export function statesOf(set: LimitSet, usage: Usage, raised: Raised, now: number): readonly LimitState[] {
  return countedLimits.flatMap((limit) => {
    const base = set.limits[limit]
    if (base === undefined) return []
    const allowed = base + raised(set, limit)
    const used = usedOf(limit, usage)
    const unpriced = limit === 'costPerDay' ? usage.unpriced : limit === 'costPerRun' ? usage.runUnpriced : 0
    const resetsAt = resetOf(limit, usage, now)
    return [{ limit, scope: set.scope, allowed, used, ...(unpriced > 0 && { unpriced }), ...(resetsAt !== undefined && { resetsAt }) }]
  })
}

function usedOf(limit: CountedLimit, usage: Usage): number {
  switch (limit) {
    case 'atOnce':
      return usage.open
    case 'requestsPerMinute':
      return usage.requests
    case 'tokensPerDay':
      return usage.tokens
    case 'costPerDay':
      return usage.cost
    case 'tokensPerRun':
      return usage.runTokens
    case 'costPerRun':
      return usage.runCost
    default:
      return limit satisfies never
  }
}

function resetOf(limit: CountedLimit, { oldest }: Usage, now: number): number | undefined {
  if (limit === 'requestsPerMinute') return oldest === undefined ? undefined : oldest + 60_000
  return limit === 'tokensPerDay' || limit === 'costPerDay' ? startOfNextDay(now) : undefined
}
