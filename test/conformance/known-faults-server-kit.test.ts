import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../../src/errors.ts'
import { describeDisk, judgePath, readRootUri, type DescribedTree, type DescribedVolume, type Operation } from '../../src/paths/index.ts'
import { createRootGuard, type RootGuard } from '../../src/server-kit/index.ts'

/*
 * Faults of file servers, each as a kind, at the kit that authors use or at the rule under it, which decides for any disk on any machine.
 * Who is asked when, and what an empty list or an error means (B14, B56), is in `src/server-kit/root-guard.test.ts`, for both versions of the SDK and both eras;
 * what is swapped while it is used (B50), over thousands of rounds, in `src/server-kit/race.test.ts`.
 */

let base = ''
const at = (...names: readonly string[]): string => join(base, ...names)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'known-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['r', 'outside']) mkdirSync(at(folder))
  writeFileSync(at('outside/secret'), 'outside')
})

function guardOf(...folders: readonly string[]): RootGuard {
  const guard = createRootGuard(undefined, { folders: folders.map((folder) => at(folder)) })
  onTestFinished(() => guard.close())
  return guard
}

/** Where it ends, this test's folder left out; or why it is refused. */
async function end(action: Promise<{ readonly path: string } | { readonly to: string }>): Promise<string> {
  try {
    const result = await action
    return ('path' in result ? result.path : result.to).replace(base, '')
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    return String(error.data?.['reason'])
  }
}

interface Judging extends DescribedVolume {
  readonly roots: readonly string[]
  readonly operation?: Operation | undefined
  readonly tree?: DescribedTree | undefined
}

async function judge(paths: readonly string[], { roots, operation = 'create', tree = { dirs: roots }, ...volume }: Judging): Promise<readonly string[]> {
  const disk = describeDisk(tree, volume)
  return Promise.all(paths.map(async (path) => (await judgePath({ roots: roots.map((root) => ({ path: root })), path, operation }, disk)).verdict))
}

test('B07: what lies behind a link that leads out is not read, written, listed or moved to, and the refusal names the root alone', async () => {
  symlinkSync(at('outside'), at('r/out'))
  symlinkSync('a', at('r/in'))
  writeFileSync(at('r/a'), 'inside')
  const guard = guardOf('r')
  const [read, write, list, move] = [
    guard.readFile(at('r/out/secret')),
    guard.writeFile(at('r/out/new'), 'x'),
    guard.list(at('r/out')),
    guard.rename(at('r/a'), at('r/out/a')),
  ]
  const refused = await Promise.all([read, write, list, move].map((action) => action.catch((error: unknown) => error as ConsentryError)))

  expect(refused.map((error) => error instanceof ConsentryError && [error.data?.['reason'], error.message.includes(at('outside'))])).toEqual(
    Array.from({ length: 4 }, () => ['outside', false]),
  )
  expect([(await guard.readFile(at('r/in'))).text, readdirSync(at('outside'))]).toEqual(['inside', ['secret']])
})

test.each(['', '/'])('B19: a name that begins like a root is none of it, with the roots written with %j behind', async (slash) => {
  const roots = ['/srv/share', '/a/b'].map((root) => root + slash)
  const paths = ['/srv/share-secret/x', '/srv/shares', '/srv/share.bak/x', '/a/bc', '/a/b', '/a/b/', '/a/b/..c/d', '/a/b/../bc/x']

  expect(await judge(paths, { platform: 'posix', roots })).toEqual(['deny', 'deny', 'deny', 'deny', 'allow', 'allow', 'allow', 'deny'])
})

test('B46: upper and lower case are the same where the disk says so, and only there', async () => {
  const onWindows = await judge(['C:\\source\\x', 'C:\\SOURCE\\x', 'c:\\source\\x'], { platform: 'win32', roots: ['c:\\source'] })
  const onLinux = await judge(['/W/x', '/w/x'], { platform: 'posix', roots: ['/w'] })
  const onMac = await judge(['/W/x'], { platform: 'posix', roots: ['/w'], volume: { caseInsensitive: true } })

  expect([onWindows, onLinux, onMac]).toEqual([['allow', 'allow', 'allow'], ['deny', 'allow'], ['allow']])
})

