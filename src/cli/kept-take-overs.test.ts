import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Grants } from '../policy/index.ts'
import type { ConnectionOrigin, ServerIdentity } from '../protocol/index.ts'
import { openStore } from '../store/index.ts'
import { keepTakeOvers } from './kept-take-overs.ts'
import type { Place } from './place.ts'
import { mayBeTakenOver } from './state-folder.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const other: ServerIdentity = { ...travel, target: { kind: 'stdio', command: 'node', args: ['other.js'] } }
const of = (server: ServerIdentity, client?: string): ConnectionOrigin => ({ server, connection: 'c', client })

async function open(): Promise<{ readonly place: Place; readonly grants: Grants; readonly home: string }> {
  const home = mkdtempSync(join(tmpdir(), 'take-overs-'))
  const store = await openStore({ file: join(home, 'consentry.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(home, { recursive: true })
  })
  const place = { environment: { CONSENTRY_HOME: home }, platform: process.platform, cwd: home } as unknown as Place
  return { place, home, grants: new Grants({ store }) }
}

test('it is kept for one client with exactly one server, seen among the consents, and gone with them', async () => {
  const { place, grants, home } = await open()
  const kept = keepTakeOvers(grants, place)
  const before = [mayBeTakenOver(place), await kept.has(of(travel, 'Cursor'), 'elicitation')]
  await kept.add(of(travel), 'elicitation')
  await kept.add(of(travel, 'Cursor'), 'elicitation')
  const [hint, listed] = [mayBeTakenOver(place), await grants.list()]
  const mode = statSync(join(home, 'take-over')).mode & 0o777
  const found = await Promise.all([of(travel, 'Cursor'), of(travel, 'Zed'), of(travel), of(other, 'Cursor')].map((origin) => kept.has(origin, 'elicitation')))
  await grants.revoke(listed[0]!.id)
  const after = await kept.has(of(travel, 'Cursor'), 'elicitation')

  expect([before, hint, mode, found, after]).toEqual([[false, false], true, 0o600, [true, false, false, false], false])
  expect(listed.map(({ server, kind, details }) => ({ server, kind, details }))).toEqual([
    { server: 'travel', kind: 'elicitation', details: { answeredHereInPlaceOf: 'Cursor' } },
  ])
  expect(existsSync(join(home, 'take-over'))).toBe(false)
})

test('each kind of question is kept for itself, and what has ended or was revoked by another process holds no more', async () => {
  const { place, grants, home } = await open()
  const kept = keepTakeOvers(grants, place)
  const origin = of(travel, 'Cursor')
  await kept.add(origin, 'sampling')
  await kept.add(origin, 'roots')
  const holds = (): Promise<readonly boolean[]> => Promise.all((['roots', 'elicitation', 'sampling'] as const).map((kind) => kept.has(origin, kind)))
  const both = await holds()
  const store = await openStore({ file: join(home, 'consentry.db') })
  const elsewhere = new Grants({ store })
  const [one, other] = await elsewhere.list()
  await elsewhere.revoke(one!.id)
  const revoked = await holds()
  await elsewhere.setEnd(other!.id, 1)
  const ended = await holds()
  await store.close()

  expect(both).toEqual([true, false, true])
  expect([revoked.filter(Boolean).length, ended]).toEqual([1, [false, false, false]])
})

test('what is added while nothing is found is not lost with what is tidied up', async () => {
  const { place, grants } = await open()
  const kept = keepTakeOvers(grants, place)
  await kept.add(of(travel, 'Zed'), 'elicitation')
  await grants.revoke((await grants.list())[0]!.id)
  let isFirst = true
  const slow = keepTakeOvers(
    {
      add: (...grant) => grants.add(...grant),
      find: (...question) => grants.find(...question),
      on: (...listener) => grants.on(...listener),
      list: async () => {
        const found = await grants.list()
        if (isFirst) await kept.add(of(travel, 'Cursor'), 'elicitation')
        isFirst = false
        return found
      },
    },
    place,
  )
  await slow.has(of(travel, 'Zed'), 'elicitation')

  expect([mayBeTakenOver(place), await kept.has(of(travel, 'Cursor'), 'elicitation')]).toEqual([true, true])
})

test('whoever follows it is told when something is revoked, until they stop', async () => {
  const { place, grants } = await open()
  const kept = keepTakeOvers(grants, place)
  let told = 0
  const stop = kept.onRevoked(() => (told += 1))
  for (const client of ['Cursor', 'Zed']) await kept.add(of(travel, client), 'elicitation')
  const [one, other] = await grants.list()
  await grants.revoke('nothing')
  await grants.revoke(one!.id)
  stop()
  await grants.revoke(other!.id)

  expect(told).toBe(1)
})
