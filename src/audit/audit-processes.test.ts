import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'tsdown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../store/index.ts'
import { AuditLog } from './audit.ts'

/** What a process of ours does: it appends entries, and says which were acknowledged. */
const script = `
  import { LazyStore, recordFiles } from '${join(import.meta.dirname, '../store/index.ts')}'
  import { AuditLog } from '${join(import.meta.dirname, 'audit.ts')}'
  const [folder, name, count, fatal] = process.argv.slice(2)
  const store = new LazyStore({ file: folder + '/consentry.db' })
  const write = (path, text) => (text.includes('"position":' + fatal + ',') ? process.kill(process.pid, 'SIGKILL') : recordFiles.write(path, text))
  const audit = new AuditLog({ store, anchorFile: folder + '/audit.head', files: { ...recordFiles, write } })
  for (let number = 1; number <= Number(count); number += 1) {
    await audit.append({ event: 'asked', question: name + number, request: 'roots', server: 'travel', connection: 'c1' })
    process.stdout.write(number + '\\n')
  }
  await audit.close()
  await store.close()
`

// Below node_modules, so that the program finds its packages.
const cache = join(import.meta.dirname, '../../node_modules/.cache')
let folder: string
let program: string
beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'audit-processes-'))
  writeFileSync(join(folder, 'append.ts'), script)
  program = join(folder, 'append.mjs')
  await build({ config: false, entry: join(folder, 'append.ts'), outDir: folder, dts: false, clean: false, logLevel: 'silent' })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** @param fatal the process kills itself in place of anchoring the entry at this position */
function start(state: string, name: string, count: number, fatal = 0): ChildProcess {
  return spawn(process.execPath, [program, state, name, String(count), String(fatal || 'none')], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function inspect(state: string): Promise<unknown> {
  const store = await openStore({ file: join(state, 'consentry.db') })
  const verification = await new AuditLog({ store, anchorFile: join(state, 'audit.head') }).verify()
  await store.close()
  return verification
}

test('several processes write one unbroken chain', async () => {
  const state = mkdtempSync(join(tmpdir(), 'consentry-processes-'))
  const children = ['a', 'b', 'c', 'd'].map((name) => start(state, name, 15))
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown))
  const verification = await inspect(state)
  rmSync(state, { recursive: true })
  expect([codes, verification]).toEqual([[0, 0, 0, 0], { ok: true, entries: 60 }])
})

test('a process that is killed at any moment breaks nothing, and loses nothing that was acknowledged', async () => {
  const state = mkdtempSync(join(tmpdir(), 'consentry-processes-'))
  let acknowledged = 0
  for (const last of [1, 2, 5]) {
    const child = start(state, `life${last}-`, 1_000_000)
    for await (const line of createInterface({ input: child.stdout! })) {
      acknowledged += 1
      if (Number(line) === last) child.kill('SIGKILL')
    }
  }
  const verification = await inspect(state)
  rmSync(state, { recursive: true })
  expect(verification).toEqual({ ok: true, entries: expect.toSatisfy((entries: number) => entries >= acknowledged && entries <= acknowledged + 3) })
})

test('a process that is killed before it anchors what it acknowledged leaves a sound log, which the next one anchors', async () => {
  const state = mkdtempSync(join(tmpdir(), 'consentry-processes-'))
  const child = start(state, 'killed', 10, 3)
  const [, signal] = (await once(child, 'exit')) as unknown[]
  const found = await inspect(state)
  const [code] = (await once(start(state, 'next', 1), 'exit')) as unknown[]
  const anchor: unknown = JSON.parse(readFileSync(join(state, 'audit.head'), 'utf8'))
  const verification = await inspect(state)
  rmSync(state, { recursive: true })
  expect([signal, found, code, anchor, verification]).toEqual([
    'SIGKILL',
    { ok: true, entries: 3 },
    0,
    { position: 4, hash: expect.any(String) },
    { ok: true, entries: 4 },
  ])
})
