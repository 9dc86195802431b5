import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { WatchEvent } from './file-results.ts'
import { createRootGuard, type RootGuard, type RootGuardOptions } from './root-guard.ts'

let base = ''
const at = (...names: readonly string[]): string => join(base, ...names)
const LONG = 30_000

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['r', 'r/a', 'r/a/deep', 'out']) mkdirSync(at(folder))
  writeFileSync(at('r/f'), 'inside')
  writeFileSync(at('out/secret'), 'outside')
})

function guardOf(folder = 'r', options: RootGuardOptions = {}): RootGuard {
  const guard = createRootGuard(undefined, { folders: [at(folder)], ...options })
  onTestFinished(() => guard.close())
  return guard
}

async function outcome(action: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await action).replaceAll(base, ''))
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    return `${error.code} ${String(error.data?.['reason'])}`
  }
}

describe('a watch ends', () => {
  const ending = (guard: RootGuard, path: string): Promise<{ readonly ended: Promise<WatchEvent> }> =>
    new Promise((watching) => {
      const ended = new Promise<WatchEvent>((resolve) => {
        void guard.watch(path, (event) => event.kind === 'ended' && resolve(event)).then(() => watching({ ended }))
      })
    })

  test.each([
    ['when its folder is removed', 'a/deep', () => rmSync(at('r/a/deep'), { recursive: true })],
    [
      'when its folder is replaced by another one',
      'a/deep',
      () => {
        rmSync(at('r/a/deep'), { recursive: true })
        mkdirSync(at('r/a/deep'))
      },
    ],
    ['when its folder is moved away', 'a', () => renameSync(at('r/a'), at('out/a'))],
    ['when a folder above is moved away', 'a/deep', () => renameSync(at('r/a'), at('out/a'))],
    ['when its file is replaced by another one', 'f', () => renameSync(at('out/secret'), at('r/f'))],
  ])(
    'and that is told %s',
    async (_, path, act) => {
      const { ended } = await ending(guardOf(), path)
      act()

      expect(await ended).toEqual({ kind: 'ended', path: at('r', path) })
    },
    LONG,
  )

  test('when the guard is closed, and no file can be used any more', async () => {
    const guard = guardOf()
    const { ended } = await ending(guard, 'a')
    guard.close()
    guard.close()

    expect([await ended, await outcome(guard.readFile('f')), await outcome(guard.roots())]).toEqual([
      { kind: 'ended', path: at('r/a') },
      'ROOTS_UNAVAILABLE closed',
      'ROOTS_UNAVAILABLE closed',
    ])
  })
})

describe('a file that is written anew', () => {
  test('is never open to more people than the old one, not even while it is written', async () => {
    chmodSync(at('r/f'), 0o600)
    const guard = guardOf('r', { newId: () => 'draft' })
    const writing = guard.writeFile('f', new Uint8Array(32 * 1024 * 1024))
    let mode: number | undefined
    for (; mode === undefined; await new Promise((resolve) => setImmediate(resolve))) mode = statSync(at('r/.consentry-draft'), { throwIfNoEntry: false })?.mode
    await writing

    expect([mode & 0o777, statSync(at('r/f')).mode & 0o777]).toEqual([0o600, 0o600])
  })

  test('keeps its owner, and loses the right to run as its owner', async () => {
    if (process.getuid?.() === 0) chownSync(at('r/f'), 4321, 4322)
    chmodSync(at('r/f'), 0o4750)
    const { uid, gid } = statSync(at('r/f'))
    await guardOf().writeFile('f', 'new')

    expect(statSync(at('r/f'))).toMatchObject({ uid, gid, mode: 0o10_0750 })
  })

  test('is refused where the old one may not be written', async () => {
    chmodSync(at('r/f'), 0o444)
    const isRoot = process.getuid?.() === 0

    expect(await outcome(guardOf().writeFile('f', 'new'))).toEqual(isRoot ? { path: '/r/f' } : 'PATH_UNUSABLE no-access')
  })

  test('is the same after it was read as text and written back', async () => {
    const bytes = Buffer.from('\uFEFFwith a mark')
    writeFileSync(at('r/f'), bytes)
    const guard = guardOf()
    await guard.writeFile('f', (await guard.readFile('f')).text)

    expect(readFileSync(at('r/f'))).toEqual(bytes)
  })

  test('leaves what was planted in the place of a draft as it is', async () => {
    symlinkSync(at('out/secret'), at('r/.consentry-draft'))
    linkSync(at('out/secret'), at('r/.consentry-hard'))
    const results = [
      await outcome(guardOf('r', { newId: () => 'draft' }).writeFile('f', 'x')),
      await outcome(guardOf('r', { newId: () => 'hard' }).writeFile('f', 'x')),
    ]

    expect(results).toEqual(Array(2).fill('PATH_UNUSABLE exists'))
    expect([readFileSync(at('out/secret'), 'utf8'), readFileSync(at('r/f'), 'utf8')]).toEqual(['outside', 'inside'])
  })
})

