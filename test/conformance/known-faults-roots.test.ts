import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toldApp } from '../fixtures/kept-folders.ts'
import { describeDisk, openNodeDisk, readRootUri, type Disk } from '../../src/paths/index.ts'
import type { ServerIdentity } from '../../src/protocol/index.ts'
import { RootList, type RootEntry, type RootListOptions } from '../../src/roots/index.ts'

const stdio: ServerIdentity = { name: 'app', named: true, target: { kind: 'stdio', command: 'node', args: ['app.js'] } }
const http: ServerIdentity = { name: 'app', named: true, target: { kind: 'http', url: 'https://app.example/mcp' } }
const entriesOf = (...paths: readonly string[]): readonly RootEntry[] => paths.map((path) => ({ path }))

async function urisOf(entries: readonly RootEntry[], { disk }: Pick<RootListOptions, 'disk'>, server = stdio, mappings: Record<string, string> = {}) {
  const list = new RootList({ configured: new Map([['app', entries]]), disk })
  const roots = list.open(server, { mappings: () => Object.entries(mappings).map(([path, uri]) => ({ path, uri })) })
  const uris = (await roots.list()).map(({ uri }) => uri)
  list.close()
  return uris
}

test('B08: three spellings of one Windows folder are one root, told once, in its canonical form', async () => {
  const disk = describeDisk({ dirs: ['C:\\temp'] }, { platform: 'win32' })
  const readings = ['file:///c%3A/temp', 'file:///C:/temp/', 'file:///c:/temp'].map((uri) => readRootUri(uri, 'win32'))
  const paths = readings.map((reading) => (reading.ok ? reading.path : reading.reason))

  expect(readings.map((reading) => reading.ok && reading.uri)).toEqual(['file:///C:/temp', 'file:///C:/temp', 'file:///C:/temp'])
  expect(await urisOf(entriesOf(...paths), { disk })).toEqual(['file:///C:/temp'])
})

test('B20: what is no file:// URI and no folder is left out by itself, and the rest is told', async () => {
  const disk = describeDisk({ dirs: ['/home/u/ok'] }, { platform: 'posix' })
  const entries = entriesOf('vscode-remote://wsl%2Bubuntu/home/u/p', 'untitled:1', '/home/u/ok')

  expect(await urisOf(entries, { disk })).toEqual(['file:///home/u/ok'])
})

test('B52: special letters are encoded once; a bare path and an unencoded URI are refused with a reason, and never cut', async () => {
  const paths = ['/w/Program Files', '/w/c#', '/w/a?b', '/w/100%', '/w/x%20y', '/w/ü']
  const uris = await urisOf(entriesOf(...paths), { disk: describeDisk({ dirs: paths }, { platform: 'posix' }) })
  const back = uris.map((uri) => readRootUri(uri, 'posix')).map((reading) => reading.ok && reading.path)

  expect(uris).toEqual(['Program%20Files', 'c%23', 'a%3Fb', '100%25', 'x%2520y', '%C3%BC'].map((name) => `file:///w/${name}`))
  expect(back).toEqual(paths)
  expect(['/home/u/p', 'file:///w/c#'].map((uri) => readRootUri(uri, 'posix').ok)).toEqual([false, false])
})

test('B77: a server in a container is told its own name of a folder, the longest mapping wins; one at an address nothing without a mapping', async () => {
  const disk = describeDisk({ dirs: ['C:\\projects\\app', 'C:\\projects\\data'] }, { platform: 'win32' })
  const entries = entriesOf('C:\\projects\\app', 'C:\\projects\\data')
  const mappings = { 'C:\\projects': 'file:///workspace', 'C:\\projects\\data': 'file:///mnt/data' }

  expect(await urisOf(entries, { disk }, stdio, mappings)).toEqual(['file:///workspace/app', 'file:///mnt/data'])
  expect([await urisOf(entries, { disk }, http), await urisOf(entries, { disk }, http, mappings)]).toEqual([[], ['file:///workspace/app', 'file:///mnt/data']])
})

test('B55: a root that is gone, unreadable or replaced is left out with its status, told in one change, keeps no other back, and comes back; a file is that one file', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'known-roots-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const at = (name: string): string => join(base, name)
  for (const folder of ['ok', 'usb', 'p', 'rest']) mkdirSync(at(folder))
  writeFileSync(at('one.txt'), 'one')
  // Root may read everything: here permissions bind it too.
  const real = openNodeDisk()
  const disk: Disk = { ...real, canRead: async (path, kind) => (statSync(path).mode & 0o400) !== 0 && real.canRead(path, kind) }
  const list = new RootList({ configured: new Map([['app', entriesOf(...['ok', 'usb', 'p', 'rest', 'one.txt'].map(at))]]), disk, pollInterval: 60_000 })
  onTestFinished(() => list.close())
  const roots = list.open(stdio)
  const names = async (): Promise<readonly string[]> => (await roots.list()).map(({ uri }) => uri.slice(uri.lastIndexOf('/') + 1))
  const nextChange = (): Promise<void> => new Promise((resolve) => roots.on('changed', () => resolve()))
  let changes = 0
  roots.on('changed', () => (changes += 1))
  const before = await names()
  const gone = nextChange()
  renameSync(at('usb'), at('unplugged'))
  // Another folder must not get its inode.
  renameSync(at('ok'), at('moved'))
  symlinkSync('/etc', at('ok'))
  chmodSync(at('p'), 0o000)
  await roots.refresh()
  await gone
  const during = await names()
  const states = (await roots.states()).map(({ status }) => status)
  const back = nextChange()
  renameSync(at('unplugged'), at('usb'))
  await roots.refresh()
  await back

  expect([before, during, await names()]).toEqual([
    ['ok', 'usb', 'p', 'rest', 'one.txt'],
    ['rest', 'one.txt'],
    ['usb', 'rest', 'one.txt'],
  ])
  expect([states, changes]).toEqual([['replaced', 'missing', 'denied', 'ok', 'ok'], 2])
})

test('B56: a last folder that is taken back is an empty list, then an empty folder, and it is said that the server may keep what it knew', async () => {
  const { read, configure, reports, asked, list } = await toldApp(undefined)
  await configure()
  const lists = [await read(), await read()]
  list.close()

  expect(lists).toEqual([[], ['file:///s/nothing']])
  expect([reports, asked]).toEqual([
    ['none-told stand-in asked file:///w/app'],
    [{ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }],
  ])
})
