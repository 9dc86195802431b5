import fc from 'fast-check'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeDisk, openNodeDisk, type Disk } from '../paths/index.ts'
import type { Reviewer, ServerIdentity } from '../protocol/index.ts'
import { readRootOption } from './root-entry.ts'
import { RootList, type ConfiguredRoots, type RootListOptions } from './root-list.ts'
import type { ServerRoots } from './server-roots.ts'

let folder = ''
const lists: RootList[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'root-list-')))
})
afterEach(() => {
  for (const list of lists.splice(0)) list.close()
  rmSync(folder, { recursive: true, force: true })
})

function listOf(options: RootListOptions = {}): RootList {
  const list = new RootList({ pollInterval: 5, debounce: 5, ...options })
  lists.push(list)
  return list
}
function serverNamed(name: string, named = true): ServerIdentity {
  return { name, named, target: { kind: 'custom', description: 'a test' } }
}
function configured(roots: Readonly<Record<string, readonly string[]>>): ConfiguredRoots {
  return new Map(Object.entries(roots).map(([server, paths]) => [server, paths.map((path) => ({ path }))]))
}
function make(...names: readonly string[]): readonly string[] {
  return names.map((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  })
}
async function namesOf(roots: ServerRoots): Promise<readonly string[]> {
  return (await roots.list()).map(({ uri }) => uri.slice(`file://${folder}/`.length))
}
function changeOf(roots: ServerRoots): Promise<void> {
  return new Promise((resolve) => {
    const stop = roots.on('changed', () => {
      stop()
      resolve()
    })
  })
}

test('a server is told its own folders and those of every server, never those of another', async () => {
  const [mine, all, other] = make('mine', 'all', 'other')
  const list = listOf({ configured: configured({ travel: [mine!], '*': [all!], notes: [other!] }) })

  expect(await namesOf(list.open(serverNamed('travel')))).toEqual(['mine', 'all'])
  expect(await namesOf(list.open(serverNamed('notes')))).toEqual(['other', 'all'])
})

test('a name that the user did not give matches nothing of the config', async () => {
  const [mine, all] = make('mine', 'all')
  const list = listOf({ configured: configured({ travel: [mine!], '*': [all!] }) })

  expect(await namesOf(list.open(serverNamed('travel', false)))).toEqual(['all'])
})

test.each(['__proto__', 'constructor', 'toString', '*'])('a server that is called %s gets what every server gets', async (name) => {
  const list = listOf({ configured: configured({ '*': make('all') }) })

  expect(await namesOf(list.open(serverNamed(name)))).toEqual(['all'])
})

test('a folder is told once, under the first of its names, and a single file is told as that file', async () => {
  make('real')
  symlinkSync('real', join(folder, 'link'))
  writeFileSync(join(folder, 'one.md'), '')
  const list = listOf({ configured: configured({ '*': ['real', 'link', 'one.md', 'real/../real'].map((name) => join(folder, name)) }) })

  expect(await namesOf(list.open(serverNamed('any'), { given: [{ path: join(folder, 'link') }] }))).toEqual(['link', 'one.md'])
})

test('names, "~" and special letters come out as the protocol wants them', async () => {
  make('a b#c')
  const list = listOf({ home: folder, configured: new Map([['*', [{ path: '~/a b#c', name: 'Mine' }]]]) })
  const roots = list.open(serverNamed('any'))

  expect(await roots.list()).toEqual([{ uri: `file://${folder}/a%20b%23c`, name: 'Mine' }])
  expect(await roots.states()).toEqual([{ path: '~/a b#c', name: 'Mine', status: 'ok', uri: `file://${folder}/a%20b%23c` }])
})

test('a folder that is absent stops nothing, is reported, and is told as soon as it appears', async () => {
  make('here')
  const reports: string[] = []
  const list = listOf({ report: ({ path, status }) => reports.push(`${path.slice(folder.length + 1)} ${status}`) })
  const roots = list.open(serverNamed('any'), { given: ['here', 'later'].map((name) => ({ path: join(folder, name) })) })
  const before = await namesOf(roots)
  const changed = changeOf(roots)

  make('later')
  await changed

  expect([before, await namesOf(roots), reports]).toEqual([['here'], ['here', 'later'], ['later missing', 'later ok']])
})

