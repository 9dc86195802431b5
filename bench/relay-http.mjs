// What `consentry wrap --url` adds in front of a server at an address, beside supergateway, which does the same job without answering anything.
// mcp-proxy has no side for a client over stdio, so that there is nothing to compare.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RelayClient } from './relay-client.mjs'
import { median, verdict } from './report.mjs'

const here = import.meta.dirname
const program = process.env.CONSENTRY_PROGRAM ?? join(here, '../dist/cli/main.js')
const supergateway = join(here, '../node_modules/supergateway/dist/index.js')
const ROUNDS = 9
const CALLS = 100
const AT_ONCE = 16

/** The medians are compared with the other's of the same run: whoever does less must not be slower. */
export async function measureHttpRelay() {
  const server = await startServer()
  const url = `http://127.0.0.1:${server.address().port}/mcp`
  const home = mkdtempSync(join(tmpdir(), 'bench-'))
  const commands = {
    wrap: [process.execPath, program, 'wrap', '--no-desk', '--url', url],
    supergateway: [process.execPath, supergateway, '--logLevel', 'none', '--streamableHttp', url],
  }
  const env = { CONSENTRY_HOME: join(home, 'state') }
  const names = Object.keys(commands)
  const times = Object.fromEntries(names.map((name) => [name, { start: [], single: [], burst: [] }]))
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const began = performance.now()
        const client = new RelayClient(commands[name], { env })
        await client.handshake()
        times[name].start.push(performance.now() - began)
        for (let call = 0; call < CALLS; call += 1) times[name].single.push(await timed(() => client.call('run')))
        times[name].burst.push(await timed(() => client.call('run', AT_ONCE)))
        await client.close()
      }
    }
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(home, { recursive: true, force: true })
  }
  return [
    compare('start to first tools/list', times, 'start', 0),
    compare('one call', times, 'single', 2),
    compare(`${AT_ONCE} calls at once`, times, 'burst', 1),
  ]
}

function compare(name, { wrap, supergateway: other }, part, digits) {
  const [ours, theirs] = [median(wrap[part]), median(other[part])]
  return verdict(`wrap --url, ${name}`, `${ours.toFixed(digits)} ms (supergateway ${theirs.toFixed(digits)} ms)`, ours <= theirs)
}

/** A server of 2025-11-25 that answers at once, without sessions. */
async function startServer() {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function answer(request, response) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const { id, method } = text === '' ? {} : JSON.parse(text)
  if (id === undefined) return response.writeHead(request.method === 'GET' ? 405 : 202).end()
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } },
    'tools/list': { tools: [{ name: 'run', inputSchema: { type: 'object' } }] },
  }
  const result = results[method] ?? { content: [{ type: 'text', text: 'done' }] }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

if (import.meta.filename === process.argv[1]) process.exitCode = (await measureHttpRelay()).every(Boolean) ? 0 : 1