test('B47: children of a share are in it, however it is spelled, and no other share is; off Windows a share is no root', async () => {
  const paths = ['\\\\srv\\share\\sub', '\\\\SRV\\Share\\sub', 'Y:\\sub', '\\\\srv\\share2\\x', '\\\\?\\UNC\\srv\\share\\sub']
  const tree = { dirs: ['\\\\srv\\share\\sub'], links: { 'Y:\\': '\\\\srv\\share' } }
  const here = readRootUri('file://srv/share', 'posix')
  const there = readRootUri('file://srv/share', 'win32')

  expect(await judge(paths, { platform: 'win32', roots: ['\\\\srv\\share'], tree })).toEqual(['allow', 'allow', 'allow', 'deny', 'allow'])
  expect([there.ok, here.ok, here.ok ? '' : here.reason.length > 0]).toEqual([true, false, true])
})

test('B49: a link to nothing is not written through, and folders are not made behind a link', async () => {
  symlinkSync(at('outside/new.txt'), at('r/dang'))
  symlinkSync(at('outside'), at('r/d'))
  const guard = guardOf('r')
  const ends = [
    guard.writeFile(at('r/dang'), 'x'),
    guard.create(at('r/dang')),
    guard.create(at('r/d/a/b/c'), { parents: true }),
    guard.writeFile(at('r/d/a/b/c'), 'x', { parents: true }),
  ].map(end)

  expect(await Promise.all(ends)).toEqual(['outside', 'outside', 'outside', 'outside'])
  expect([readdirSync(at('outside')), readdirSync(at('r')).toSorted()]).toEqual([['secret'], ['d', 'dang']])
})

test('B50: whatever was planted where a draft could lie is left alone, and no draft stays', async () => {
  writeFileSync(at('r/f'), 'old')
  const planted = ['f.tmp', '.f.tmp', 'f~', '.f.swp', '.consentry-', '.consentry-0']
  for (const name of planted) symlinkSync(at('outside/secret'), at('r', name))
  await guardOf('r').writeFile(at('r/f'), 'new')

  expect([readFileSync(at('r/f'), 'utf8'), readFileSync(at('outside/secret'), 'utf8'), readdirSync(at('r')).toSorted()]).toEqual([
    'new',
    'outside',
    ['f', ...planted].toSorted(),
  ])
})

test('B53: two spellings of a letter are one folder where the disk says so, two on Linux, and no letter of a name is ever changed', async () => {
  const composed = '/w/\u30b8'
  const decomposed = '/w/\u30b7\u3099'
  const screenshot = 'Screenshot 9.41.12\u202fPM.png'
  const onMac = { platform: 'posix', roots: [composed], volume: { normalizationInsensitive: true } } as const
  const onLinux = { platform: 'posix', roots: [composed], tree: { dirs: [composed, decomposed] } } as const
  await guardOf('r').writeFile(at('r', screenshot), 'x')

  expect([await judge([`${decomposed}/x`], onMac), await judge([`${decomposed}/x`, `${composed}/x`], onLinux)]).toEqual([['allow'], ['deny', 'allow']])
  expect(readdirSync(at('r'))).toEqual([screenshot])
})

test('B55: a root that is gone, or is a link by now, keeps no other back, and a root that is a file is that one file', async () => {
  for (const folder of ['ok', 'usb']) mkdirSync(at(folder))
  writeFileSync(at('one.txt'), 'one')
  writeFileSync(at('other.txt'), 'other')
  const guard = guardOf('ok', 'usb', 'r', 'one.txt')
  await guard.roots()
  rmSync(at('usb'), { recursive: true })
  rmSync(at('ok'), { recursive: true })
  symlinkSync(at('outside'), at('ok'))

  const paths = ['usb/x', 'ok/secret', 'outside/secret', 'one.txt', 'other.txt'].map((path) => end(guard.readFile(at(path))))
  expect(await Promise.all([...paths, end(guard.writeFile(at('r/new'), 'x'))])).toEqual(['gone', 'gone', 'outside', '/one.txt', 'outside', '/r/new'])
})

