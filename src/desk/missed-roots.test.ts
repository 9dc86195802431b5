import { expect, test, vi } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { describeDisk } from '../paths/index.ts'
import { RootList } from '../roots/index.ts'
import { connection } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import { MissedRoots } from './missed-roots.ts'

test('a server that could not be told its folders while the log could not be written hears that they have changed as soon as it can be', async () => {
  let isFull = true
  const write = (): Promise<void> => (isFull ? Promise.reject(new ConsentryError('AUDIT_UNAVAILABLE', 'no space')) : Promise.resolve())
  const roots = new RootList({ disk: describeDisk({ dirs: ['/w/app'] }, { platform: 'posix' }), configured: new Map([['*', [{ path: '/w/app' }]]]) })
  const { desk } = createLocalDesk({ roots, audit: { append: write, tryWriting: write } })
  const session = desk.open(connection)
  const ask = async (): Promise<string> =>
    (await session.answer({ kind: 'roots', params: undefined, revision: '2025-11-25' }, new AbortController().signal)).outcome
  const changed = new Promise<void>((resolve) => session.on('roots-changed', () => resolve()))
  const outcomes = [await ask()]
  isFull = false
  await changed
  outcomes.push(await ask())
  await desk.close()

  expect(outcomes).toEqual(['refused', 'answered'])
}, 30_000)

test('it is looked at until the log can be written, announced once, and no more when the connection is closed', async () => {
  const looks = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('no space')).mockRejectedValueOnce(new Error('no space')).mockResolvedValue()
  const announce = vi.fn<() => void>()
  const missed = new MissedRoots({ audit: { append: () => Promise.resolve(), tryWriting: looks }, announce, pause: 1 })
  missed.note()
  missed.note()
  await vi.waitFor(() => expect(announce).toHaveBeenCalled(), 10_000)
  missed.note()
  missed.close()
  missed.note()
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect([looks.mock.calls.length, announce.mock.calls.length]).toEqual([3, 1])
})
