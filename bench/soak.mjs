// Opt-in: a million calls through `consentry wrap` without growth, and a million hostile lines without loss: node bench/soak.mjs [calls] [lines]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RelayClient } from './relay-client.mjs'
import { verdict } from './report.mjs'

const here = import.meta.dirname
const program = process.env.CONSENTRY_PROGRAM ?? join(here, '../dist/cli/main.js')
const [calls = 1_000_000, lines = 1_000_000] = process.argv.slice(2).map(Number)
const AT_ONCE = 64
/** Memory is compared from here on: what is compiled and cached once, and the steps by which the heap grows at first, are there by then. */
const WARM_CALLS = 100_000
/** The heap grows by steps of a few MB and stays there; a single request that is forgotten would take a hundred. */
const MOST_GROWTH_MB = 12
/** A loaded machine needs about 20 microseconds a line; anything that is not linear needs hours. */
const MOST_SECONDS = 600

const home = mkdtempSync(join(tmpdir(), 'soak-'))
const answers = join(home, 'answers.json')
writeFileSync(answers, JSON.stringify({ answers: [{ when: { request: 'elicitation' }, then: { action: 'accept', content: { ok: true } } }] }))
const wrap = (...server) => [process.execPath, program, 'wrap', '--answers', answers, '--', process.execPath, ...server]
const env = { CONSENTRY_HOME: join(home, 'state') }

try {
  const results = [await soak('legacy'), await soak('modern'), await shout()]
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function soak(era) {
  const client = new RelayClient(wrap(join(here, 'relay-server.mjs')), { env, era })
  await client.handshake()
  const samples = []
  const began = performance.now()
  for (let done = 0; done < calls; done += AT_ONCE) {
    await client.call('run', AT_ONCE)
    if (era === 'legacy' && done % (AT_ONCE * 500) === 0) await client.call('ask')
    if (done % (AT_ONCE * 1000) === 0) await client.call('big')
    if (done >= Math.min(WARM_CALLS, calls / 2) && done % (AT_ONCE * 200) === 0) samples.push(client.memory())
  }
  const seconds = (performance.now() - began) / 1000
  await client.close()
  // The least of each half: what is left when the garbage of the moment is not counted.
  const half = Math.floor(samples.length / 2)
  const [before, after] = [Math.min(...samples.slice(0, half)), Math.min(...samples.slice(half))]
  const text = `${before.toFixed(1)} MB in the first half, ${after.toFixed(1)} MB in the second (${Math.round(calls / seconds)} calls/s, limit +${MOST_GROWTH_MB} MB)`
  return verdict(`wrap (${era}), ${calls} calls`, text, after - before <= MOST_GROWTH_MB)
}

/** A server that says a million lines, each in some way broken, and a sound one after every tenth. */
async function shout() {
  const child = spawn(process.execPath, wrap(join(here, 'hostile-server.mjs'), String(lines)).slice(1), {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  child.stdin.write('{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}\n')
  const began = performance.now()
  let next = 0
  let isInOrder = true
  let rest = Buffer.alloc(0)
  for await (const chunk of child.stdout) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10) + 1
    rest = bytes.subarray(end)
    for (const [, number] of bytes.toString('latin1', 0, end).matchAll(/^\{"jsonrpc":"2.0","method":"sound","params":\{"n":(\d+)\}\}$/gm)) {
      isInOrder &&= Number(number) === next
      next += 1
    }
    if (next * 10 >= lines) child.stdin.end()
  }
  const seconds = (performance.now() - began) / 1000
  const text = `${next} of ${Math.ceil(lines / 10)} sound lines, ${isInOrder ? 'in order' : 'OUT OF ORDER'}, in ${Math.round(seconds)} s (limit ${MOST_SECONDS} s)`
  return verdict(`wrap, ${lines} hostile lines of a server`, text, isInOrder && next === Math.ceil(lines / 10) && seconds <= MOST_SECONDS)
}
