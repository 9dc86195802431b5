// The server kit: finding and opening a file through the guard, beside opening it bare; how long a change of roots takes; and what a sandbox adds to the start of a server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { createRootGuard } from '../dist/lib/server-kit.js'
import { median, verdict } from './report.mjs'

const ROUNDS = 31
const PER_ROUND = 100
const STARTS = 15

export async function measureServerKit() {
  if (process.platform !== 'linux') return true
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-kit-')))
  try {
    return [await measureGuard(folder), await measureChange(folder), await measureSandbox(folder)].every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureGuard(folder) {
  const guard = createRootGuard(undefined, { folders: [folder] })
  const deep = join(folder, ...Array.from({ length: 30 }, (_, level) => `level-${level}`))
  mkdirSync(deep, { recursive: true })
  const ratios = {}
  for (const [name, path] of [
    ['at the top', join(folder, 'file')],
    ['30 levels deep', join(deep, 'file')],
  ]) {
    writeFileSync(path, 'text')
    const bare = () => open(path)
    const guarded = async () => (await guard.open((await guard.resolve(path)).path)).handle
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push((await timeOf(guarded)) / (await timeOf(bare)))
    ratios[name] = median(rounds)
  }
  guard.close()
  const [top, bottom] = Object.values(ratios)
  return [
    verdict(
      'resolve and open through the guard',
      `${top.toFixed(1)} x a bare open at the top, ${bottom.toFixed(1)} x 30 levels deep (limit 6 x)`,
      top <= 6 && bottom <= 6,
    ),
    verdict('the guard and depth', `${(bottom / top).toFixed(2)} x the ratio of the top (limit 1.5 x)`, bottom / top <= 1.5),
  ].every(Boolean)
}

async function timeOf(openFile) {
  const start = performance.now()
  for (let count = 0; count < PER_ROUND; count += 1) await (await openFile()).close()
  return performance.now() - start
}

async function measureSandbox(folder) {
  const { module } = await runnerImport(join(import.meta.dirname, '../src/sandbox/index.ts'))
  const start = { command: '/usr/bin/true', args: [], env: { PATH: process.env.PATH }, cwd: folder }
  const boundary = { roots: [{ path: folder, access: 'read-write' }], readable: [], isOffline: false, home: '/home/nobody', state: '/nowhere' }
  // The least of many: whatever else runs on the machine only adds.
  const results = []
  for (const only of ['bubblewrap', 'landlock']) {
    const added = []
    for (let count = 0; count < STARTS; count += 1) {
      const bare = await timeOfRun(async () => start)
      added.push((await timeOfRun(() => module.holdServer(start, boundary, { only }))) - bare)
    }
    results.push(verdict(`a start held by ${only}`, `+${Math.min(...added).toFixed(1)} ms (limit 30 ms)`, Math.min(...added) <= 30))
  }
  return results.every(Boolean)
}

/** From the moment in which the client says that its roots have changed until the guard reads in the new one, and not in the old one any more. */
async function measureChange(folder) {
  const roots = ['one', 'other'].map((name) => join(folder, name))
  for (const root of roots) {
    mkdirSync(root)
    writeFileSync(join(root, 'file'), 'text')
  }
  let granted = roots[0]
  const server = new Server({ name: 's', version: '1' }, { capabilities: {} })
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: { listChanged: true } } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${granted}` }] }))
  const guard = createRootGuard(server)
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  const reads = (root) =>
    guard.readFile(join(root, 'file')).then(
      () => true,
      () => false,
    )
  const times = []
  for (let count = 0; count < STARTS; count += 1) {
    const [old, fresh] = granted === roots[0] ? roots : roots.toReversed()
    await reads(old)
    granted = fresh
    const start = performance.now()
    await client.sendRootsListChanged()
    while (!(await reads(fresh)) || (await reads(old))) await new Promise((resolve) => setImmediate(resolve))
    times.push(performance.now() - start)
  }
  guard.close()
  await client.close()
  return verdict(
    'a change of roots in the kit',
    `${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms (limit 1000 ms)`,
    Math.max(...times) <= 1000,
  )
}

async function timeOfRun(prepare) {
  const before = performance.now()
  const { command, args, env, cwd, close } = await prepare()
  const child = spawn(command, args, { env, cwd, stdio: 'ignore' })
  await once(child, 'exit')
  const time = performance.now() - before
  close?.()
  return time
}
