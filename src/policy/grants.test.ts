import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServerIdentity } from '../protocol/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { Grants } from './grants.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'], cwd: undefined } }

let folder: string
let store: Store
let now: number
let grants: Grants
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-grants-'))
  store = await openStore({ file: join(folder, 'consentry.db') })
  now = 1_000
  grants = new Grants({ store, now: () => now })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a consent is remembered for exactly this server and kind, newest first', async () => {
  const older = await grants.add(travel, { kind: 'roots', details: { path: '/a' } })
  now += 1
  const newer = await grants.add(travel, { kind: 'roots', details: { path: '/b' } })
  await grants.add(travel, { kind: 'sampling' })
  expect([await grants.find({ ...travel, target: { kind: 'stdio', args: ['travel.js'], command: 'node' } }, 'roots'), newer]).toEqual([
    [newer, older],
    { id: expect.any(String), server: 'travel', kind: 'roots', details: { path: '/b' }, grantedAt: 1_001 },
  ])
})

test.each<[string, ServerIdentity]>([
  ['another name for the same command', { ...travel, name: 'trips' }],
  ['a name that the user did not give', { ...travel, named: false }],
  ['another command', { ...travel, target: { kind: 'stdio', command: 'deno', args: ['travel.js'] } }],
  ['another argument', { ...travel, target: { kind: 'stdio', command: 'node', args: ['travel.js', '-v'] } }],
  ['arguments cut in another way', { ...travel, target: { kind: 'stdio', command: 'node', args: ['travel', '.js'] } }],
  ['another folder', { ...travel, target: { kind: 'stdio', command: 'node', args: ['travel.js'], cwd: '/tmp' } }],
  ['a URL', { ...travel, target: { kind: 'http', url: 'node' } }],
])('%s shares nothing', async (_, server) => {
  await grants.add(travel, { kind: 'roots' })
  expect(await grants.find(server, 'roots')).toEqual([])
})

test('the end of a consent is moved while it holds, and one that is over stays over', async () => {
  const [endless, short] = [await grants.add(travel, { kind: 'roots' }), await grants.add(travel, { kind: 'sampling', expiresAt: 1_010 })]
  const moved = [await grants.setEnd(endless.id, 1_100), await grants.setEnd(short.id, 1_200), await grants.setEnd('no-such', 1_200)]
  now = 1_150
  const left = await grants.list()
  now = 1_250

  expect([moved, left.map(({ id }) => id), await grants.setEnd(short.id, 9_000), await grants.list()]).toEqual([[true, true, false], [short.id], false, []])
})

test('a consent ends when it says', async () => {
  await grants.add(travel, { kind: 'sampling', expiresAt: 2_000 })
  const counts = []
  for (now of [1_999, 2_000]) counts.push((await grants.find(travel, 'sampling')).length, (await grants.list()).length)
  expect(counts).toEqual([1, 1, 0, 0])
})

test('a consent can be taken back, once', async () => {
  const { id } = await grants.add(travel, { kind: 'roots' })
  expect([await grants.revoke(id), await grants.revoke(id), await grants.find(travel, 'roots')]).toEqual([true, false, []])
})

test('all consents of all servers are listed', async () => {
  await grants.add(travel, { kind: 'roots' })
  now += 1
  await grants.add({ ...travel, name: '한국 "\u0000' }, { kind: 'sampling' })
  expect((await grants.list()).map(({ server, kind }) => [server, kind])).toEqual([
    ['한국 "\u0000', 'sampling'],
    ['travel', 'roots'],
  ])
})

test('what cannot be read grants nothing', async () => {
  await grants.add(travel, { kind: 'roots' })
  await grants.add(travel, { kind: 'roots' })
  const [first, second] = await grants.list()
  await store.write((transaction) => transaction.updateTable('grants').set({ details: 'no JSON' }).where('id', '=', first!.id).execute())
  await store.write((transaction) => transaction.updateTable('grants').set({ kind: 'everything' }).where('id', '=', second!.id).execute())
  expect([await grants.list(), await grants.find(travel, 'roots')]).toEqual([[], []])
})
