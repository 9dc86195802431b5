import type { LimitName, LimitState } from '../protocol/index.ts'
import { amountLimits, statesOf, type LimitSet, type Raised } from './limit-set.ts'
import { MemorySpending } from './memory-spending.ts'
import { Raises, type RaiseOptions } from './raises.ts'
import { noReservation, reserveWithin, type Reservation } from './reservation.ts'
import { noSamplingConfig, settingsOf, usualLimits, type SamplingConfig, type SamplingSettings } from './sampling-settings.ts'
import type { Booking, SpendingLedger } from './spending.ts'

export interface BudgetOptions {
  readonly sampling?: SamplingConfig | undefined
  /** Default: in memory. */
  readonly spending?: SpendingLedger | undefined
  /** This life of the program. Default: made up. */
  readonly run?: string | undefined
  readonly now: () => number
}

/** A request for room, with the limits of the rule that it comes under. */
export interface RoomRequest extends Pick<Booking, 'kind' | 'rule' | 'server' | 'model'> {
  readonly ruled: LimitSet | undefined
  /** A person's "don't ask again" stands in for a rule: without limits of the user's own, the usual ones hold. */
  readonly remembered: boolean
}

/** What may be spent: by each server under a rule, by each server, and by all together. */
export class Budget {
  #sampling: SamplingConfig
  readonly #spending: SpendingLedger
  readonly #run: string
  readonly #now: () => number
  readonly #raises: Raises

  constructor({ sampling = noSamplingConfig, spending = new MemorySpending(), run = globalThis.crypto.randomUUID(), now }: BudgetOptions) {
    this.#sampling = sampling
    this.#spending = spending
    this.#raises = new Raises(spending)
    this.#run = run
    this.#now = now
  }

  update(sampling: SamplingConfig): void {
    this.#sampling = sampling
  }

  settingsOf(server: string): SamplingSettings {
    return settingsOf(this.#sampling, server)
  }

  /** The smallest of the limits of this name, whoever set it. */
  leastOf(limit: LimitName, request: RoomRequest): number | undefined {
    const amounts = this.#setsOf(request).flatMap(({ limits }) => limits[limit] ?? [])
    return amounts.length === 0 ? undefined : Math.min(...amounts)
  }

  /** Requests of models are always booked, whether they have limits or not; everything else only where it has. @throws ConsentryError `LIMIT_REACHED` */
  async reserve(request: RoomRequest, wanted: { readonly tokens: number | undefined; readonly cost: number | undefined }): Promise<Reservation> {
    const sets = this.#setsOf(request)
    const { kind, rule, server, model } = request
    if (sets.length === 0 && kind !== 'sampling') return noReservation
    const now = this.#now()
    return reserveWithin({
      sets,
      booking: { kind, rule, server, model, run: this.#run },
      wanted,
      spending: this.#spending,
      raised: await this.#raised(sets, now),
      now,
    })
  }

  /** Every limit that holds for a request, and how far it is used up. */
  async look(request: RoomRequest): Promise<readonly LimitState[]> {
    const sets = this.#setsOf(request)
    if (sets.length === 0) return []
    const now = this.#now()
    const raised = await this.#raised(sets, now)
    const usages = await this.#spending.look(
      sets.map(({ counts }) => counts),
      this.#run,
      now,
    )
    return sets.flatMap((set, index) => statesOf(set, usages[index]!, raised, now))
  }

  /** A person gives more room. @throws ConsentryError `STORE_UNAVAILABLE` */
  async raise(
    request: RoomRequest,
    limits: readonly LimitState[],
    { tokens, cost, ...options }: Omit<RaiseOptions, 'wanted' | 'now'> & { readonly tokens: number; readonly cost: number },
  ): Promise<void> {
    for (const set of this.#setsOf(request))
      for (const state of limits)
        if (state.scope === set.scope)
          await this.#raises.give(set, state, { ...options, wanted: state.limit.startsWith('cost') ? cost : tokens, now: this.#now() })
  }

  /** Nothing is looked up where nothing can have been raised. */
  async #raised(sets: readonly LimitSet[], now: number): Promise<Raised> {
    const isCounted = sets.some(({ limits }) => Object.keys(limits).some((limit) => amountLimits.has(limit as LimitName)))
    return isCounted ? this.#raises.at(now) : () => 0
  }

  #setsOf({ kind, server, ruled, remembered }: RoomRequest): readonly LimitSet[] {
    const sets = ruled === undefined ? [] : [ruled]
    if (kind !== 'sampling') return sets
    const own = this.settingsOf(server).limits ?? {}
    const limits = remembered ? { ...usualLimits, ...own } : own
    if (Object.keys(limits).length > 0) sets.push({ scope: 'server', name: `sampling of ${server}`, limits, counts: { server } })
    const { total } = this.#sampling
    if (total !== undefined) sets.push({ scope: 'total', name: 'sampling in total', limits: total, counts: {} })
    return sets
  }
}
