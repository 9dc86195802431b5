import type { Store } from '../store/index.ts'
import { minuteBefore, startOfDay, type Spending, type SpendingKey, type SpendingLedger, type Usage } from './spending.ts'

/** Keeps count in the store: restarts, reconnects and other processes see the same count. A process that dies leaves what it booked counted in full. */
export class StoredSpending implements SpendingLedger {
  readonly #store: Store
  readonly #newId: () => string

  constructor({ store, newId = () => globalThis.crypto.randomUUID() }: { readonly store: Store; readonly newId?: (() => string) | undefined }) {
    this.#store = store
    this.#newId = newId
  }

  book({ rule, server }: SpendingKey, { tokens, cost }: Spending, now: number, check: (usage: Usage) => void): Promise<string> {
    const [minute, day] = [minuteBefore(now), startOfDay(now)]
    return this.#store.write(async (transaction) => {
      await transaction.deleteFrom('spendings').where('at', '<', Math.min(minute, day)).execute()
      const rows = await transaction.selectFrom('spendings').select(['at', 'tokens', 'cost']).where('rule', '=', rule).where('server', '=', server).execute()
      const ofToday = rows.filter((row) => Number(row.at) >= day)
      check({
        requests: rows.filter((row) => Number(row.at) > minute).length,
        tokens: ofToday.reduce((sum, row) => sum + row.tokens, 0),
        cost: ofToday.reduce((sum, row) => sum + row.cost, 0),
      })
      const id = this.#newId()
      await transaction.insertInto('spendings').values({ id, rule, server, at: now, tokens, cost }).execute()
      return id
    })
  }

  async correct(id: string, { tokens, cost }: Spending): Promise<void> {
    await this.#store.write((transaction) => transaction.updateTable('spendings').set({ tokens, cost }).where('id', '=', id).execute())
  }
}