test('a folder that is deleted, or whose parent is renamed, is told no longer', async () => {
  const [inside, gone] = make('parent/inside', 'gone')
  const roots = listOf().open(serverNamed('any'), { given: [{ path: inside! }, { path: gone! }] })
  const before = await namesOf(roots)

  const afterRename = changeOf(roots)
  renameSync(join(folder, 'parent'), join(folder, 'moved'))
  await afterRename
  const between = await namesOf(roots)
  const afterDeletion = changeOf(roots)
  rmSync(gone!, { recursive: true })
  await afterDeletion

  expect([before, between, await namesOf(roots)]).toEqual([['parent/inside', 'gone'], ['gone'], []])
})

test('what takes the place of a consented folder is not told: neither a link nor another folder', async () => {
  const [consented, other] = make('consented', 'other')
  const roots = listOf().open(serverNamed('any'), { given: [{ path: consented! }] })
  await roots.list()

  renameSync(consented!, join(folder, 'kept'))
  symlinkSync('other', consented!)
  const asLink = await roots.states()
  rmSync(consented!)
  renameSync(other!, consented!)
  const asFolder = await roots.states()
  rmSync(consented!, { recursive: true })
  renameSync(join(folder, 'kept'), consented!)

  expect([asLink[0]!.status, asFolder[0]!.status, await namesOf(roots)]).toEqual(['replaced', 'replaced', ['consented']])
})

test('a file that an editor saves by putting a new one in its place is told on; a link, a folder, or a file of another folder in its place is not', async () => {
  const [inside] = make('notes')
  const file = join(inside!, 'one.md')
  const put = (path: string): void => {
    writeFileSync(`${path}.new`, 'text')
    renameSync(`${path}.new`, path)
  }
  put(file)
  const roots = listOf().open(serverNamed('any'), { given: [{ path: file }] })
  const statuses: string[] = []
  const look = async (): Promise<unknown> => statuses.push((await roots.states())[0]!.status)
  await look()
  put(file)
  await look()
  rmSync(file)
  writeFileSync(join(folder, 'secret'), '')
  symlinkSync(join(folder, 'secret'), file)
  await look()
  rmSync(file)
  mkdirSync(file)
  await look()
  rmSync(file, { recursive: true })
  put(file)
  await look()
  renameSync(inside!, join(folder, 'kept'))
  make('notes')
  put(file)
  await look()

  expect(statuses).toEqual(['ok', 'ok', 'replaced', 'replaced', 'ok', 'replaced'])
})

test('taking a replaced folder out of the config and putting it back consents to what lies there now', async () => {
  const [consented] = make('consented')
  const list = listOf({ configured: configured({ '*': [consented!] }) })
  const roots = list.open(serverNamed('any'))
  await roots.list()
  renameSync(consented!, join(folder, 'kept'))
  make('consented')

  const before = await namesOf(roots)
  list.update(configured({}))
  list.update(configured({ '*': [consented!] }))

  expect([before, await namesOf(roots)]).toEqual([[], ['consented']])
})

test('an edit of the config reaches exactly the servers whose list it changes, once', async () => {
  const [one, two] = make('one', 'two')
  const list = listOf({ configured: configured({ travel: [one!] }), pollInterval: 10_000 })
  const [travel, notes] = [list.open(serverNamed('travel')), list.open(serverNamed('notes'))]
  await Promise.all([travel.list(), notes.list()])
  const heard: string[] = []
  travel.on('changed', () => heard.push('travel'))
  notes.on('changed', () => heard.push('notes'))

  const changed = changeOf(travel)
  list.update(configured({ travel: [one!, two!] }))
  list.update(configured({ travel: [two!] }))
  await changed
  const renamed = changeOf(travel)
  list.update(new Map([['travel', [{ path: two!, name: 'Second' }]]]))
  await renamed

  expect([heard, await travel.list(), await notes.list()]).toEqual([['travel', 'travel'], [{ uri: `file://${two}`, name: 'Second' }], []])
})

