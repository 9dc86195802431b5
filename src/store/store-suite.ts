import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from './store.ts'

/** What every store must do, whichever database is behind it. `open` opens another connection to the same, at first empty, database. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const count = (): Promise<number> => store.read(async (database) => (await database.selectFrom('grants').select('id').execute()).length)

    test('what was written is read by another connection', async () => {
      await store.write((transaction) => transaction.insertInto('grants').values(grant('a')).execute())
      const other = await open()
      const read = await other.read((database) => database.selectFrom('grants').selectAll().execute())
      await other.close()
      expect(read.map((row) => ({ ...row, granted_at: Number(row.granted_at) }))).toEqual([grant('a')])
    })

    test('a write that fails leaves nothing behind, and its own error comes through', async () => {
      const failing = store.write(async (transaction) => {
        await transaction.insertInto('grants').values(grant('a')).execute()
        throw new RangeError('no')
      })
      await expect(failing).rejects.toThrow(RangeError)
      expect(await count()).toBe(0)
    })

    test('what the database refuses is STORE_UNAVAILABLE', async () => {
      const twice = store.write((transaction) =>
        transaction
          .insertInto('grants')
          .values([grant('a'), grant('a')])
          .execute(),
      )
      await expect(twice).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      expect(await count()).toBe(0)
    })

    test('between the first and the last step of a write no other connection writes', async () => {
      await store.write((transaction) => transaction.insertInto('spendings').values({ id: 's', rule: 'r', server: 's', at: 0, tokens: 0, cost: 0 }).execute())
      const others = await Promise.all([open(), open()])
      const add = (each: Store): Promise<void> =>
        each.write(async (transaction) => {
          const { tokens } = await transaction.selectFrom('spendings').select('tokens').executeTakeFirstOrThrow()
          await new Promise(setImmediate)
          await transaction
            .updateTable('spendings')
            .set({ tokens: tokens + 1 })
            .execute()
        })
      await Promise.all([store, ...others, store, ...others, store, ...others].map(add))
      await Promise.all(others.map((each) => each.close()))
      expect(await store.read((database) => database.selectFrom('spendings').select(['tokens', 'cost']).execute())).toEqual([{ tokens: 9, cost: 0 }])
    })

    test('whole and broken numbers, and text of every script, come back as they went in', async () => {
      const row = { id: '한국어 "\' 简', rule: '', server: '🙂', at: Number.MAX_SAFE_INTEGER, tokens: 0.1 + 0.2, cost: 1e-9 }
      await store.write((transaction) => transaction.insertInto('spendings').values(row).execute())
      const columns = ['id', 'rule', 'server', 'at', 'tokens', 'cost'] as const
      const read = await store.read((database) => database.selectFrom('spendings').select(columns).executeTakeFirstOrThrow())
      expect({ ...read, at: Number(read.at) }).toEqual(row)
    })

    test('a text that cannot be kept whole is refused, not cut off', async () => {
      const row = { id: 'a', rule: 'before\0after', server: '', at: 0, tokens: 0, cost: 0 }
      await expect(store.write((transaction) => transaction.insertInto('spendings').values(row).execute())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    })

    test('closing twice is closing once, and a closed store says so', async () => {
      const other = await open()
      await other.close()
      await other.close()
      await expect(other.read(() => Promise.resolve(1))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      await expect(other.write(() => Promise.resolve(1))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    })
  })
}

function grant(id: string): { id: string; server_key: string; server_name: string; kind: string; details: string; granted_at: number; expires_at: null } {
  return { id, server_key: 'k', server_name: 'travel', kind: 'roots', details: '{}', granted_at: 1_800_000_000_000, expires_at: null }
}
