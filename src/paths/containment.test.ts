import fc from 'fast-check'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgePath, type GrantedRoot, type Operation } from './containment.ts'
import { describeDisk } from './described-disk.ts'
import type { DescribedTree, DescribedVolume } from './described-tree.ts'
import { openNodeDisk } from './node-disk.ts'

const tree: DescribedTree = {
  dirs: ['/r/a', '/outside/deep', '/w/b', '/rest'],
  files: ['/r/a/f.txt', '/r/f.txt', '/r/~$x.docx', '/outside/secret.txt', '/w/b/only.md', '/w/a/both.md', '/w/b/both.md', '/r/one.md'],
  links: {
    '/r/out': '/outside/deep',
    '/r/file-out': '/outside/secret.txt',
    '/r/in': 'a',
    '/r/up': '..',
    '/r/dangling': '/r/none.txt',
    '/r/dangling-out': '/outside/none.txt',
    '/r/ring': 'ring',
    '/r/proc': '/proc/self/root',
    '/link': '/r',
  },
}

async function judge(path: string, operation: Operation = 'read', roots: readonly string[] = ['/r']): Promise<string> {
  const verdict = await judgePath({ roots: roots.map((root) => ({ path: root })), path, operation }, describeDisk(tree, { platform: 'posix' }))
  return verdict.verdict === 'allow' ? verdict.place : verdict.denial
}

test.each([
  ['/r', '/r'],
  ['/r/', '/r'],
  ['//r//a/./f.txt', '/r/a/f.txt'],
  ['/r/none/below', '/r/none/below'],
  ['/r/../r/f.txt', '/r/f.txt'],
  ['/r/..r', '/r/..r'],
  ['/r/in/../f.txt', '/r/f.txt'],
  ['/r/up/r/f.txt', '/r/f.txt'],
  ['/link/f.txt', '/r/f.txt'],
  ['/r/dangling', '/r/none.txt'],
  ['f.txt', '/r/f.txt'],
  ['.', '/r'],
  ['~$x.docx', '/r/~$x.docx'],
  ['/', 'outside'],
  ['/rest', 'outside'],
  ['/r/..', 'outside'],
  ['/r/../outside/secret.txt', 'outside'],
  ['/r/out/secret.txt', 'outside'],
  ['/r/out/../f.txt', 'outside'],
  ['/r/file-out', 'outside'],
  ['/r/dangling-out', 'outside'],
  ['/r/proc/etc', 'outside'],
  ['../outside/secret.txt', 'outside'],
  ['/r/f.txt/below', 'unreadable'],
  ['/r/ring', 'unreadable'],
  ['', 'not-a-path'],
  ['/r/f.txt\0.png', 'not-a-path'],
  ['/r/\ud83d', 'not-a-path'],
  ['~', 'not-a-path'],
  ['~/x', 'not-a-path'],
  ['~root/x', 'not-a-path'],
  ['file:///r/f.txt', 'not-a-path'],
  [`/r/${'n'.repeat(256)}`, 'too-long'],
  [`/r${'/ü'.repeat(1400)}`, 'too-long'],
])('reading %j in the root /r ends at %j', async (path, expected) => {
  expect(await judge(path)).toBe(expected)
})

test('writing through a link to nothing is denied, wherever it points', async () => {
  expect(await Promise.all(['/r/dangling', '/r/dangling-out'].map((path) => judge(path, 'create')))).toEqual(['dangling-link', 'outside'])
  expect(await judge('/r/dangling', 'write')).toBe('dangling-link')
})

test('a denial never tells whether something is there outside', async () => {
  const reasons = await Promise.all(
    [
      '/outside/secret.txt',
      '/outside/none',
      '/outside/secret.txt/below',
      '/r/file-out',
      '/r/dangling-out',
      '/r/out/none',
      '/r/up/outside/secret.txt/x',
    ].flatMap((path) => [judge(path), judge(path, 'create')]),
  )

  expect(new Set(reasons)).toEqual(new Set(['outside']))
})

test('a relative path belongs to the one root in which it is there', async () => {
  const roots = ['/w/a', '/w/b']

  const ends = await Promise.all(['only.md', 'both.md', 'new.md', '../a/both.md', '../../outside/secret.txt'].map((path) => judge(path, 'read', roots)))

  expect(ends).toEqual(['/w/b/only.md', 'ambiguous', 'ambiguous', 'ambiguous', 'ambiguous'])
})

test('a root that is a file grants that file, and roots that are not there grant nothing', async () => {
  expect(await judge('/r/one.md', 'read', ['/r/one.md'])).toBe('/r/one.md')
  expect(await judge('/r/f.txt', 'read', ['/r/one.md'])).toBe('outside')
  expect(await judge('/r/f.txt', 'read', ['/gone', 'r', '/r'])).toBe('/r/f.txt')
  expect(await judge('/gone/x', 'create', ['/gone'])).toBe('no-roots')
  expect(await judge('/proc/1/environ', 'read', ['/', '/proc'])).toBe('outside')
  expect(await judge('/outside/secret.txt', 'read', ['/'])).toBe('/outside/secret.txt')
})

