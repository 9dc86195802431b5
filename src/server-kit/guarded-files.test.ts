import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { createRootGuard, type RootGuard, type RootGuardOptions } from './root-guard.ts'

let base = ''
const at = (...names: readonly string[]): string => join(base, ...names)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['r', 'r/a', 'r2', 'out', 'out/deep']) mkdirSync(at(folder))
  writeFileSync(at('r/f.txt'), 'inside')
  writeFileSync(at('r/a/only.md'), 'only')
  writeFileSync(at('r/both.md'), 'one')
  writeFileSync(at('r2/both.md'), 'two')
  writeFileSync(at('out/secret'), 'outside')
  for (const [name, target] of [
    ['r/out', at('out')],
    ['r/file-out', at('out/secret')],
    ['r/in', 'a'],
    ['r/up', '..'],
    ['r/dangling', 'none'],
    ['r/dangling-out', at('out/none')],
    ['r/ring', 'ring'],
    ['r/proc', '/proc/self/root'],
    ['link', at('r')],
  ] as const)
    symlinkSync(target, at(name))
})

function guardOf(folders: readonly string[], options: RootGuardOptions = {}): RootGuard {
  const guard = createRootGuard(undefined, { folders: folders.map((folder) => at(folder)), ...options })
  onTestFinished(() => guard.close())
  return guard
}

/** What came of it, the folder of this test left out: a value, or the code and reason of the refusal. */
async function outcome(action: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await action).replaceAll(base, ''))
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    return `${error.code} ${String(error.data?.['reason'])}`
  }
}

const levels = process.platform === 'linux' ? (['race-free', 'checked'] as const) : (['checked'] as const)