test('a folder that may not be read is flagged, one on a drive that hangs is unreachable, and the rest is told', async () => {
  const [fine, locked, hanging] = make('fine', 'locked', 'hanging')
  const real = openNodeDisk()
  const disk: Disk = {
    ...real,
    canRead: (path, kind) => (path === locked ? Promise.resolve(false) : real.canRead(path, kind)),
    inspect: (path) => (path === hanging ? Promise.resolve({ kind: 'unreachable' }) : real.inspect(path)),
  }
  const roots = listOf({ disk }).open(serverNamed('any'), { given: [fine, locked, hanging].map((path) => ({ path: path! })) })

  expect((await roots.states()).map(({ status }) => status)).toEqual(['ok', 'denied', 'unreachable'])
  expect(await namesOf(roots)).toEqual(['fine'])
})

test('on Windows the whole name of an abbreviated folder is told', async () => {
  const disk = describeDisk({ dirs: ['C:\\Program Files\\x'], short: { 'C:\\PROGRA~1': 'C:\\Program Files' } }, { platform: 'win32' })
  const roots = listOf({ disk }).open(serverNamed('any'), { given: [{ path: 'c:\\progra~1\\x' }] })

  expect(await roots.list()).toEqual([{ uri: 'file:///C:/Program%20Files/x' }])
})

test('a list with bad entries loses those only', async () => {
  const [fine] = make('fine')
  const bad = fc
    .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '/', 'relative', '/a\0b', '/\ud800', 'http://h/x', join('/none', 'x')))
    .filter((path) => !/^\/+[^/]/.test(path) || path.startsWith('/none'))

  await fc.assert(
    fc.asyncProperty(fc.array(bad, { maxLength: 4 }), fc.array(bad, { maxLength: 4 }), async (before, after) => {
      const list = listOf({ configured: configured({ '*': [...before, fine!, ...after] }) })
      const roots = list.open(serverNamed('any'))

      expect(await namesOf(roots)).toEqual(['fine'])
      roots.close()
    }),
    { numRuns: 50 },
  )
})

test('what is given on the command line and can be no folder is refused by name', () => {
  const list = listOf()

  expect(() => list.open(serverNamed('any'), { given: [{ path: '/' }] })).toThrow(expect.objectContaining({ code: 'ROOT_INVALID' }))
})

const nobodyThere: Reviewer = { canReview: () => false, review: () => Promise.resolve({ outcome: 'nobody' }) }

test('a server that has just got the new list is not told that its list has changed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const disk = describeDisk({ dirs: ['/w/one', '/w/two'] }, { platform: 'posix' })
  const list = new RootList({ disk })
  const roots = list.open(serverNamed('travel'))
  let heard = 0
  roots.on('changed', () => (heard += 1))
  const reader = { origin: { server: serverNamed('travel'), connection: 'c', era: 'legacy', revision: '2025-11-25' }, reviewer: nobodyThere } as const
  await roots.tell(reader)
  list.update(configured({ travel: ['/w/one'] }))
  await roots.tell(reader)
  vi.advanceTimersByTime(100)
  const before = heard
  list.update(configured({ travel: ['/w/two'] }))
  await roots.list()
  vi.advanceTimersByTime(100)
  list.close()
  vi.useRealTimers()

  expect([before, heard]).toEqual([0, 1])
})

test('closing twice is safe, and nothing is announced any more', async () => {
  const list = listOf()
  const roots = list.open(serverNamed('any'), { given: [{ path: join(folder, 'later') }] })
  await roots.list()
  const heard: string[] = []
  roots.on('changed', () => heard.push('changed'))

  roots.close()
  roots.close()
  list.close()
  make('later')

  expect([await namesOf(roots), heard]).toEqual([['later'], []])
})

