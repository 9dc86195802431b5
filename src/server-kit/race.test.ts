import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { createRootGuard } from './root-guard.ts'

/** It goes on until it was a race indeed, and no longer than this. */
const LONGEST_MS = 25_000
const ENOUGH = { done: 300, refused: 100 }

test.skipIf(process.platform !== 'linux')(
  'while somebody swaps files and folders for links that lead out, nothing outside is read, written, made, moved or removed',
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'race-')))
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    const [root, outside] = [join(base, 'root'), join(base, 'outside')]
    for (const folder of [root, outside, join(root, 'folder')]) mkdirSync(folder)
    writeFileSync(join(outside, 'secret'), 'outside')
    writeFileSync(join(root, 'file'), 'inside')
    writeFileSync(join(root, 'folder', 'secret'), 'inside')
    const guard = createRootGuard(undefined, { folders: [root] })
    const swapper = spawn(process.execPath, [join(import.meta.dirname, '../../test/fixtures/path-swapper.mjs'), root, outside, String(LONGEST_MS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const gone = once(swapper, 'exit')
    await once(swapper.stdout, 'data')

    const read: string[] = []
    const counts = { done: 0, refused: 0 }
    const others: unknown[] = []
    const acts: readonly ((round: number) => Promise<unknown>)[] = [
      async () => read.push((await guard.readFile(join(root, 'file'))).text),
      async () => read.push((await guard.readFile(join(root, 'folder/secret'))).text),
      async () =>
        read.push(...(await guard.list(join(root, 'folder'))).entries.map(({ name }) => (name === 'secret' || name.startsWith('made') ? 'inside' : name))),
      (round) => guard.writeFile(join(root, 'folder', `made-${round % 5}`), 'x'),
      (round) => guard.create(join(root, 'folder', `made-new-${round}`), { data: 'x' }),
      (round) => guard.create(join(root, 'folder', `made-deep-${round % 7}`, 'a', 'b'), { kind: 'folder', parents: true }),
      (round) => guard.rename(join(root, 'folder', `made-new-${round}`), join(root, 'folder', `made-moved-${round}`)),
      (round) => guard.remove(join(root, 'folder', `made-moved-${round}`)),
      (round) => guard.remove(join(root, 'folder', `made-deep-${round % 7}`), { recursive: true }),
      () => guard.writeFile(join(root, 'folder/secret'), 'inside'),
    ]
    for (let round = 0; swapper.exitCode === null && (counts.done < ENOUGH.done || counts.refused < ENOUGH.refused); round += 1) {
      for (const act of acts) {
        await act(round).then(
          () => (counts.done += 1),
          (error: unknown) => (error instanceof ConsentryError ? (counts.refused += 1) : others.push(error)),
        )
      }
    }
    swapper.stdin.end()
    await gone

    expect(others).toEqual([])
    expect(new Set(read.filter((text) => text !== 'inside'))).toEqual(new Set())
    expect([readdirSync(outside), readFileSync(join(outside, 'secret'), 'utf8')]).toEqual([['secret'], 'outside'])
    expect([counts.done > 50, counts.refused > 20]).toEqual([true, true])
  },
  60_000,
)
