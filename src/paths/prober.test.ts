import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNodeDisk } from './node-disk.ts'
import { openProber } from './prober.ts'

let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'prober-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('another process sees what this one sees', async () => {
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('sub', join(folder, 'link'))
  symlinkSync('ring', join(folder, 'ring'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const [near, far] = [openNodeDisk(), openProber()]

  for (const name of ['.', 'sub', 'file', 'link', 'ring', 'pipe', 'none', 'file/below']) {
    const path = join(folder, name)
    const seen = await near.inspect(path)
    expect(await far.inspect(path)).toEqual(seen)
    for (const kind of ['folder', 'file'] as const) expect(await far.canRead(path, kind)).toBe(await near.canRead(path, kind))
  }
})

test('a process that dies leaves what it was asked unreachable, and is not started again at once', async () => {
  const far = openProber({ program: 'process.once("message", () => process.exit(1))' })

  expect([await far.inspect(folder), await far.canRead(folder, 'folder'), await far.inspect(folder)]).toEqual([
    { kind: 'unreachable' },
    false,
    { kind: 'unreachable' },
  ])
})

test('a process that never answers is killed when it was asked nothing for a while', async () => {
  const far = openProber({ program: 'setInterval(() => {}, 1000)', idle: 50 })

  expect(await far.inspect(folder)).toEqual({ kind: 'unreachable' })
})