test('a root is the place that it was when it was granted', async () => {
  const moved = async (path: string, root: GrantedRoot): Promise<string> =>
    (await judgePath({ roots: [root], path, operation: 'read' }, describeDisk(tree, { platform: 'posix' }))).verdict

  expect(await moved('/link/f.txt', { path: '/link', granted: '/r' })).toBe('allow')
  expect(await moved('/link/f.txt', { path: '/link', granted: '/w/a' })).toBe('deny')
  expect(await moved('/r/f.txt', { path: '/link', granted: '/link' })).toBe('deny')
})

test.each([
  ['C:\\a\\F.TXT', 'allow'],
  ['c:/A/sub/../f.txt', 'allow'],
  ['\\\\?\\C:\\a\\new', 'allow'],
  ['C:\\a\\PROGRA~1\\x', 'allow'],
  ['Y:\\x', 'allow'],
  ['\\\\SRV\\Share\\sub', 'allow'],
  ['\\\\?\\UNC\\srv\\share\\sub', 'allow'],
  ['sub\\new.txt', 'deny'],
  ['C:\\ab', 'deny'],
  ['C:\\a\\..\\ab', 'deny'],
  ['C:\\OTHER~1\\x', 'deny'],
  ['D:\\a', 'deny'],
  ['\\\\srv\\share2\\x', 'deny'],
  ['\\\\evil\\share\\x', 'deny'],
  ['C:a', 'deny'],
  ['\\a\\f.txt', 'deny'],
  ['C:\\a\\f.txt:h.exe', 'deny'],
  ['C:\\a\\f.txt::$DATA', 'deny'],
  ['C:\\a\\CON', 'deny'],
  ['C:\\a\\f.txt.', 'deny'],
  ['C:\\a\\f.txt ', 'deny'],
  ['\\\\.\\PhysicalDrive0', 'deny'],
])('under Windows rules %j is judged as %s', async (path, expected) => {
  const contacted: string[] = []
  const disk = describeDisk(
    {
      dirs: ['C:\\a\\sub', 'C:\\ab', 'C:\\other folder', '\\\\srv\\share\\sub'],
      files: ['C:\\a\\f.txt', 'C:\\a\\Program Files\\x'],
      links: { 'Y:\\': '\\\\srv\\share' },
      short: { 'C:\\a\\PROGRA~1': 'C:\\a\\Program Files', 'C:\\OTHER~1': 'C:\\other folder' },
    },
    { platform: 'win32' },
  )
  const watched = { ...disk, look: (one: string) => (contacted.push(one), disk.look(one)), inspect: (one: string) => (contacted.push(one), disk.inspect(one)) }

  const { verdict } = await judgePath({ roots: [{ path: 'C:\\a' }, { path: '\\\\srv\\share\\' }], path, operation: 'read' }, watched)

  expect(verdict).toBe(expected)
  expect(contacted.filter((one) => /evil|share2/.test(one))).toEqual([])
})

test.each<[DescribedVolume['volume'], string, string]>([
  [undefined, '/w/CAFE', 'deny'],
  [undefined, '/w/cafe\u0301', 'deny'],
  [{ caseInsensitive: true }, '/W/CAF\u00c9', 'allow'],
  [{ normalizationInsensitive: true }, '/w/cafe\u0301', 'allow'],
  [{ normalizationInsensitive: true }, '/w/CAFE\u0301', 'deny'],
])('on a volume with %j the name %j is judged as %s', async (volume, path, expected) => {
  const disk = describeDisk({ dirs: ['/w/caf\u00e9', '/w/cafe', '/w/CAFE'] }, { platform: 'posix', volume })

  expect((await judgePath({ roots: [{ path: '/w/caf\u00e9' }], path, operation: 'list' }, disk)).verdict).toBe(expected)
})

test('on a real disk, whatever steps and links a path takes, what is allowed really lies in the root', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'containment-')))
  const root = join(base, 'root')
  mkdirSync(join(root, 'a/b'), { recursive: true })
  mkdirSync(join(base, 'outside/deep'), { recursive: true })
  writeFileSync(join(root, 'a/f'), '')
  writeFileSync(join(base, 'outside/f'), '')
  for (const [name, target] of [
    ['a/out', '../../outside/deep'],
    ['a/b/back', '../../a'],
    ['abs', root],
    ['lost', 'nowhere'],
  ] as const)
    symlinkSync(target, join(root, name))
  const disk = openNodeDisk()
  const step = fc.constantFrom('a', 'b', 'f', 'out', 'back', 'abs', 'lost', '..', '.', '', 'root', 'outside', 'deep', 'new')

  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 7 }), async (steps) => {
        const path = `${root}/${steps.join('/')}`
        const verdict = await judgePath({ roots: [{ path: root }], path, operation: 'read' }, disk)
        const real = await disk.realPath(path)

        if (verdict.verdict === 'allow' && real !== undefined) expect(`${real}/`).toContain(`${root}/`)
        if (verdict.verdict === 'allow') expect(`${verdict.place}/`).toContain(`${root}/`)
      }),
      { numRuns: 300 },
    )
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
