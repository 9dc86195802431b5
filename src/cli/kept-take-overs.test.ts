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

test('it is kept for one client with exactly one server, seen among the consents, and gone with them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'take-overs-'))
  const store = await openStore({ file: join(home, 'consentry.db') })
  onTestFinished(async () => {
    await store.close()
    rmSync(home, { recursive: true })
  })
  const place = { environment: { CONSENTRY_HOME: home }, platform: process.platform, cwd: home } as unknown as Place
  const grants = new Grants({ store })
  const kept = keepTakeOvers(grants, place)
  const before = [mayBeTakenOver(place), await kept.has(of(travel, 'Cursor'))]
  await kept.add(of(travel))
  await kept.add(of(travel, 'Cursor'))
  const [hint, listed] = [mayBeTakenOver(place), await grants.list()]
  const mode = statSync(join(home, 'take-over')).mode & 0o777
  const found = await Promise.all([of(travel, 'Cursor'), of(travel, 'Zed'), of(travel), of(other, 'Cursor')].map((origin) => kept.has(origin)))
  await grants.revoke(listed[0]!.id)
  const after = await kept.has(of(travel, 'Cursor'))

  expect([before, hint, mode, found, after]).toEqual([[false, false], true, 0o600, [true, false, false, false], false])
  expect(listed.map(({ server, kind, details }) => ({ server, kind, details }))).toEqual([
    { server: 'travel', kind: 'elicitation', details: { answeredHereInPlaceOf: 'Cursor' } },
  ])
  expect(existsSync(join(home, 'take-over'))).toBe(false)
})
