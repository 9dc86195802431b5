import type { InputKind } from '../protocol/index.ts'
import type { Database, Store } from '../store/index.ts'
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

/** Keeps count in the store: restarts, reconnects and other processes see the same count. A process that dies leaves what it booked counted in full. */
export class StoredSpending implements SpendingLedger {
  readonly #store: Store
  readonly #newId: () => string
  #lookedThrough: number | undefined

  constructor({ store, newId = () => globalThis.crypto.randomUUID() }: { readonly store: Store; readonly newId?: (() => string) | undefined }) {
    this.#store = store
    this.#newId = newId
  }

  book(booking: Booking, scopes: readonly SpendingScope[], now: number, check: (usages: readonly Usage[]) => void): Promise<string> {
    const { kind, rule, server, run, model = '', tokens, cost } = booking
    return this.#store.write(async (transaction) => {
      if (this.#lookedThrough !== startOfDay(now)) await forgetOld(transaction, now)
      check(await useOf(transaction, scopes, run, now))
      const id = this.#newId()
      const row = { id, rule, server, at: now, tokens, cost: cost ?? 0, kind, run, model, output: 0, is_priced: cost === undefined ? 0 : 1, is_open: 1 }
      await transaction.insertInto('spendings').values(row).execute()
      this.#lookedThrough = startOfDay(now)
      return id
    })
  }

  async settle(id: string, { tokens, cost, output = 0 }: Settled): Promise<void> {
    const change = { tokens, cost: cost ?? 0, output, is_priced: cost === undefined ? 0 : 1, is_open: 0 }
    await this.#store.write((transaction) => transaction.updateTable('spendings').set(change).where('id', '=', id).execute())
  }

  look(scopes: readonly SpendingScope[], run: string, now: number): Promise<readonly Usage[]> {
    return this.#store.read((database) => useOf(database, scopes, run, now))
  }

  async raise({ key, amount, until }: DayRaise, now: number): Promise<void> {
    await this.#store.write(async (transaction) => {
      await transaction.deleteFrom('raises').where('until', '<=', now).execute()
      await transaction.insertInto('raises').values({ id: this.#newId(), limit_key: key, amount, until }).execute()
    })
  }

  async raised(now: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#store.read((database) => database.selectFrom('raises').selectAll().where('until', '>', now).execute())
    return sumRaises(
      rows.map(({ limit_key: key, amount, until }) => ({ key, amount, until: Number(until) })),
      now,
    )
  }

  async history(since: number): Promise<readonly UsageOfDay[]> {
    const rows = await this.#store.read((database) =>
      database
        .selectFrom('spendings')
        .select(['at', 'kind', 'server', 'model', 'tokens', 'output', 'cost', 'is_priced'])
        .where('at', '>=', since)
        .where('kind', '=', 'sampling')
        .execute(),
    )
    return sumByDay(rows.map((row) => ({ ...row, kind: row.kind as InputKind, at: Number(row.at), cost: row.is_priced === 0 ? undefined : row.cost })))
  }
}

async function forgetOld(database: Database, now: number): Promise<void> {
  const days: number[] = []
  for (let before = Infinity; oldestKept(days, now) === -Infinity;) {
    const { latest } = await database
      .selectFrom('spendings')
      .select(({ fn }) => fn.max<number | string | null>('at').as('latest'))
      .where('at', '<', Math.min(before, Number.MAX_SAFE_INTEGER))
      .executeTakeFirstOrThrow()
    if (latest === null) return
    before = startOfDay(Number(latest))
    days.push(before)
  }
  await database.deleteFrom('spendings').where('at', '<', oldestKept(days, now)).execute()
}

async function useOf(database: Database, scopes: readonly SpendingScope[], run: string, now: number): Promise<readonly Usage[]> {
  const usages: Usage[] = []
  for (const scope of scopes) usages.push(await useIn(database, scope, run, now))
  return usages
}

async function useIn(database: Database, { rule, server }: SpendingScope, run: string, now: number): Promise<Usage> {
  const { minute, day, open } = countedTimes(now)
  const [from, to] = [Math.min(minute[0], day[0]), day[1]]
  let query = database.selectFrom('spendings').where((where) => where.or([where.and([where('at', '>', from), where('at', '<=', to)]), where('run', '=', run)]))
  query = rule === undefined ? query.where('kind', '=', 'sampling') : query.where('rule', '=', rule)
  if (server !== undefined) query = query.where('server', '=', server)
  const row = await query
    .select(({ eb, fn }) => {
      const isWithin = ([after, until]: readonly [number, number]): ReturnType<typeof eb.and> => eb.and([eb('at', '>', after), eb('at', '<=', until)])
      const isRecent = isWithin(minute)
      const isToday = isWithin(day)
      const isOfRun = eb('run', '=', run)
      const isUnpriced = eb.and([eb('is_priced', '=', 0), eb('kind', '=', 'sampling')])
      const isOpen = eb.and([eb('is_open', '=', 1), isWithin(open)])
      const sumWhere = (condition: ReturnType<typeof eb.and>, column: 'tokens' | 'cost' | undefined): ReturnType<typeof fn.sum<number | string | null>> =>
        fn.sum<number | string | null>(
          eb
            .case()
            .when(condition)
            .then(column === undefined ? eb.lit(1) : eb.ref(column))
            .else(eb.lit(0))
            .end(),
        )
      return [
        sumWhere(isRecent, undefined).as('requests'),
        fn.min<number | string | null>(eb.case().when(isRecent).then(eb.ref('at')).end()).as('oldest'),
        sumWhere(isToday, 'tokens').as('tokens'),
        sumWhere(isToday, 'cost').as('cost'),
        sumWhere(eb.and([isToday, isUnpriced]), undefined).as('unpriced'),
        sumWhere(isOfRun, 'tokens').as('runTokens'),
        sumWhere(isOfRun, 'cost').as('runCost'),
        sumWhere(eb.and([isOfRun, isUnpriced]), undefined).as('runUnpriced'),
        sumWhere(isOpen, undefined).as('open'),
      ]
    })
    .executeTakeFirstOrThrow()
  return {
    requests: Number(row.requests ?? 0),
    oldest: row.oldest === null ? undefined : Math.min(Number(row.oldest), now),
    tokens: Number(row.tokens ?? 0),
    cost: Number(row.cost ?? 0),
    unpriced: Number(row.unpriced ?? 0),
    runTokens: Number(row.runTokens ?? 0),
    runCost: Number(row.runCost ?? 0),
    runUnpriced: Number(row.runUnpriced ?? 0),
    open: Number(row.open ?? 0),
  }
}