test('B55: where no granted folder is there, that is what is said, and not that none was granted', async () => {
  const guard = guardOf('later')
  const before = await end(guard.stat(at('later')))
  mkdirSync(at('later'))

  expect([before, await end(guard.stat(at('later')))]).toEqual(['gone', '/later'])
})

test('B56: an empty list is an answer and an error is none: what was granted before is not granted any more', async () => {
  let answer: () => Promise<unknown> = () => Promise.resolve({ roots: [{ uri: `file://${at('r')}` }] })
  let changed = (): void => undefined
  const guard = createRootGuard({
    era: () => 'legacy',
    supportsRoots: () => true,
    listRoots: () => answer(),
    onRootsChanged: (listener) => {
      changed = listener
      return () => undefined
    },
  })
  const look = (): Promise<string> => end(guard.stat(at('r')))
  const before = await look()
  answer = () => Promise.resolve({ roots: [] })
  changed()
  const emptied = await look()
  answer = () => Promise.reject(new Error('-32603'))
  changed()

  expect([before, emptied, await look()]).toEqual(['/r', 'none', 'unanswered'])
  guard.close()
})

test('B79: a relative path belongs to a root and never to the current folder; what could mean two things is told with both', async () => {
  for (const folder of ['a', 'b']) mkdirSync(at(folder))
  writeFileSync(at('b/only.md'), '')
  for (const folder of ['a', 'b']) writeFileSync(at(folder, 'both.md'), '')
  const guard = guardOf('a', 'b')
  const both = await guard.resolve('both.md').catch((error: unknown) => (error instanceof ConsentryError ? error.message : error))
  const here = readdirSync('.').find((name) => !name.startsWith('.'))!
  const paths = ['only.md', 'new.md', here, '~/x', '~other/x', ''].map((path) => end(guard.resolve(path)))

  expect([existsSync(here), both]).toEqual([true, expect.stringContaining(`${at('a/both.md')}, ${at('b/both.md')}`)])
  expect(await Promise.all(paths)).toEqual(['/b/only.md', 'ambiguous', 'ambiguous', 'not-a-path', 'not-a-path', 'not-a-path'])
  expect(await Promise.all(['new.md', './../a/x'].map((path) => end(guardOf('a').resolve(path))))).toEqual(['/a/new.md', '/a/x'])
  // From both it is the same place; one that is reached behind a link is not.
  symlinkSync(at('b'), at('a/link'))
  const up = ['./../a/x', '../b/only.md', '../outside', 'link/../only.md', '../a/../a/x'].map((path) => end(guard.resolve(path)))
  expect(await Promise.all(up)).toEqual(['/a/x', '/b/only.md', 'outside', 'ambiguous', 'ambiguous'])
})

test('B80: names that reach something else than they say on Windows are refused by their text; a long form is the path that it is', async () => {
  const paths = [
    'C:\\a\\f.txt:h.exe',
    'C:\\a\\f.txt::$DATA',
    'C:\\a\\CON',
    'C:\\a\\f.txt.',
    'C:\\a\\f.txt ',
    '\\\\?\\C:\\a\\x',
    '\\\\.\\PhysicalDrive0',
    'C:\\A~1\\x',
    'C:\\B~1\\x',
    'C:a\\x',
  ]
  const tree = { dirs: ['C:\\a', 'C:\\b'], files: ['C:\\a\\f.txt'], short: { 'C:\\A~1': 'C:\\a', 'C:\\B~1': 'C:\\b' } }

  expect(await judge(paths, { platform: 'win32', roots: ['C:\\a'], tree })).toEqual([
    ...Array<string>(5).fill('deny'),
    'allow',
    'deny',
    'allow',
    'deny',
    'deny',
  ])
})
