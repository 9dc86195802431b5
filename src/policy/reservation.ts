import { ConsentryError } from '../errors.ts'
import type { Limits } from './rule.ts'
import type { Spending, SpendingKey, SpendingLedger, Usage } from './spending.ts'

/** Room in a budget, taken before anything is spent. One that is neither settled nor released stays counted in full. */
export interface Reservation {
  /** Books what was really used in place of what was reserved; what is not given stays as reserved. The first call counts. */
  settle(used: { readonly tokens?: number | undefined; readonly cost?: number | undefined }): Promise<void>
  /** Gives tokens and cost back; the request itself was made and stays counted. */
  release(): Promise<void>
}

/** For what has no limits. */
export const noReservation: Reservation = { settle: () => Promise.resolve(), release: () => Promise.resolve() }

export interface ReserveOptions {
  /** The rule that has the limits, for people. */
  readonly rule: string
  readonly key: SpendingKey
  /** At most; a cost that is absent is not known. */
  readonly wanted: { readonly tokens: number | undefined; readonly cost: number | undefined }
  readonly spending: SpendingLedger
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Takes room within limits. @throws ConsentryError `LIMIT_REACHED` when there is not enough left, or when a price is needed that nobody knows */
export async function reserveWithin(limits: Limits, { rule, key, wanted, spending, now }: ReserveOptions): Promise<Reservation> {
  if (limits.costPerDay !== undefined && wanted.cost === undefined) throw costUnknown(rule, limits.costPerDay)
  const amounts = { tokens: amountWanted(wanted.tokens), cost: amountWanted(wanted.cost) }
  const id = await spending.book(key, amounts, now, (usage) => checkLimits(rule, limits, usage, amounts, wanted.tokens !== undefined))
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

  async settle(used: Partial<Spending>): Promise<void> {
    if (this.#done) return
    this.#done = true
    await this.#ledger.correct(this.#id, { tokens: amountUsed(used.tokens, this.#wanted.tokens), cost: amountUsed(used.cost, this.#wanted.cost) })
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

function checkLimits(rule: string, limits: Limits, used: Usage, wanted: Spending, isSizeKnown: boolean): void {
  const { requestsPerMinute = Infinity, tokensPerDay = Infinity, costPerDay = Infinity } = limits
  if (used.requests + 1 > requestsPerMinute) throw limitReached(rule, 'requestsPerMinute', requestsPerMinute, used.requests)
  // A request of unknown size needs something left at least.
  if (used.tokens + (isSizeKnown ? wanted.tokens : 1) > tokensPerDay) throw limitReached(rule, 'tokensPerDay', tokensPerDay, used.tokens)
  if (used.cost + wanted.cost > costPerDay) throw limitReached(rule, 'costPerDay', costPerDay, used.cost)
}

function limitReached(rule: string, limit: keyof Limits, allowed: number, used: number): ConsentryError {
  const left = Math.max(0, allowed - used)
  return new ConsentryError('LIMIT_REACHED', `${rule} allows ${limit} ${allowed}, and ${left} is left: wait, or raise the limit in the config`, {
    data: { rule, limit, allowed, remaining: left },
  })
}

function costUnknown(rule: string, allowed: number): ConsentryError {
  return new ConsentryError(
    'LIMIT_REACHED',
    `${rule} allows costPerDay ${allowed}, but the price of this model is not known: give the model its "cost" in the config`,
    {
      data: { rule, limit: 'costPerDay', allowed, reason: 'price-unknown' },
    },
  )
}
