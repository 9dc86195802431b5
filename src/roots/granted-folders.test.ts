import { expect, test } from 'vitest'
import { describeDisk, type Disk } from '../paths/index.ts'
import type { Grant } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { ConsentedFolder } from './consented-folder.ts'
import { FolderJudge } from './folder-judge.ts'
import type { GrantStore } from './granted-folders.ts'
import { RootList } from './root-list.ts'
import type { ServerRoots } from './server-roots.ts'

const disk = describeDisk({ dirs: ['/w/app', '/w/lib'] }, { platform: 'posix' })
const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const impostor: ServerIdentity = { ...travel, target: { kind: 'stdio', command: 'node', args: ['evil.js'] } }

/** Grants as the store keeps them, and how often they were looked for. */
function memoryGrants(): GrantStore & { readonly kept: Map<string, Grant & { readonly key: string }>; lookups: number; now: number } {
  const kept = new Map<string, Grant & { readonly key: string }>()
  let count = 0
  return {
    kept,
    lookups: 0,
    now: 1000,
    find(server) {
      this.lookups += 1
      const holds = [...kept.values()].filter(({ key, expiresAt = Infinity }) => key === JSON.stringify(server) && this.now < expiresAt)
      return Promise.resolve(holds.toReversed())
    },
    add(server, { kind, details = {}, expiresAt }) {
      const grant = { id: `g${(count += 1)}`, key: JSON.stringify(server), server: server.name, kind, details, grantedAt: this.now, expiresAt }
      kept.set(grant.id, grant)
      return Promise.resolve(grant)
    },
    revoke: (id) => Promise.resolve(kept.delete(id)),
  }
}
async function urisOf(roots: ServerRoots): Promise<readonly string[]> {
  await roots.recall()
  return (await roots.list()).map(({ uri }) => uri)
}
async function seen(path: string, on: Disk = disk): Promise<ConsentedFolder> {
  const folder = new ConsentedFolder({ path }, { disk: on, judge: new FolderJudge({ disk: on }) })
  await folder.look()
  return folder
}

test('a consent for this run holds for every connection of its server, and is forgotten with the list', async () => {
  const grants = memoryGrants()
  const list = new RootList({ disk, grants })
  await list.open(travel).grant([await seen('/w/app')])

  expect(await urisOf(list.open(travel))).toEqual(['file:///w/app'])
  expect(await urisOf(list.open(impostor))).toEqual([])
  expect(await urisOf(new RootList({ disk, grants }).open(travel))).toEqual([])
  list.close()
})

test('a yes for this run is told of, and taken back at once for every connection of the name; what is remembered stays', async () => {
  const list = new RootList({ disk, grants: memoryGrants() })
  const [one, other] = [list.open(travel), list.open(travel)]
  await one.grant([await seen('/w/lib')], {})
  await one.grant([await seen('/w/app')])
  const before = [await urisOf(other), list.forRun().map(({ server, entry }) => [server.name, entry.path])]
  const changed = new Promise<void>((resolve) => other.on('changed', () => resolve()))

  const ended = [list.endRun('notes', '/w/app'), list.endRun('travel', '/w/lib'), list.endRun('travel', '/w/app'), list.endRun('travel', '/w/app')]
  await changed

  expect(before).toEqual([['file:///w/app', 'file:///w/lib'], [['travel', '/w/app']]])
  expect([ended, await urisOf(one), await urisOf(other), list.forRun()]).toEqual([[false, false, true, false], ['file:///w/lib'], ['file:///w/lib'], []])
  list.close()
})

test('a remembered consent holds for the next run of the same server, and for no other command of its name', async () => {
  const grants = memoryGrants()
  await new RootList({ disk, grants }).open(travel).grant([await seen('/w/app')], {})

  expect(await urisOf(new RootList({ disk, grants }).open(travel))).toEqual(['file:///w/app'])
  expect(await urisOf(new RootList({ disk, grants }).open(impostor))).toEqual([])
})

test('a server that has gone is forgotten, but for what a person said for this run: many come and go under ever other names', async () => {
  const grants = memoryGrants()
  const list = new RootList({ disk, grants })
  const run = async (server: ServerIdentity): Promise<readonly string[]> => {
    const roots = list.open(server)
    const uris = await urisOf(roots)
    roots.close()
    return uris
  }
  await run(travel)
  await run(travel)
  const lookups = grants.lookups
  const [one, other] = [list.open(travel), list.open(travel)]
  await one.grant([await seen('/w/app')])
  one.close()
  other.close()

  expect([lookups, await run(travel), await run(impostor)]).toEqual([2, ['file:///w/app'], []])
})

