// Folders: validating a URI, listing and watching 1,000 roots, noticing a deletion, finding the project from 40 levels deep.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { detectWorkspace, readRootOption, RootList } from '../dist/lib/roots.js'
import { median, verdict } from './report.mjs'

const COUNT = 1000
const LEVELS = 40
const WATCHED_MS = 10_000
const server = { name: 'bench', named: true, target: { kind: 'custom', description: 'bench' } }

export async function measureRoots() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-roots-')))
  try {
    return [measureUris(), await measureList(folder), await measureDetection(folder)].every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureUris() {
  const uris = ['file:///home/ada/projects/app', 'file:///home/ada/M%C3%BCller%20%26%20S%C3%B6hne', `file:///${'deep/'.repeat(20)}end`]
  const place = { platform: 'posix', cwd: '/', home: '/home/ada' }
  const rounds = Array.from({ length: 21 }, () => {
    const start = performance.now()
    for (let count = 0; count < 1000; count += 1) for (const uri of uris) readRootOption(uri, place)
    return (performance.now() - start) / uris.length
  })
  return verdict('validating a URI', `${median(rounds).toFixed(2)} µs (limit 10 µs)`, median(rounds) <= 10)
}

async function measureList(folder) {
  const paths = Array.from({ length: COUNT }, (_, index) => join(folder, `root ${index}`))
  for (const path of paths) mkdirSync(path)
  const before = await heapBytes()
  const list = new RootList({ configured: new Map([['*', paths.map((path) => ({ path }))]]), home: folder })
  const roots = list.open(server)
  await roots.list()
  const megabytes = ((await heapBytes()) - before) / 1024 / 1024

  const times = []
  for (let round = 0; round < 21; round += 1) {
    const start = performance.now()
    await roots.list()
    times.push(performance.now() - start)
  }

  const share = await cpuShare()
  const noticed = await timeOfNotice(roots, () => rmSync(paths[COUNT / 2], { recursive: true }))
  list.close()
  return [
    verdict(`the list of a server with ${COUNT} roots`, `${median(times).toFixed(2)} ms (limit 5 ms)`, median(times) <= 5),
    verdict(`watching ${COUNT} roots`, `${share.toFixed(1)} % of one core (limit 5 %)`, share <= 5),
    verdict(`memory of ${COUNT} roots`, `${megabytes.toFixed(1)} MB (limit 10 MB)`, megabytes <= 10),
    verdict('a deletion is noticed', `after ${Math.round(noticed)} ms (limit 3000 ms)`, noticed <= 3000),
  ].every(Boolean)
}

/** Milliseconds between a change on the disk and its announcement. Watching alone keeps no process alive. */
async function timeOfNotice(roots, change) {
  const alive = setInterval(() => undefined, 1000)
  const noticed = new Promise((resolve) => roots.on('changed', () => resolve(performance.now())))
  const start = performance.now()
  change()
  const end = await noticed
  clearInterval(alive)
  return end - start
}

async function measureDetection(folder) {
  const top = join(folder, 'project')
  const deep = join(top, ...Array.from({ length: LEVELS }, (_, level) => `level${level}`))
  mkdirSync(deep, { recursive: true })
  for (const name of ['objects', 'refs']) mkdirSync(join(top, '.git', name), { recursive: true })
  writeFileSync(join(top, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  const times = []
  for (let round = 0; round < 21; round += 1) {
    const start = performance.now()
    const [best] = await detectWorkspace(deep, { home: folder })
    times.push(performance.now() - start)
    if (best.path !== top) return verdict('the project is found', `${best.path} in place of ${top}`, false)
  }
  return verdict(`finding the project from ${LEVELS} levels deep`, `${median(times).toFixed(1)} ms (limit 20 ms)`, median(times) <= 20)
}

/** Percent of one core. */
async function cpuShare() {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await sleep(WATCHED_MS)
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 10 / (performance.now() - start)
}

async function heapBytes() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await sleep(10)
  }
  return process.memoryUsage().heapUsed
}
