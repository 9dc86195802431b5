import { ConsentryError } from '../errors.ts'
import { hasRoom, type LimitState } from '../protocol/index.ts'
import { amountLimits, statesOf, type LimitSet, type Raised } from './limit-set.ts'
import type { Booking, Settled, Spending, SpendingLedger } from './spending.ts'

/** Room in a budget, taken before anything is spent. One that is neither settled nor released stays counted in full. */
export interface Reservation {
  /** Books what was really used in place of what was reserved; what is not given stays as reserved. The first call counts. */
  settle(used: Partial<Settled>): Promise<void>
  /** Gives tokens and cost back; the request itself was made and stays counted. */
  release(): Promise<void>
}

/** For what has no limits. */
export const noReservation: Reservation = { settle: () => Promise.resolve(), release: () => Promise.resolve() }

export interface ReserveOptions {
  readonly sets: readonly LimitSet[]
  readonly booking: Omit<Booking, 'tokens' | 'cost'>
  /** At most; a cost that is absent is not known. */
  readonly wanted: { readonly tokens: number | undefined; readonly cost: number | undefined }
  readonly spending: SpendingLedger
  readonly raised: Raised
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Takes room within limits. @throws ConsentryError `LIMIT_REACHED` when there is not enough left, or when a price is needed that nobody knows */
export async function reserveWithin({ sets, booking, wanted, spending, raised, now }: ReserveOptions): Promise<Reservation> {
  const priced = sets.find(({ limits }) => limits.costPerDay !== undefined || limits.costPerRun !== undefined)
  if (priced !== undefined && wanted.cost === undefined) throw costUnknown(priced)
  const amounts: Spending = { tokens: amountWanted(wanted.tokens), cost: wanted.cost === undefined ? undefined : amountWanted(wanted.cost) }
  const size = wanted.tokens === undefined ? { cost: amounts.cost } : amounts
  const id = await spending.book(
    { ...booking, ...amounts },
    sets.map(({ counts }) => counts),
    now,
    (usages) => {
      const found = sets.flatMap((set, index) =>
        statesOf(set, usages[index]!, raised, now)
          .filter((state) => !hasRoom(state, size) || isUncertain(set, state, amounts))
          .map((state) => ({ set, state })),
      )
      if (found.length > 0) throw limitReached(found, now)
    },
  )
  return new Booked(spending, id, amounts)
}

class Booked implements Reservation {
  #done = false
  readonly #ledger: SpendingLedger
  readonly #id: string
  readonly #wanted: Spending

  constructor(ledger: SpendingLedger, id: string, wanted: Spending) {
    this.#ledger = ledger
    this.#id = id
    this.#wanted = wanted
  }

  async settle({ tokens, cost, output }: Partial<Settled>): Promise<void> {
    if (this.#done) return
    this.#done = true
    const { tokens: most, cost: dearest } = this.#wanted
    const known = cost === undefined ? dearest : amountUsed(cost, dearest ?? 0)
    await this.#ledger.settle(this.#id, { tokens: amountUsed(tokens, most), cost: known, output: amountUsed(output, 0) })
  }

  async release(): Promise<void> {
    await this.settle({ tokens: 0, cost: 0 })
  }
}

/** A number that is none asks for more than there is. */
function amountWanted(value: number | undefined): number {
  return value === undefined ? 0 : Math.min(Math.max(0, Number.isNaN(value) ? Infinity : value), Number.MAX_SAFE_INTEGER)
}

/** A number that is none, or would give room away, leaves the booking as it is. */
function amountUsed(value: number | undefined, wanted: number): number {
  return value !== undefined && value >= 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : wanted
}

/** What was spent of a limit of cost is not known, and no person has given room for it. What costs nothing fits all the same. */
function isUncertain({ limits }: LimitSet, { limit, allowed, unpriced = 0 }: LimitState, { cost = 0 }: Spending): boolean {
  return unpriced > 0 && cost > 0 && allowed === limits[limit]
}

/** The first limit that has no room is named; where one frees itself, so is the time to wait. */
function limitReached(found: readonly { readonly set: LimitSet; readonly state: LimitState }[], now: number): ConsentryError {
  const { set, state } = found.find((one) => !amountLimits.has(one.state.limit)) ?? found[0]!
  const { limit, scope, allowed, used, unpriced = 0, resetsAt } = state
  const left = unpriced > 0 ? 0 : Math.max(0, allowed - used)
  const leftWords =
    unpriced > 0 ? `${unpriced} ${unpriced === 1 ? 'request' : 'requests'} before had no known price, so what is left is unknown` : `${left} is left`
  const wait = resetsAt === undefined ? undefined : Math.max(1, Math.ceil((resetsAt - now) / 1000))
  const advice = wait === undefined ? 'wait until another one is done' : `wait ${describeWait(wait)}`
  // Another number in the config makes nothing known.
  const raise = unpriced > 0 ? 'raise it where a person can be asked (in a terminal, or at the desk)' : 'raise the limit in the config'
  const next = limit.endsWith('Run') ? raise : `${advice}, or ${raise}`
  return new ConsentryError('LIMIT_REACHED', `${set.name} allows ${limit} ${allowed}, and ${leftWords}: ${next}`, {
    data: {
      ...(scope === 'rule' && { rule: set.name }),
      scope,
      limit,
      allowed,
      remaining: left,
      ...(wait !== undefined && { retryAfterSeconds: wait }),
      limits: found.map((one) => one.state),
    },
  })
}

function describeWait(seconds: number): string {
  if (seconds <= 120) return `${seconds} seconds`
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

function costUnknown({ name, scope, limits }: LimitSet): ConsentryError {
  const limit = limits.costPerDay === undefined ? 'costPerRun' : 'costPerDay'
  const allowed = limits[limit]
  return new ConsentryError(
    'LIMIT_REACHED',
    `${name} allows ${limit} ${allowed}, but the price of this model is not known: give the model its "cost" in the config`,
    { data: { ...(scope === 'rule' && { rule: name }), scope, limit, allowed, reason: 'price-unknown' } },
  )
}