test('nothing is read from the store before the server asks', async () => {
  const grants = memoryGrants()
  const roots = new RootList({ disk, grants, configured: new Map([['*', [{ path: '/w/lib' }]]]) }).open(travel)
  await roots.list()
  const before = grants.lookups
  await Promise.all([roots.recall(), roots.recall()])

  expect([before, grants.lookups]).toEqual([0, 1])
})

test('a consent that was revoked elsewhere, or has expired, holds no longer, and the server is told', async () => {
  const grants = memoryGrants()
  const list = new RootList({ disk, grants, pollInterval: 5, debounce: 1 })
  const roots = list.open(travel)
  await roots.grant([await seen('/w/app')], {})
  await roots.grant([await seen('/w/lib')], { until: 2000 })
  const untilToldOf = async (...uris: readonly string[]): Promise<void> => {
    while (String(await urisOf(roots)) !== String(uris)) await new Promise<void>((resolve) => roots.on('changed', resolve))
  }

  await untilToldOf('file:///w/lib', 'file:///w/app')
  grants.kept.delete('g1')
  await untilToldOf('file:///w/lib')
  grants.now = 2000
  await untilToldOf()
  list.close()
})

test('a second yes to one path takes the place of the first', async () => {
  const grants = memoryGrants()
  const roots = new RootList({ disk, grants }).open(travel)
  await roots.grant([await seen('/w/app')], { until: 5000 })
  await roots.grant([await seen('/w/app')], {})

  expect([...grants.kept.values()].map(({ details, expiresAt }) => [details['path'], expiresAt])).toEqual([['/w/app', undefined]])
})

test('a remembered no ends every yes, and is ended by the next', async () => {
  const grants = memoryGrants()
  const roots = new RootList({ disk, grants }).open(travel)
  await roots.grant([await seen('/w/app')], {})
  await roots.refuse({})
  const refused = [await urisOf(roots), roots.isRefused]
  await roots.grant([await seen('/w/lib')], {})

  expect([refused, await urisOf(roots), roots.isRefused, grants.kept.size]).toEqual([[[], true], ['file:///w/lib'], false, 1])
})

test('a consent is to the folder that lay there: another one in its place is asked about again, also after a restart', async () => {
  const grants = memoryGrants()
  const other = (inode: number): Disk => ({
    ...disk,
    inspect: async (path) => (path === '/w/app' ? { kind: 'folder', identity: `${inode}:${inode}`, device: String(inode) } : disk.inspect(path)),
  })
  await new RootList({ disk: other(7), grants }).open(travel).grant([await seen('/w/app', other(7))], {})
  const roots = new RootList({ disk: other(8), grants }).open(travel)
  await roots.recall()
  const doubts = await roots.findDoubts()
  await roots.grant([await seen('/w/app', other(8))], {})

  expect(doubts).toMatchObject([{ path: '/w/app', why: { key: 'taken-place' } }])
  expect([await urisOf(roots), await roots.findDoubts(), grants.kept.size]).toEqual([['file:///w/app'], [], 1])
})

test('a store that cannot be read tells nothing of it, and says so', async () => {
  const grants: GrantStore = { ...memoryGrants(), find: () => Promise.reject(new Error('locked')) }
  const roots = new RootList({ disk, grants }).open(travel)

  await expect(roots.recall()).rejects.toThrow('locked')
  await roots.refresh()
  expect(await roots.list()).toEqual([])
})

test('what the config has for another command of this name is not told, and is a question', async () => {
  const claimed = [{ path: '/w/app' }]
  const roots = new RootList({ disk, configured: new Map([['travel', claimed]]) }).open(impostor, { claims: () => claimed })
  const before = await roots.list()
  const doubts = await roots.findDoubts()
  await roots.grant([await seen('/w/app')])

  expect([before, doubts.map(({ path }) => path), await urisOf(roots), await roots.findDoubts()]).toEqual([[], ['/w/app'], ['file:///w/app'], []])
})

test('while the user wants to be asked always, what was remembered is asked about again in each run, and a no stays a no', async () => {
  const grants = memoryGrants()
  let mustAsk = false
  const open = (): ServerRoots => new RootList({ disk, grants, mustAsk: () => mustAsk }).open(travel)
  await open().grant([await seen('/w/app')], {})
  const [before, now] = [open(), open()]
  const told = [await urisOf(before)]
  mustAsk = true
  told.push(await urisOf(before), await urisOf(now))
  const doubts = await now.findDoubts()
  await now.grant([await seen('/w/app')], {})
  told.push(await urisOf(now), await urisOf(open()))
  await now.refuse({})
  const refused = open()
  await refused.recall()

  expect(told).toEqual([['file:///w/app'], [], [], ['file:///w/app'], []])
  expect(doubts).toMatchObject([{ path: '/w/app', why: { key: 'said-before' } }])
  expect([await now.findDoubts(), refused.isRefused]).toEqual([[], true])
  for (const roots of [before, now, refused]) roots.close()
})
