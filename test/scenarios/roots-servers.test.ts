import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalDesk } from '../../src/desk/index.ts'
import { Host, type ServerOptions } from '../../src/host/index.ts'
import type { Inbox } from '../../src/inbox/index.ts'
import { openNodeDisk, type Disk } from '../../src/paths/index.ts'
import { quickest } from '../fixtures/quickest.ts'
import { RootList, type ConfiguredRoots, type RootListOptions } from '../../src/roots/index.ts'

const modules = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'roots-servers-')))
  for (const name of ['trip', 'work', 'parent/inside', 'own', 'other']) mkdirSync(join(folder, name), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The reference servers: how each is started, and how it shows which folders it knows. */
const servers = {
  filesystem: { args: () => [join(modules, 'server-filesystem/dist/index.js'), join(folder, 'own')], tool: 'list_allowed_directories' },
  everything: { args: () => [join(modules, 'server-everything/dist/index.js'), 'stdio'], tool: 'get-roots-list' },
} as const
type ServerName = keyof typeof servers

interface Running {
  readonly host: Host
  readonly inbox: Inbox
  /** Which of the test's folders a server shows now, by its own tool. */
  readonly shown: (server: ServerName) => Promise<readonly string[]>
  /** Resolves when a server shows exactly these. */
  readonly shows: (server: ServerName, ...names: readonly string[]) => Promise<void>
}

async function startServers(list: readonly ServerOptions[], roots: RootList): Promise<{ readonly host: Host; readonly inbox: Inbox }> {
  const { desk, inbox } = createLocalDesk({ roots })
  inbox.attach({ name: 'a screen', kinds: ['folders', 'kept-folders'] })
  const host = new Host({ desk, servers: list })
  onTestFinished(async () => {
    inbox.close()
    await host.close()
    await desk.close()
    roots.close()
  })
  // The first list that each server was told: before that it shows what it was started with.
  const told = list.map(({ name }) => new Promise<void>((resolve) => host.on('input-answered', ({ server }) => server === name && resolve())))
  await host.connect()
  await Promise.all(told)
  return { host, inbox }
}

async function start(names: readonly ServerName[], roots: RootList): Promise<Running> {
  const { host, inbox } = await startServers(
    names.map((name) => ({ name, command: process.execPath, args: servers[name].args(), protocol: '2025-11-25' })),
    roots,
  )
  const shown = async (server: ServerName): Promise<readonly string[]> => {
    const { content } = await host.callTool({ server, name: servers[server].tool })
    const text = (content as readonly { readonly text?: string }[]).map((block) => block.text).join('\n')
    return ['trip', 'work', 'parent/inside', 'own', 'other'].filter((name) => new RegExp(`${join(folder, name)}$`, 'm').test(text))
  }
  const shows = async (server: ServerName, ...wanted: readonly string[]): Promise<void> => {
    while (String(await shown(server)) !== String(wanted));
  }
  return { host, inbox, shown, shows }
}

function configured(names: Readonly<Record<string, readonly string[]>>): ConfiguredRoots {
  return new Map(Object.entries(names).map(([server, paths]) => [server, paths.map((path) => ({ path: join(folder, path) }))]))
}
function listOf(names: Readonly<Record<string, readonly string[]>>, options: RootListOptions = {}): RootList {
  return new RootList({ configured: configured(names), ...options })
}

describe.each(['filesystem', 'everything'] as const)('server-%s shows every change', (name) => {
  test('of the config: a folder more, a folder less', async () => {
    const roots = listOf({ [name]: ['trip'] })
    const { shows } = await start([name], roots)

    await shows(name, 'trip')
    roots.update(configured({ [name]: ['trip', 'work'] }))
    await shows(name, 'trip', 'work')
    roots.update(configured({ [name]: ['work'] }))
    await shows(name, 'work')
  })

  test('on the disk: a folder that is deleted, one whose parent is renamed, one that appears', async () => {
    const { shows } = await start([name], listOf({ [name]: ['trip', 'work', 'parent/inside'] }))

    await shows(name, 'trip', 'work', 'parent/inside')
    rmSync(join(folder, 'trip'), { recursive: true })
    await shows(name, 'work', 'parent/inside')
    renameSync(join(folder, 'parent'), join(folder, 'moved'))
    await shows(name, 'work')
    renameSync(join(folder, 'moved'), join(folder, 'parent'))
    await shows(name, 'work', 'parent/inside')
  })

  test('on the disk: a folder that may not be read any more', async () => {
    // Root may read everything: here permissions bind it too.
    const real = openNodeDisk()
    const disk: Disk = { ...real, canRead: async (path, kind) => (statSync(path).mode & 0o400) !== 0 && real.canRead(path, kind) }
    const { shows } = await start([name], listOf({ [name]: ['trip', 'work'] }, { disk }))

    await shows(name, 'trip', 'work')
    chmodSync(join(folder, 'trip'), 0o000)
    await shows(name, 'work')
    chmodSync(join(folder, 'trip'), 0o700)
    await shows(name, 'trip', 'work')
  })

  test('of a person’s mind: what they grant after the server had to be answered, and what they take back', async () => {
    const roots = listOf({}, { patience: 1 })
    const { inbox, shows, shown } = await start([name], roots)
    const before = (await shown(name)).filter((one) => one !== 'own')
    const [review] = inbox.list()
    await inbox.decide(review!.id, { action: 'grant', roots: [{ path: join(folder, 'trip') }] }, 'a screen')
    await shows(name, 'trip')
    roots.update(configured({ [name]: ['work'] }))

    await shows(name, 'trip', 'work')
    expect(before).toEqual([])
  })
})

test('one server is given one folder, no other server gets it, and it is taken back', async () => {
  const roots = listOf({ everything: ['other'] })
  const { shows, shown } = await start(['filesystem', 'everything'], roots)
  roots.update(configured({ everything: ['other'], filesystem: ['trip', 'work'] }))
  await shows('filesystem', 'trip', 'work')
  const others = await shown('everything')
  roots.update(configured({ everything: ['other'], filesystem: ['work'] }))
  await shows('filesystem', 'work')

  expect([others, await shown('everything')]).toEqual([['other'], ['other']])
})

test('the last folder that is taken back is told as an empty list, though not every server forgets', async () => {
  const roots = listOf({ filesystem: ['trip'], everything: ['trip'] })
  const { host, shows, shown } = await start(['filesystem', 'everything'], roots)
  await shows('everything', 'trip')
  const told = new Promise<unknown>((resolve) =>
    host.on('input-answered', ({ server, response }) => server === 'filesystem' && response.outcome === 'answered' && resolve(response.result)),
  )
  const revoke = async (): Promise<number> => {
    const began = performance.now()
    roots.update(configured({}))
    await shows('everything')
    return performance.now() - began
  }
  const give = async (): Promise<void> => {
    roots.update(configured({ everything: ['trip'] }))
    await shows('everything', 'trip')
  }
  expect(await quickest(1000, revoke, give)).toBeLessThanOrEqual(1000)

  // Known of server-filesystem: it keeps what it had.
  expect([await told, await shown('filesystem')]).toEqual([{ roots: [] }, ['trip']])
})

test('a server that keeps what it had is told an empty folder before anybody answers, and lets go of it', async () => {
  const standIn = { path: join(folder, 'other'), make: () => Promise.resolve() }
  const roots = listOf({ filesystem: ['trip'] }, { standIn, patience: 1 })
  const { host, inbox, shows } = await start(['filesystem'], roots)
  writeFileSync(join(folder, 'trip', 'note.txt'), 'taken back')
  const read = async (): Promise<unknown> =>
    (await host.callTool({ server: 'filesystem', name: 'read_text_file', arguments: { path: join(folder, 'trip', 'note.txt') } }))['isError'] === true
  await shows('filesystem', 'trip')
  const before = await read()
  const asked = new Promise<string>((resolve) => inbox.on('review-opened', ({ id }) => resolve(id)))
  roots.update(configured({}))
  await shows('filesystem', 'other')
  const after = await read()
  await inbox.decide(await asked, { action: 'stand-in' }, 'a screen')
  const change = async (names: Readonly<Record<string, readonly string[]>>, ...wanted: readonly string[]): Promise<number> => {
    const began = performance.now()
    roots.update(configured(names))
    await shows('filesystem', ...wanted)
    return performance.now() - began
  }
  const give = (): Promise<number> => change({ filesystem: ['work'] }, 'work')
  await give()

  expect([before, after]).toEqual([false, true])
  // From then on without a question, as fast as any other change.
  expect(await quickest(1000, () => change({}, 'other'), give)).toBeLessThanOrEqual(1000)
})

test('a server that keeps what it had is started afresh where a person says so, and knows nothing of it any more', async () => {
  const roots = listOf({ filesystem: ['trip'] }, { patience: 1 })
  const { host, inbox, shows } = await start(['filesystem'], roots)
  await shows('filesystem', 'trip')
  const asked = new Promise<string>((resolve) => inbox.on('review-opened', ({ id }) => resolve(id)))
  roots.update(configured({}))
  const restarted = new Promise<void>((resolve) => host.on('server-status', ({ status }) => status.state === 'ready' && resolve()))
  await inbox.decide(await asked, { action: 'restart' }, 'a screen')
  await restarted

  // Told none, it goes on in the folder that its own command names.
  await shows('filesystem', 'own')
})

test('a server that never reads its list again gets what was granted late with a fresh start, where a person says so', async () => {
  const roots = listOf({ once: ['work'] }, { patience: 1 })
  const { host, inbox } = await startServers(
    [{ name: 'once', command: process.execPath, args: [join(import.meta.dirname, '../fixtures/reads-once.mjs')] }],
    roots,
  )
  const knows = async (): Promise<string> => JSON.stringify(await host.callTool({ server: 'once', name: 'folders' }))
  const asked = new Promise<string>((resolve) => inbox.on('review-opened', ({ id }) => resolve(id)))
  roots.update(configured({ once: ['work', 'trip'] }))
  const review = await asked
  const before = await knows()
  await inbox.decide(review, { action: 'restart' }, 'a screen')

  expect(before).not.toContain('trip')
  await expect.poll(knows, { timeout: 20_000 }).toContain('trip')
})

test('while a person still thinks, the server goes on with what it has, and is asked about once', async () => {
  const roots = listOf({}, { patience: 1 })
  const { host, inbox } = await start(['filesystem'], roots)
  writeFileSync(join(folder, 'own', 'note.txt'), 'still mine')
  const { content } = await host.callTool({ server: 'filesystem', name: 'read_text_file', arguments: { path: join(folder, 'own', 'note.txt') } })

  expect(content).toMatchObject([{ text: 'still mine' }])
  expect(inbox.list()).toMatchObject([{ kind: 'folders', origin: { server: { name: 'filesystem' } } }])
})
