import type { InputKind } from '../protocol/index.ts'

/** What one request takes. */
export interface Spending {
  readonly tokens: number
  /** Undefined: nobody knows the price. It is never taken for nothing. */
  readonly cost: number | undefined
}

/** A request that is booked: who made it, and what it takes at most. */
export interface Booking extends Spending {
  readonly kind: InputKind
  /** What the rule is about that it came under; empty where there was none. */
  readonly rule: string
  /** Our name for the server. */
  readonly server: string
  /** Of this program's life: what is counted by run ends with it. */
  readonly run: string
  /** `provider:model`. */
  readonly model?: string | undefined
}

/** What was really used. */
export interface Settled extends Spending {
  /** Of the tokens, those of the answer. */
  readonly output?: number | undefined
}

/** Whose requests are counted together; an absent member stands for all. */
export interface SpendingScope {
  readonly rule?: string | undefined
  readonly server?: string | undefined
}

/** What was used in one scope. */
export interface Usage {
  /** Of the last minute. */
  readonly requests: number
  /** When the oldest of these was made, in milliseconds since the epoch. */
  readonly oldest: number | undefined
  /** Of this calendar day. */
  readonly tokens: number
  /** USD; what is known of it. */
  readonly cost: number
  /** Requests of models whose price nobody knows. */
  readonly unpriced: number
  /** Of this run. */
  readonly runTokens: number
  readonly runCost: number
  readonly runUnpriced: number
  /** Requests that are neither settled nor released. */
  readonly open: number
}

/** What one server used of one model on one day. */
export interface UsageOfDay {
  /** The first moment of the local day, in milliseconds since the epoch. */
  readonly day: number
  readonly server: string
  readonly model: string
  readonly requests: number
  /** Of the requests, those that no model has answered: it failed, was stopped before its first word, or is still at work. */
  readonly unanswered: number
  readonly tokens: number
  readonly outputTokens: number
  /** USD; what is known of it. */
  readonly cost: number
  /** Requests whose price nobody knows. */
  readonly unpriced: number
}

/** Room that a person gave beside a limit, for the rest of its day. */
export interface DayRaise {
  /** Which limit, of whom. */
  readonly key: string
  readonly amount: number
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Keeps count of what was used. Outlives connections, and, where it has a store behind it, processes. */
export interface SpendingLedger {
  /**
   * Looks at what was used in each scope, and books more, in one step that nobody else can come between.
   * Nothing is booked when `check` throws.
   * @param now milliseconds since the epoch
   * @returns the booking's id
   */
  book(booking: Booking, scopes: readonly SpendingScope[], now: number, check: (usages: readonly Usage[]) => void): Promise<string>
  /** Puts what was really used in the place of what was booked, and ends it. The request itself stays counted. */
  settle(id: string, settled: Settled): Promise<void>
  /** What was used in each scope. */
  look(scopes: readonly SpendingScope[], run: string, now: number): Promise<readonly Usage[]>
  /** What was used of models, day by day, newest first. @param since milliseconds since the epoch */
  history(since: number): Promise<readonly UsageOfDay[]>
  /** Keeps that a person gave more room, beside what they gave before. */
  raise(raise: DayRaise, now: number): Promise<void>
  /** The room that was given and still holds, by limit. */
  raised(now: number): Promise<ReadonlyMap<string, number>>
}

/** Days that are kept for `history`: those of the calendar, and as many on which something was booked, so that no clock that is wrong takes accounts along. */
const DAYS_KEPT = 92
/** Milliseconds after which a booking that nobody ended belongs to a process that died: no model is waited for as long. It stays counted, but not as open. */
export const LONGEST_OPEN: number = 15 * 60_000

/** Which bookings count, by when they were made: from, exclusive, to. */
export interface CountedTimes {
  readonly minute: readonly [from: number, to: number]
  readonly day: readonly [from: number, to: number]
  readonly open: readonly [from: number, to: number]
}

const MINUTE = 60_000
const DAY = 86_400_000

/**
 * What counts now. The clock may have been set back since something was booked: what lies a little ahead counts too, so that setting it back frees nothing.
 * What lies far ahead was booked by a clock that was wrong, or this one is: it must not keep a limit used up for years.
 */
export function countedTimes(now: number): CountedTimes {
  return { minute: [now - MINUTE, now + MINUTE], day: [startOfDay(now) - 1, now + 2 * DAY], open: [now - LONGEST_OPEN, now + LONGEST_OPEN] }
}

/** The first moment of the local calendar day. */
export function startOfDay(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
}

/** The first moment of the next local calendar day. */
export function startOfNextDay(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime()
}

/** The moment before which bookings are kept no longer. @param days on which something was booked, newest first */
export function oldestKept(days: readonly number[], now: number): number {
  return Math.min(days[DAYS_KEPT - 1] ?? -Infinity, now - DAYS_KEPT * DAY)
}

/** Room that was given for a day holds in that day alone: where it would hold for longer, the clock was ahead when it was given. */
export function holdsToday(until: number, now: number): boolean {
  return now < until && until <= startOfNextDay(now)
}

/** Sums up what was given, by limit. */
export function sumRaises(raises: Iterable<DayRaise>, now: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { key, amount, until } of raises) if (holdsToday(until, now)) sums.set(key, (sums.get(key) ?? 0) + amount)
  return sums
}

/** Sums up rows of settled and open requests by day, server and model, newest day first. */
export function sumByDay(rows: Iterable<Omit<Booking, 'rule' | 'run'> & { readonly at: number; readonly output: number }>): readonly UsageOfDay[] {
  const sums = new Map<string, UsageOfDay>()
  for (const { at, server, model = '', kind, tokens, output, cost } of rows) {
    if (kind !== 'sampling') continue
    const day = startOfDay(at)
    const key = JSON.stringify([day, server, model])
    const sum = sums.get(key) ?? { day, server, model, requests: 0, unanswered: 0, tokens: 0, outputTokens: 0, cost: 0, unpriced: 0 }
    sums.set(key, {
      ...sum,
      requests: sum.requests + 1,
      unanswered: sum.unanswered + (output === 0 ? 1 : 0),
      tokens: sum.tokens + tokens,
      outputTokens: sum.outputTokens + output,
      cost: sum.cost + (cost ?? 0),
      unpriced: sum.unpriced + (cost === undefined ? 1 : 0),
    })
  }
  return [...sums.values()].toSorted((one, other) => other.day - one.day || compare(one.server, other.server) || compare(one.model, other.model))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
