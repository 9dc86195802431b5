// A held server whose folders change: from the moment in which a person says that it is started afresh, until it answers a call out of the new folder, and can reach the old one no more.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { createServer } from 'vite'
import { median, verdict } from './report.mjs'

const RESTARTS = 11
const LIMIT_MS = 1000

/** A server that says what it can read. */
const script = `
  const { existsSync } = require('node:fs')
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
    else if (id !== undefined) say({ id, result: { seen: params.arguments.paths.map((path) => existsSync(path)) } })
  })
`

export async function measureSandboxRestart() {
  if (process.platform !== 'linux') return true
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-held-')))
  const sources = await createServer({
    root: join(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false },
  })
  try {
    const [sandbox, gateway, fixtures] = await Promise.all(
      ['/src/sandbox/index.ts', '/src/gateway/index.ts', '/test/fixtures/fake-session.ts'].map((path) => sources.ssrLoadModule(path)),
    )
    const results = []
    for (const only of ['bubblewrap', 'landlock']) results.push(await measure(folder, only, { ...sandbox, ...gateway, ...fixtures }))
    return results.every(Boolean)
  } finally {
    await sources.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(folder, only, { holdServer, startGateway, FakeSession }) {
  const paths = ['one', 'other'].map((name) => join(folder, name, 'file'))
  for (const path of paths) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, 'text')
  }
  let granted = 0
  const prepare = () =>
    holdServer(
      { command: process.execPath, args: ['-e', script], env: { PATH: process.env.PATH } },
      { roots: [{ path: join(paths[granted], '..'), access: 'read-write' }], readable: [], isOffline: false, home: '/home/nobody', state: '/nowhere' },
      { only },
    )
  const [input, output] = [new PassThrough(), new PassThrough()]
  const session = new FakeSession()
  const running = await startGateway({
    server: await prepare(),
    client: { input, output },
    wishes: { take: new Set(), pass: new Set() },
    before: () => session.can,
    openSession: () => Promise.resolve(session),
    onStderr: () => undefined,
    notice: () => undefined,
    platform: process.platform,
    prepareAgain: prepare,
  })
  const answers = new Map()
  createInterface({ input: output }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    answers.get(id)?.(result ?? error)
  })
  let count = 0
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = (count += 1)
      answers.set(id, resolve)
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } })
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  await running.conversation.openDesk()

  const times = []
  for (let round = 0; round < RESTARTS; round += 1) {
    granted = 1 - granted
    const before = performance.now()
    session.emit('restart-asked', 'sandbox')
    const { seen } = await ask('tools/call', { name: 'look', arguments: { paths } })
    times.push(performance.now() - before)
    if (only === 'bubblewrap' && (seen?.[granted] !== true || seen[1 - granted] !== false)) throw new Error(`the server saw ${JSON.stringify(seen)}`)
  }
  running.kill()
  return verdict(
    `a fresh start held by ${only} to other folders`,
    `${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms (limit ${LIMIT_MS} ms)`,
    median(times) <= LIMIT_MS,
  )
}