test.runIf(process.platform === 'linux')('a name that no text can hold is never taken for the one that it reads like', async () => {
  const other = Buffer.concat([Buffer.from(at('')), Buffer.from([0xff])])
  mkdirSync(other)
  writeFileSync(Buffer.concat([other, Buffer.from('/secret')]), 'outside')
  mkdirSync(at('\uFFFD'))
  for (const [target, link] of [
    ['../', '\uFFFD/link'],
    [at(''), 'granted'],
  ] as const)
    execFileSync('/bin/sh', ['-c', `ln -s "$1$(printf '\\377')" "$2"`, 'sh', target, at(link)])
  const guard = guardOf('\uFFFD')

  expect(await Promise.all([guard.readFile('link/secret'), guard.writeFile('link/new', 'x'), guard.list('link'), guard.stat('link')].map(outcome))).toEqual(
    Array(4).fill('PATH_REFUSED unreadable'),
  )
  expect(await outcome(guardOf('granted').list(at('\uFFFD')))).toMatch(/^(?:PATH_REFUSED|ROOTS_UNAVAILABLE)/)
})

test.runIf(process.platform === 'linux')(
  'a folder goes with all that is in it, names that no text can hold included, and nothing that they read like outside',
  async () => {
    const odd = Buffer.from([0x61, 0xff])
    const inFolder = (...names: readonly (string | Buffer)[]): Buffer =>
      Buffer.concat([Buffer.from(at('r/going')), ...names.flatMap((name) => [Buffer.from('/'), Buffer.from(name as string)])])
    mkdirSync(at('r/going'), { recursive: true })
    mkdirSync(inFolder(odd))
    mkdirSync(inFolder(odd, 'deep'))
    writeFileSync(inFolder(odd, 'deep', odd), 'x')
    writeFileSync(inFolder('a\uFFFD'), 'its look-alike')
    symlinkSync(at('out'), inFolder(odd, 'link'))
    symlinkSync(at('out'), inFolder(Buffer.from([0xfe])))

    await guardOf('r').remove('going', { recursive: true })

    expect([existsSync(at('r/going')), readdirSync(at('out'))]).toEqual([false, ['secret']])
  },
)

test.runIf(process.platform === 'linux')('sockets and pipes are neither read nor written, and nobody waits for them', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(at('r/socket'), resolve))
  onTestFinished(() => void server.close())
  const guard = guardOf()

  expect(await Promise.all([guard.readFile('socket'), guard.open('socket', { access: 'write' }), guard.writeFile('socket', 'x')].map(outcome))).toEqual(
    Array(3).fill('PATH_UNUSABLE not-a-file'),
  )
  expect(await outcome(guard.stat('socket'))).toMatchObject({ kind: 'other' })
})

test('names of 255 bytes are written, and longer ones refused without a trace', async () => {
  const guard = guardOf()
  const longest = 'é'.repeat(127) + 'x'
  await guard.writeFile(longest, 'long')

  expect([(await guard.readFile(longest)).text, await outcome(guard.writeFile(`${longest}x`, ''))]).toEqual(['long', 'PATH_REFUSED too-long'])
  expect(readdirSync(at('r')).toSorted()).toEqual(['a', 'f', longest].toSorted())
})

test('two spellings of one name are two files, and each is itself', async () => {
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'] as const
  const guard = guardOf()
  await guard.writeFile(composed, 'one')
  const other = await outcome(guard.readFile(decomposed))
  await guard.create(decomposed, { data: 'two' }).catch(() => undefined)

  // A disk that takes both spellings for one name has one file.
  expect([other, (await guard.readFile(composed)).text]).toEqual(process.platform === 'linux' ? ['PATH_UNUSABLE not-found', 'one'] : [expect.anything(), 'one'])
})

test.runIf(process.platform === 'linux')(
  'a tree that is deeper than any path is removed, and no descriptor is left open',
  async () => {
    const guard = guardOf()
    await guard.create('tree', { kind: 'folder' })
    const name = 'n'.repeat(200)
    // Built from the bottom up: nobody could name the whole of it.
    for (let level = 0; level < 60; level += 1) {
      mkdirSync(at('r/next'))
      if (existsSync(at('r', name))) renameSync(at('r', name), at('r/next', name))
      renameSync(at('r/next'), at('r', name))
    }
    renameSync(at('r', name), at('r/tree', name))
    const before = readdirSync('/proc/self/fd').length
    await guard.remove('tree', { recursive: true })

    expect([existsSync(at('r/tree')), readdirSync('/proc/self/fd').length]).toEqual([false, before])
  },
  LONG,
)

test.runIf(process.platform === 'linux')('what is refused leaves no descriptor open', async () => {
  symlinkSync(at('out'), at('r/out'))
  const guard = guardOf()
  await outcome(guard.readFile('f'))
  closeSync(openSync(at('r/f'), 'r'))
  const before = readdirSync('/proc/self/fd').length
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(
      [
        guard.readFile('out/secret'),
        guard.readFile('none'),
        guard.readFile('a'),
        guard.list('f'),
        guard.writeFile('a', ''),
        guard.create('f'),
        guard.rename('f', 'a'),
        guard.remove('a'),
        guard.open('a'),
        guard.watch('none', () => {}),
        guard.readFile('f', { maxBytes: 1 }),
      ].map(outcome),
    )
  }

  expect(readdirSync('/proc/self/fd').length).toBe(before)
})