describe.each(levels)('at the level %s', (level) => {
  const open = (...folders: readonly string[]): RootGuard => guardOf(folders.length > 0 ? folders : ['r'], { level })

  test.each([
    ['r/f.txt', { path: '/r/f.txt', exists: true }],
    ['r/in/only.md', { path: '/r/a/only.md', exists: true }],
    ['r/in/../f.txt', { path: '/r/f.txt', exists: true }],
    ['r/none/below', { path: '/r/none/below', exists: false }],
    ['r/up/r/f.txt', { path: '/r/f.txt', exists: true }],
    ['r', { path: '/r', exists: true }],
    ['r/out', 'PATH_REFUSED outside'],
    ['r/out/secret', 'PATH_REFUSED outside'],
    ['r/out/none', 'PATH_REFUSED outside'],
    ['r/file-out', 'PATH_REFUSED outside'],
    ['r/dangling-out', 'PATH_REFUSED outside'],
    ['r/../out/secret', 'PATH_REFUSED outside'],
    ['r/up/out/secret', 'PATH_REFUSED outside'],
    ['r2/both.md', 'PATH_REFUSED outside'],
    ['rest', 'PATH_REFUSED outside'],
    ['r/ring', 'PATH_REFUSED unreadable'],
    ['r/f.txt/below', 'PATH_REFUSED unreadable'],
  ])('%s ends at %j', async (path, expected) => {
    expect(await outcome(open().resolve(`${base}/${path}`))).toEqual(expected)
  })

  test('the real /proc is outside, and so is what links into it', async () => {
    const guard = open()

    expect(await outcome(guard.readFile(`${at('r/proc')}${at('r/f.txt')}`))).toBe('PATH_REFUSED outside')
    expect(await outcome(createRootGuard(undefined, { folders: ['/'], level }).readFile('/proc/self/environ'))).toBe('PATH_REFUSED outside')
  })

  test('a file is read, written in one step, and keeps its rights', async () => {
    const guard = open()
    chmodSync(at('r/f.txt'), 0o640)
    linkSync(at('out/secret'), at('r/hard'))

    const read = await guard.readFile('f.txt')
    const written = await guard.writeFile('f.txt', 'changed')
    await guard.writeFile('in/new.md', 'new')
    await guard.writeFile('hard', 'replaced')

    expect([read.path, read.text, written]).toEqual([at('r/f.txt'), 'inside', { path: at('r/f.txt') }])
    expect([readFileSync(at('r/f.txt'), 'utf8'), statSync(at('r/f.txt')).mode & 0o777]).toEqual(['changed', 0o640])
    expect(readFileSync(at('r/a/new.md'), 'utf8')).toBe('new')
    // What another name outside holds is never written.
    expect(readFileSync(at('out/secret'), 'utf8')).toBe('outside')
    expect(readdirSync(at('r')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('nothing is written, made, moved or removed outside, however it is named', async () => {
    const guard = open()
    const acts = [
      guard.writeFile(at('r/out/new'), 'x'),
      guard.writeFile(at('r/file-out'), 'x'),
      guard.writeFile(at('r/dangling'), 'x'),
      guard.writeFile(at('r/dangling-out'), 'x'),
      guard.writeFile(at('out/new'), 'x'),
      guard.create(at('r/out/new')),
      guard.create(at('r/dangling-out')),
      guard.create(at('r/out/a/b/c'), { kind: 'folder', parents: true }),
      guard.rename(at('r/f.txt'), at('r/out/f.txt')),
      guard.rename(at('r/out/secret'), at('r/stolen')),
      guard.rename(at('r/f.txt'), at('r/../f.txt')),
      guard.remove(at('r/out/secret')),
      guard.remove(at('r/up/out/deep'), { recursive: true }),
      guard.list(at('r/out')),
      guard.stat(at('r/file-out')),
      guard.open(at('r/file-out'), { access: 'append' }),
      guard.watch(at('r/out'), () => {}),
    ]

    const outcomes = await Promise.all(acts.map(outcome))

    expect(new Set(outcomes)).toEqual(new Set(['PATH_REFUSED outside', 'PATH_REFUSED dangling-link']))
    expect([readdirSync(at('out')), readdirSync(at('out/deep')), readFileSync(at('out/secret'), 'utf8')]).toEqual([['deep', 'secret'], [], 'outside'])
    expect(existsSync(at('r/none'))).toBe(false)
  })

  test('entries are made, listed, moved and removed inside; links themselves are moved and removed, never what they lead to', async () => {
    const guard = open()

    await guard.create('x/y', { kind: 'folder', parents: true })
    await guard.create('x/y/file', { data: 'text' })
    const again = await outcome(guard.create('x/y/file'))
    const moved = await outcome(guard.rename('x/y/file', 'x/other'))
    const taken = await outcome(guard.rename('f.txt', 'x/other'))
    await guard.rename('f.txt', 'x/other', { replace: true })
    await guard.rename('out', 'x/out')
    const { entries, isWhole } = await guard.list('x')
    await guard.remove('x/out')
    const full = await outcome(guard.remove('x'))
    symlinkSync(at('out'), at('r/x/y/again'))
    await guard.remove('x', { recursive: true })

    expect([again, moved, taken, full]).toEqual([
      'PATH_UNUSABLE exists',
      { from: '/r/x/y/file', to: '/r/x/other' },
      'PATH_UNUSABLE exists',
      'PATH_UNUSABLE not-empty',
    ])
    expect([entries, isWhole]).toEqual([
      [
        { name: 'other', kind: 'file' },
        { name: 'out', kind: 'link' },
        { name: 'y', kind: 'folder' },
      ],
      true,
    ])
    expect([existsSync(at('r/x')), readFileSync(at('out/secret'), 'utf8')]).toEqual([false, 'outside'])
  })

  test('a root that is a file grants that file, which is written over in place', async () => {
    const guard = open('r/f.txt')

    await guard.writeFile(at('r/f.txt'), 'new')

    expect((await guard.readFile(at('r/f.txt'))).text).toBe('new')
    expect(await Promise.all([guard.readFile(at('r/both.md')), guard.remove(at('r/f.txt')), guard.create(at('r/other'))].map(outcome))).toEqual([
      'PATH_REFUSED outside',
      'PATH_UNUSABLE is-root',
      'PATH_REFUSED outside',
    ])
  })

  test('a root is the place that it was when it was granted', async () => {
    const guard = guardOf(['link'], { level })
    const before = await outcome(guard.readFile(at('link/f.txt')).then(({ text }) => text))

    rmSync(at('link'))
    symlinkSync(at('out'), at('link'))

    expect([before, await outcome(guard.readFile(at('link/secret'))), await outcome(guard.readFile(at('link/f.txt')))]).toEqual([
      'inside',
      'PATH_REFUSED outside',
      'PATH_REFUSED outside',
    ])
    expect((await guard.readFile(at('r/f.txt'))).text).toBe('inside')
  })

  test('a root that has gone is a reason of its own, and the others go on', async () => {
    const guard = open('r', 'r2')
    await guard.roots()

    renameSync(at('r2'), at('elsewhere'))
    symlinkSync(at('out'), at('r2'))

    expect(await Promise.all([guard.readFile(at('r2/both.md')), guard.readFile(at('r2/secret')), guard.stat(at('r/f.txt'))].map(outcome))).toEqual([
      'ROOTS_UNAVAILABLE gone',
      'ROOTS_UNAVAILABLE gone',
      expect.objectContaining({ path: '/r/f.txt' }),
    ])
  })

  test('pipes and folders are no files, and nobody waits for them', async () => {
    execFileSync('mkfifo', [at('r/pipe')])
    const guard = open()

    expect(await Promise.all([guard.readFile('pipe'), guard.open('a'), guard.writeFile('a', ''), guard.list('f.txt')].map(outcome))).toEqual([
      'PATH_UNUSABLE not-a-file',
      'PATH_UNUSABLE not-a-file',
      'PATH_UNUSABLE not-a-file',
      'PATH_UNUSABLE not-a-folder',
    ])
  })
})

test('a relative path belongs to the root in which it is there, and an ambiguous one is told with what it could mean', async () => {
  const guard = guardOf(['r', 'r2'])
  const ambiguous = guard.readFile('both.md')

  await expect(ambiguous).rejects.toMatchObject({ code: 'PATH_REFUSED', data: { reason: 'ambiguous', candidates: [at('r/both.md'), at('r2/both.md')] } })
  expect(
    await Promise.all(
      [guard.resolve('a/only.md'), guard.resolve('new.md'), guard.resolve('file-out'), guard.resolve('dangling'), guard.resolve('../out/secret')].map(outcome),
    ),
  ).toEqual([{ path: '/r/a/only.md', exists: true }, 'PATH_REFUSED ambiguous', 'PATH_REFUSED ambiguous', 'PATH_REFUSED ambiguous', 'PATH_REFUSED outside'])
  expect(await Promise.all(['', '~', '~/x', 'file:///etc/passwd', 'a\0b'].map((path) => outcome(guard.resolve(path))))).toEqual(
    Array(5).fill('PATH_REFUSED not-a-path'),
  )
})

test('a refusal names the roots, and nothing of what lies outside', async () => {
  const guard = guardOf(['r'])
  const messages = await Promise.all(
    ['r/out/secret', 'r/out/none', 'out/secret', 'out/none', 'out/secret/below'].map((path) => guard.readFile(at(path)).catch((error: Error) => error.message)),
  )

  expect(new Set(messages)).toEqual(new Set([`The path does not lie in any granted root. Use a path in: ${at('r')}.`]))
})

test('a file that is larger than may be read is refused before it is read', async () => {
  const guard = guardOf(['r'])

  expect(await outcome(guard.readFile('f.txt', { maxBytes: 5 }))).toBe('PATH_UNUSABLE too-large')
  expect((await guard.readFile('f.txt', { maxBytes: 6 })).text).toBe('inside')
})

test('an opened file is the one that was judged, and is written where it is', async () => {
  const { path, handle } = await guardOf(['r']).open('in/only.md', { access: 'write' })
  rmSync(at('r/a/only.md'))
  symlinkSync(at('out/secret'), at('r/a/only.md'))

  await handle.write('ONLY')
  await handle.close()

  expect([path, readFileSync(at('out/secret'), 'utf8'), lstatSync(at('r/a/only.md')).isSymbolicLink()]).toEqual([at('r/a/only.md'), 'outside', true])
})

test('a watch tells what changes in a folder, until the folder is moved away', async () => {
  const guard = guardOf(['r'])
  const events: string[] = []
  let wake = (): void => {}
  const watched = await guard.watch('a', ({ kind, path }) => {
    events.push(`${kind} ${path.replace(base, '')}`)
    wake()
  })
  const next = (): Promise<void> => new Promise((resolve) => (wake = resolve))

  const first = next()
  writeFileSync(at('r/a/new'), '')
  await first
  renameSync(at('r/a'), at('out/a'))
  const last = next()
  writeFileSync(at('out/a/later'), '')
  await last
  watched.close()

  expect([events[0], events.at(-1), events.some((event) => event.includes('later'))]).toEqual(['changed /r/a/new', 'ended /r/a', false])
})
