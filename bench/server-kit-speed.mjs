// The server kit: finding and opening a file through the guard, beside opening it bare; and what a sandbox adds to the start of a server.
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
    return [await measureGuard(folder), await measureSandbox(folder)].every(Boolean)
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

async function timeOfRun(prepare) {
  const before = performance.now()
  const { command, args, env, cwd, close } = await prepare()
  const child = spawn(command, args, { env, cwd, stdio: 'ignore' })
  await once(child, 'exit')
  const time = performance.now() - before
  close?.()
  return time
}
