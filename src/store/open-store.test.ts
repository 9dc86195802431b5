import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LazyStore } from './lazy-store.ts'
import { migrations } from './migrations/index.ts'
import { openStore } from './open-store.ts'
import { describeStore } from './store-suite.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-store-'))
  file = join(folder, 'state', 'consentry.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

describeStore('a store in a file', () => openStore({ file }))
describeStore('a store that is opened when it is used', () => Promise.resolve(new LazyStore({ file })))

test.skipIf(process.platform === 'win32')('everything in the state folder is for the user alone', async () => {
  const store = await openStore({ file })
  await store.write((transaction) => transaction.insertInto('spendings').values({ id: 'a', rule: '', server: '', at: 0, tokens: 0, cost: 0 }).execute())
  const modes = readdirSync(join(folder, 'state')).map((name) => [name, modeOf(join(folder, 'state', name))])
  await store.close()
  expect([modeOf(join(folder, 'state')), modes]).toEqual([
    '700',
    [
      ['consentry.db', '600'],
      ['consentry.db-shm', '600'],
      ['consentry.db-wal', '600'],
    ],
  ])
})

test.skipIf(process.platform === 'win32')('a database that others could read is closed to them', async () => {
  await (await openStore({ file })).close()
  chmodSync(file, 0o644)
  await (await openStore({ file })).close()
  expect(modeOf(file)).toBe('600')
})

test('several connections make the tables once', async () => {
  const stores = await Promise.all([openStore({ file }), openStore({ file }), openStore({ file })])
  const versions = await Promise.all(stores.map((store) => store.read((database) => database.selectFrom('schema_version').select('version').execute())))
  await Promise.all(stores.map((store) => store.close()))
  expect(versions).toEqual([1, 2, 3].map(() => [{ version: migrations.length }]))
})

test('a database of a newer program is left alone', async () => {
  const store = await openStore({ file })
  await store.write((transaction) => transaction.updateTable('schema_version').set({ version: 99 }).execute())
  await store.close()
  await expect(openStore({ file })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: `The database was made by a newer consentry (schema 99, known here: ${migrations.length}): update this one`,
  })
})

test('a file that is no database is refused with what to do', async () => {
  mkdirSync(join(folder, 'state'))
  writeFileSync(file, 'my notes, not a database. '.repeat(200))
  await expect(openStore({ file })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('move it away') })
})

test('a folder in the place of the file is refused', async () => {
  mkdirSync(file, { recursive: true })
  await expect(openStore({ file })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
})

test('a store that could not be opened is tried again at the next use', async () => {
  const store = new LazyStore({ file })
  writeFileSync(join(folder, 'state'), 'a file where the folder should be')
  await expect(store.read(() => Promise.resolve('never'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  rmSync(join(folder, 'state'))
  expect(await store.read(() => Promise.resolve('opened'))).toBe('opened')
  await store.close()
})

test.skipIf(process.platform === 'win32').each([
  ['removed', () => Promise.resolve()],
  ['replaced', async () => (await openStore({ file })).close()],
])('nothing is written any more to a database that was %s', async (_, replace) => {
  const store = await openStore({ file })
  await store.write(() => Promise.resolve())
  rmSync(join(folder, 'state'), { recursive: true })
  await replace()
  const message = `The database ${file} was removed or replaced while it was in use: what has it open must be started again`
  await expect(store.write(() => Promise.resolve())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message })
  await store.close()
})

test('a lazy store that nobody used makes no file', async () => {
  const store = new LazyStore({ file })
  await store.close()
  expect(readdirSync(folder)).toEqual([])
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
