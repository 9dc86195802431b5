import {
  countedTimes,
  oldestKept,
  startOfDay,
  sumByDay,
  sumRaises,
  type Booking,
  type DayRaise,
  type Settled,
  type SpendingLedger,
  type SpendingScope,
  type Usage,
  type UsageOfDay,
} from './spending.ts'

interface Kept extends Booking {
  readonly at: number
  readonly output: number
  readonly isOpen: boolean
}

/** Keeps count in memory: for embedding hosts without a store, and for tests. */
export class MemorySpending implements SpendingLedger {
  readonly #bookings = new Map<string, Kept>()
  readonly #raises: DayRaise[] = []
  #count = 0
  #lookedThrough: number | undefined

  book(booking: Booking, scopes: readonly SpendingScope[], now: number, check: (usages: readonly Usage[]) => void): Promise<string> {
    this.#forgetOld(now)
    try {
      check(scopes.map((scope) => this.#use(scope, booking.run, now)))
    } catch (error) {
      return Promise.reject(error)
    }
    this.#count += 1
    const id = String(this.#count)
    this.#bookings.set(id, { ...booking, at: now, output: 0, isOpen: true })
    return Promise.resolve(id)
  }

  settle(id: string, { tokens, cost, output = 0 }: Settled): Promise<void> {
    const booking = this.#bookings.get(id)
    if (booking !== undefined) this.#bookings.set(id, { ...booking, tokens, cost, output, isOpen: false })
    return Promise.resolve()
  }

  look(scopes: readonly SpendingScope[], run: string, now: number): Promise<readonly Usage[]> {
    return Promise.resolve(scopes.map((scope) => this.#use(scope, run, now)))
  }

  history(since: number): Promise<readonly UsageOfDay[]> {
    return Promise.resolve(sumByDay([...this.#bookings.values()].filter(({ at }) => at >= since)))
  }

  raise(raise: DayRaise): Promise<void> {
    this.#raises.push(raise)
    return Promise.resolve()
  }

  raised(now: number): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(sumRaises(this.#raises, now))
  }

  /** Once a day. */
  #forgetOld(now: number): void {
    if (this.#lookedThrough === startOfDay(now)) return
    this.#lookedThrough = startOfDay(now)
    const days = new Set([...this.#bookings.values()].map(({ at }) => startOfDay(at)))
    const oldest = oldestKept(
      [...days].toSorted((one, other) => other - one),
      now,
    )
    for (const [id, { at }] of this.#bookings) if (at < oldest) this.#bookings.delete(id)
  }

  #use({ rule, server }: SpendingScope, run: string, now: number): Usage {
    const usage = { requests: 0, oldest: undefined as number | undefined, tokens: 0, cost: 0, unpriced: 0, runTokens: 0, runCost: 0, runUnpriced: 0, open: 0 }
    const { minute, day, open } = countedTimes(now)
    for (const booking of this.#bookings.values()) {
      if ((rule === undefined ? booking.kind !== 'sampling' : booking.rule !== rule) || (server !== undefined && booking.server !== server)) continue
      const { at, kind, tokens, cost = 0, isOpen } = booking
      const unpriced = kind === 'sampling' && booking.cost === undefined ? 1 : 0
      if (isWithin(at, minute)) {
        usage.requests += 1
        usage.oldest = Math.min(usage.oldest ?? now, at)
      }
      if (isWithin(at, day)) {
        usage.tokens += tokens
        usage.cost += cost
        usage.unpriced += unpriced
      }
      if (booking.run === run) {
        usage.runTokens += tokens
        usage.runCost += cost
        usage.runUnpriced += unpriced
      }
      if (isOpen && isWithin(at, open)) usage.open += 1
    }
    return usage
  }
}

function isWithin(at: number, [from, to]: readonly [number, number]): boolean {
  return at > from && at <= to
}
