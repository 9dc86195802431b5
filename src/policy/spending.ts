/** What one request takes. */
export interface Spending {
  readonly tokens: number
  readonly cost: number
}

/** What was used under one rule by one server: requests of the last minute, tokens and cost of this calendar day. */
export interface Usage extends Spending {
  readonly requests: number
}

/** Whose count it is. */
export interface SpendingKey {
  readonly rule: string
  readonly server: string
}

/** Keeps count of what was used. Outlives connections, and, where it has a store behind it, processes. */
export interface SpendingLedger {
  /**
   * Looks at what was used, and books more, in one step that nobody else can come between.
   * Nothing is booked when `check` throws.
   * @param now milliseconds since the epoch
   * @returns the booking's id
   */
  book(key: SpendingKey, spending: Spending, now: number, check: (usage: Usage) => void): Promise<string>
  /** Puts what was really used in the place of what was booked. The request itself stays counted. */
  correct(id: string, spending: Spending): Promise<void>
}

/** The moment at which the minute that counts began. */
export function minuteBefore(now: number): number {
  return now - 60_000
}

/** The first moment of the local calendar day. */
export function startOfDay(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
}

/** Keeps count in memory: for embedding hosts without a store, and for tests. */
export class MemorySpending implements SpendingLedger {
  readonly #bookings = new Map<string, SpendingKey & Spending & { readonly at: number }>()
  #count = 0

  book(key: SpendingKey, spending: Spending, now: number, check: (usage: Usage) => void): Promise<string> {
    const usage = { requests: 0, tokens: 0, cost: 0 }
    for (const [id, booking] of this.#bookings) {
      const counts = booking.at >= startOfDay(now)
      const recent = booking.at > minuteBefore(now)
      if (!counts && !recent) this.#bookings.delete(id)
      if (booking.rule !== key.rule || booking.server !== key.server) continue
      if (recent) usage.requests += 1
      if (counts) {
        usage.tokens += booking.tokens
        usage.cost += booking.cost
      }
    }
    try {
      check(usage)
    } catch (error) {
      return Promise.reject(error)
    }
    this.#count += 1
    const id = String(this.#count)
    this.#bookings.set(id, { ...key, ...spending, at: now })
    return Promise.resolve(id)
  }

  correct(id: string, spending: Spending): Promise<void> {
    const booking = this.#bookings.get(id)
    if (booking !== undefined) this.#bookings.set(id, { ...booking, tokens: spending.tokens, cost: spending.cost })
    return Promise.resolve()
  }
}
