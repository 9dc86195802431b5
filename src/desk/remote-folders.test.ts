import { expect, onTestFinished, test } from 'vitest'
import { call, serve } from '../../test/fixtures/desk-line.ts'
import { ConsentryError } from '../errors.ts'
import { describeDisk } from '../paths/index.ts'
import type { ConnectionOrigin, KeptFoldersReport, Root } from '../protocol/index.ts'
import { RootList } from '../roots/index.ts'
import { connection } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import type { RemoteChannel } from './remote-channel.ts'
import { RemoteDesk } from './remote-desk.ts'
import { readFolderFacts, readKeptReport } from './remote-folders.ts'
import type { RemoteServer } from './remote-server.ts'

const trip: Root = { uri: 'file:///w/trip' }

/** Desks that come and go, each with the folders that it knows of, and a wrap whose server was told some. */
class Line {
  readonly looks: boolean[] = []
  readonly remote: RemoteDesk
  told: readonly Root[] = []
  undecided: readonly string[] | undefined
  #server: RemoteServer | undefined
  #channel: RemoteChannel | undefined

  constructor() {
    this.remote = new RemoteDesk({
      connect: async (isNeeded) => {
        this.looks.push(isNeeded)
        if (this.#server === undefined) throw new ConsentryError('DESK_UNREACHABLE', 'no desk runs')
        return (this.#channel = await call(this.#server))
      },
      pauseMs: { first: 1, longest: 2 },
    })
    onTestFinished(() => this.remote.close())
  }

  start(...paths: readonly string[]): void {
    const roots = new RootList({
      disk: describeDisk({ dirs: ['/w/trip', '/s/nothing'] }, { platform: 'posix' }),
      configured: new Map([['travel', paths.map((path) => ({ path }))]]),
      standIn: { path: '/s/nothing', make: () => Promise.resolve() },
      debounce: 0,
    })
    const { desk } = createLocalDesk({ roots })
    this.#server = serve({ open: (origin) => desk.open(origin) })
    onTestFinished(() => desk.close())
  }

  kill(): void {
    this.#server = undefined
    this.#channel!.breakOff('killed')
  }

  get origin(): ConnectionOrigin {
    const told = (): readonly Root[] => this.told
    const undecided = (): readonly string[] | undefined => this.undecided
    return {
      ...connection,
      canRestart: true,
      get told() {
        return told()
      },
      get undecided() {
        return undecided()
      },
    }
  }
}

test('what a server was told by a desk that is gone is taken from it by the next one, and the wrap hears what was done', async () => {
  const line = new Line()
  line.start('/w/trip')
  const session = line.remote.open(line.origin)
  await session.opened
  line.told = [trip]
  line.kill()
  const changed = new Promise<void>((resolve) => session.on('roots-changed', () => resolve()))
  const kept = new Promise<KeptFoldersReport>((resolve) => session.on('folders-kept', resolve))
  line.start()
  await changed
  const list = async (): Promise<unknown> => {
    const response = await session.answer({ kind: 'roots', params: undefined, revision: '2025-11-25' }, new AbortController().signal)
    return response.outcome === 'answered' && response.result['roots']
  }
  const first = await list()

  expect([first, await kept]).toEqual([[], { reason: 'none-told', known: ['file:///w/trip'], done: 'stand-in', isAsked: false }])
  expect(await list()).toEqual([{ uri: 'file:///s/nothing', name: 'nothing' }])
})

test('a server of which nobody has said what else is done is asked about by each desk that comes, and by none where the last one said that it is decided', async () => {
  const line = new Line()
  line.start()
  line.told = [{ uri: 'file:///s/nothing' }]
  line.undecided = ['file:///w/trip']
  const session = line.remote.open(line.origin)
  const heard: KeptFoldersReport[] = []
  const news: unknown[] = []
  session.on('folders-undecided', (known) => news.push(known))
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = session.on('folders-kept', (found) => {
        heard.push(found)
        stop()
        resolve()
      })
    })
  await next()
  line.kill()
  const again = next()
  line.start()
  await again
  session.takeEvent('folders-undecided', undefined)
  session.takeEvent('folders-undecided', 'all of them')

  const found = { reason: 'none-told', known: ['file:///w/trip'], done: 'stand-in', isAsked: false }
  expect([heard, news]).toEqual([
    [found, found],
    [['file:///w/trip'], ['file:///w/trip'], undefined, undefined],
  ])
})

test('where a server knows folders and no desk comes back, one is asked for, a few times; where it knows none, no desk is started for it', async () => {
  const looksAfterLoss = async (told: readonly Root[], undecided?: readonly string[]): Promise<readonly boolean[]> => {
    const line = new Line()
    line.start()
    await line.remote.open(line.origin).opened
    line.told = told
    line.undecided = undecided
    const before = line.looks.length
    line.kill()
    while (line.looks.length < before + 12) await new Promise((resolve) => setTimeout(resolve, 1))
    return line.looks.slice(before, before + 12)
  }

  expect((await looksAfterLoss([trip])).map(Number).join('')).toBe('000001110000')
  expect(await looksAfterLoss([])).not.toContain(true)
  expect((await looksAfterLoss([], ['file:///w/trip'])).map(Number).join('')).toBe('000001110000')
})

test('what a wrap and a desk say to each other of folders is read member by member', () => {
  expect(readFolderFacts({ told: [{ uri: 'file:///a', name: 'A', more: 1 }], keptFolders: 'restart' })).toEqual({
    told: [{ uri: 'file:///a', name: 'A' }],
    keptFolders: 'restart',
  })
  const nothing = [{ uri: 'file:///s/nothing' }]
  expect([nothing, []].map((list) => readFolderFacts({ told: list, undecided: ['file:///a'] }))).toEqual([
    { told: nothing, undecided: ['file:///a'] },
    { told: [], undecided: ['file:///a'] },
  ])
  for (const undecided of [null, [], 'file:///a', [1], ['file:///a', null], Array.from({ length: 10_001 }, () => 'file:///a')])
    expect(readFolderFacts({ told: nothing, undecided })).toEqual({ told: nothing })
  expect(readFolderFacts({ undecided: ['file:///a'] })).toEqual({})
  for (const told of [[], 'file:///a', [1], [{ name: 'A' }], Array.from({ length: 10_001 }, () => trip), { length: 1 }])
    expect(readFolderFacts({ told, keptFolders: 'forget' })).toEqual({})
  const report = { reason: 'gone', known: ['file:///a'], done: 'nothing', isAsked: false }
  expect(readKeptReport({ ...report, isAsked: 'yes', fault: { of: 'asking', message: 'no space', more: 1 } })).toEqual({
    ...report,
    fault: { of: 'asking', message: 'no space' },
  })
  for (const broken of [null, [], 'gone', { ...report, reason: 'constructor' }, { ...report, known: [1] }, { ...report, done: '__proto__' }])
    expect(readKeptReport(broken)).toBeUndefined()
})
