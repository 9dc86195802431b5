import type { LimitState } from '../protocol/index.ts'
import { amountLimits, type CountedLimit, type LimitSet, type Raised } from './limit-set.ts'
import { holdsToday, type SpendingLedger } from './spending.ts'

export interface RaiseOptions {
  /** Times the limit's own amount. */
  readonly by: number
  /** What has to fit afterwards. */
  readonly wanted: number
  /** `day`: kept over restarts and told to other processes, where the limit is one of a day. */
  readonly lasts: 'run' | 'day'
  readonly now: number
}

/** Room that a person gave when a budget was used up: no longer than to the end of its day, and in this run alone, unless they said otherwise. */
export class Raises {
  readonly #ofRun = new Map<string, { readonly amount: number; readonly until: number | undefined }>()
  readonly #ledger: Pick<SpendingLedger, 'raise' | 'raised'>

  constructor(ledger: Pick<SpendingLedger, 'raise' | 'raised'>) {
    this.#ledger = ledger
  }

  /** How much more a limit allows now. @throws ConsentryError `STORE_UNAVAILABLE` */
  async at(now: number): Promise<Raised> {
    const ofDay = await this.#ledger.raised(now)
    return (set, limit) => {
      const key = keyOf(set, limit)
      return this.#inRun(key, now) + (ofDay.get(key) ?? 0)
    }
  }

  /** Gives a limit its own amount again, `by` times, and as much as is wanted at least. @throws ConsentryError `STORE_UNAVAILABLE` */
  async give(set: LimitSet, { limit, allowed, used, resetsAt: until }: LimitState, { by, wanted, lasts, now }: RaiseOptions): Promise<void> {
    const base = set.limits[limit]
    if (base === undefined || !amountLimits.has(limit)) return
    const key = keyOf(set, limit as CountedLimit)
    const amount = Math.max(base * by, used + wanted - allowed)
    if (lasts === 'day' && until !== undefined) await this.#ledger.raise({ key, amount, until }, now)
    else this.#ofRun.set(key, { amount: this.#inRun(key, now) + amount, until })
  }

  #inRun(key: string, now: number): number {
    const found = this.#ofRun.get(key)
    return found !== undefined && (found.until === undefined || holdsToday(found.until, now)) ? found.amount : 0
  }
}

function keyOf({ scope, counts }: LimitSet, limit: CountedLimit): string {
  return JSON.stringify([scope, counts.rule, counts.server, limit])
}
