import type { LimitState } from '../protocol/index.ts'
import { amountLimits, type CountedLimit, type LimitSet, type Raised } from './limit-set.ts'

/** Room that a person gave when a budget was used up: in this run, and no longer than to the end of its day. */
export class Raises {
  readonly #extra = new Map<string, { readonly amount: number; readonly until: number }>()

  /** How much more a limit allows now. */
  at(now: number): Raised {
    return (set, limit) => {
      const found = this.#extra.get(keyOf(set, limit))
      return found !== undefined && now < found.until ? found.amount : 0
    }
  }

  /**
   * Gives a limit its own amount again, `by` times, and as much as is wanted at least.
   * @param wanted what has to fit afterwards
   */
  give(
    set: LimitSet,
    { limit, allowed, used, resetsAt }: LimitState,
    { by, wanted, now }: { readonly by: number; readonly wanted: number; readonly now: number },
  ): void {
    const base = set.limits[limit]
    if (base === undefined || !amountLimits.has(limit)) return
    const before = this.at(now)(set, limit as CountedLimit)
    const missing = used + wanted - allowed
    this.#extra.set(keyOf(set, limit), { amount: before + Math.max(base * by, missing), until: resetsAt ?? Infinity })
  }
}

function keyOf({ scope, counts }: LimitSet, limit: string): string {
  return JSON.stringify([scope, counts.rule, counts.server, limit])
}
