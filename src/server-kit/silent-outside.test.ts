import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { GuardedFiles } from './guarded-files.ts'
import { createRootGuard } from './root-guard.ts'

const acts: readonly ((files: GuardedFiles, path: string) => Promise<unknown>)[] = [
  (files, path) => files.resolve(path),
  (files, path) => files.open(path),
  (files, path) => files.open(path, { access: 'write' }),
  (files, path) => files.readFile(path),
  (files, path) => files.writeFile(path, 'x'),
  (files, path) => files.writeFile(path, 'x', { parents: true }),
  (files, path) => files.create(path),
  (files, path) => files.create(path, { kind: 'folder', parents: true }),
  (files, path) => files.list(path),
  (files, path) => files.stat(path),
  (files, path) => files.rename(path, `${path}-new`),
  (files, path) => files.rename('inside', path),
  (files, path) => files.rename('inside', path, { replace: true, parents: true }),
  (files, path) => files.remove(path),
  (files, path) => files.remove(path, { recursive: true }),
  (files, path) => files.watch(path, () => undefined),
]

/** All that somebody hears of it. */
async function heard(action: Promise<unknown>): Promise<string> {
  try {
    return `it went through: ${JSON.stringify(await action)}`
  } catch (error) {
    const { name, message, code, data } = error as ConsentryError
    return JSON.stringify([error instanceof ConsentryError, name, code, message, data])
  }
}

const levels = process.platform === 'linux' ? (['race-free', 'checked'] as const) : (['checked'] as const)

test.each(levels)(
  'at the level %s, whatever lies outside, and by whatever way one comes there, the same is said of it: not whether it is there, nor what it is',
  async (level) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'silent-')))
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    for (const folder of ['r', 'r/sub', 'out', 'out/full', 'out/locked', 'out/locked/deep']) mkdirSync(join(base, folder))
    for (const file of ['r/inside', 'out/file', 'out/full/file', 'out/locked/deep/file', 'out/unreadable']) writeFileSync(join(base, file), 'kept from it')
    symlinkSync('file', join(base, 'out/link'))
    symlinkSync('../r/inside', join(base, 'out/back'))
    symlinkSync('nowhere', join(base, 'out/dangling'))
    symlinkSync('../out', join(base, 'r/way'))
    symlinkSync(join(base, 'out'), join(base, 'r/sub/way'))
    chmodSync(join(base, 'out/unreadable'), 0)
    chmodSync(join(base, 'out/locked'), 0)
    onTestFinished(() => chmodSync(join(base, 'out/locked'), 0o700))
    const guard = createRootGuard(undefined, { folders: [join(base, 'r')], level })
    onTestFinished(() => guard.close())
    // Each act has one answer for what lies outside: that of a path at which nothing is.
    const expected = await Promise.all(acts.map((act) => heard(act(guard, join(base, 'out/nothing-is-here')))))
    const way = fc.constantFrom('out', 'r/../out', 'r/way', 'r/sub/way', 'r/sub/../way', 'r/sub/./way/../out')
    const name = fc.constantFrom(
      'file',
      'full',
      'full/file',
      'full/none',
      'locked',
      'locked/deep/file',
      'locked/none',
      'unreadable',
      'link',
      'dangling',
      'none',
      'none/deeper',
      'full/../file',
    )

    await fc.assert(
      fc.asyncProperty(way, name, fc.nat(acts.length - 1), async (around, below, index) => {
        expect(await heard(acts[index]!(guard, `${base}/${around}/${below}`))).toBe(expected[index])
      }),
      { numRuns: 400 },
    )
  },
  60_000,
)