test.each([
  ['sub/deep', '/w/sub/deep'],
  ['.', '/w'],
  ['../x', '/x'],
  ['~/a', '/home/u/a'],
  ['~eve', '/w/~eve'],
  ['/a b', '/a b'],
  ['file:///a%20b', '/a b'],
  ['FILE://localhost/a/', '/a'],
])('--root %s stands for %s', (text, path) => {
  expect(readRootOption(text, { platform: 'posix', cwd: '/w', home: '/home/u' })).toEqual({ path })
})

test.each(['', '/', 'file:rel', 'file:///a/../b', 'file:///w/c#', 'http://h/x', 'vscode-remote://wsl%2Bubuntu/p', 'a\0b', '\tfile:///a'])(
  '--root %j is refused with a reason',
  (text) => {
    expect(() => readRootOption(text, { platform: 'posix', cwd: '/w', home: '/home/u' })).toThrow(expect.objectContaining({ code: 'ROOT_INVALID' }))
  },
)

test('where hundreds of servers come at once, each folder is looked at for all of them together, and all hear of a change', async () => {
  let looks = 0
  let isGone = false
  const real = describeDisk({ dirs: Array.from({ length: 60 }, (_, index) => `/w/${index}`) }, { platform: 'posix' })
  const inspect: Disk['inspect'] = async (path) => {
    looks += 1
    return isGone && path === '/w/7' ? { kind: 'missing' } : real.inspect(path)
  }
  const entries = Array.from({ length: 60 }, (_, index) => ({ path: `/w/${index}` }))
  const list = new RootList({ configured: new Map([['*', entries]]), disk: { ...real, inspect }, pollInterval: 500 })
  const open = Array.from({ length: 300 }, (_, index) => list.open(serverNamed(`server ${index}`)))
  const lists = await Promise.all(open.map((roots) => roots.list()))
  const first = looks
  const heard = Promise.all(open.map((roots) => new Promise<void>((resolve) => roots.on('changed', resolve))))
  isGone = true
  await heard

  expect([lists.every(({ length }) => length === 60), (await open[299]!.list()).length]).toEqual([true, 59])
  expect(first).toBeLessThan(60 * 20)
  list.close()
})

test('where many servers may know many folders, a look that finds nothing new puts nothing together anew, and one that does is heard by all', async () => {
  const disk = describeDisk({ dirs: Array.from({ length: 200 }, (_, index) => `/w/${index}`) }, { platform: 'posix' })
  let mapped = 0
  const list = listOf({ disk, pollInterval: 60_000, configured: configured({ '*': Array.from({ length: 200 }, (_, index) => `/w/${index}`) }) })
  const mappings = [{ path: '/w', uri: 'file:///there' }]
  const opened = Array.from({ length: 50 }, (_, index) => list.open(serverNamed(`s${index}`), { mappings: () => ((mapped += 1), mappings) }))
  await Promise.all(opened.map((roots) => roots.refresh()))
  mapped = 0
  await Promise.all(opened.map((roots) => roots.refresh(60_000)))
  const looked = mapped
  const heard = Promise.all(opened.map(changeOf))
  list.update(configured({ '*': Array.from({ length: 199 }, (_, index) => `/w/${index}`) }))
  await heard

  // Once to see that nothing is new, and not once for each folder.
  expect(looked).toBe(50)
  expect(await opened[0]!.list()).toHaveLength(199)
})

test('of a folder that the program made itself there is nothing to mind, wherever it lies, and "~" is the home folder all the same', async () => {
  const disk = describeDisk({ dirs: ['/home/u/.consentry/demo/workspace/trips', '/home/u/.consentry/state'] }, { platform: 'posix' })
  const list = listOf({ disk, home: '/home/u', state: '/home/u/.consentry', own: '/home/u/.consentry/demo/workspace' })
  const judged = ['/home/u/.consentry/demo/workspace/trips', '~', '/home/u/.consentry/state'].map((path) => list.judge({ path, status: 'ok' }))

  expect((await Promise.all(judged)).map(({ level, concern }) => [level, concern])).toEqual([
    ['ok', undefined],
    ['confirm', 'home'],
    [expect.not.stringMatching('ok'), expect.any(String)],
  ])
})
