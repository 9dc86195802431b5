// What `consentry wrap` adds to a connection, beside a bare Node pipe, a copier in C where there is a compiler, and no relay at all: all in one run, in turns.
import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RelayClient } from './relay-client.mjs'
import { median, verdict } from './report.mjs'

const here = import.meta.dirname
const program = process.env.CONSENTRY_PROGRAM ?? join(here, '../dist/cli/main.js')
const server = [process.execPath, join(here, 'relay-server.mjs')]
const ROUNDS = 31
const CALLS = 100
const AT_ONCE = 64

export async function measureRelay() {
  const home = mkdtempSync(join(tmpdir(), 'bench-'))
  const answers = join(home, 'answers.json')
  writeFileSync(answers, JSON.stringify({ answers: [{ when: { request: 'elicitation' }, then: { action: 'accept', content: { ok: true } } }] }))
  const commands = {
    direct: server,
    pipe: [process.execPath, join(here, 'relay-pipe.mjs'), ...server],
    wrap: [process.execPath, program, 'wrap', '--answers', answers, '--', ...server],
  }
  const copier = compileCopier(home)
  if (copier) commands.copier = [copier, ...server]
  const options = { env: { CONSENTRY_HOME: join(home, 'state') } }
  try {
    return [
      ...(await measureStart(commands, options)),
      ...(await measureTraffic(commands, { ...options, era: 'legacy' }, 0.02)),
      ...(await measureTraffic(commands, { ...options, era: 'modern' }, 0.03)),
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** @returns undefined where nothing compiles C */
function compileCopier(folder) {
  try {
    execFileSync('cc', ['-O2', '-o', join(folder, 'copier'), join(here, 'relay-copier.c')], { stdio: 'ignore' })
    return join(folder, 'copier')
  } catch {
    return undefined
  }
}

/** From the start of the command to the answer to tools/list. */
async function measureStart(commands, options) {
  const times = { empty: [], direct: [], pipe: [], wrap: [] }
  const names = Object.keys(times)
  for (let round = 0; round < 15; round += 1) {
    // What runs after a heavier one finds another machine: each has all the others before it as often.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const began = performance.now()
      const client = new RelayClient(commands[name] ?? [process.execPath, '-e', '0'], options)
      if (name !== 'empty') await client.handshake()
      const shook = performance.now()
      await client.close()
      times[name].push((name === 'empty' ? performance.now() : shook) - began)
    }
  }
  const [empty, direct, pipe, wrap] = [times.empty, times.direct, times.pipe, times.wrap].map(median)
  const limit = 1.3 * direct + empty
  const text = `${Math.round(wrap)} ms (direct ${Math.round(direct)}, bare pipe ${Math.round(pipe)}, empty Node ${Math.round(empty)}, limit ${Math.round(limit)})`
  return [verdict('wrap, start to first tools/list', text, wrap <= limit)]
}

/** Calls over connections that stand: one at a time, many at once, and big results. */
async function measureTraffic(commands, options, mostAdded) {
  const clients = Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, new RelayClient(command, options)]))
  for (const client of Object.values(clients)) await client.handshake()
  await settle()
  const idle = clients.wrap.memory()
  const names = Object.keys(clients)
  const single = Object.fromEntries(names.map((name) => [name, []]))
  const burst = Object.fromEntries(names.map((name) => [name, []]))
  const big = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const client = clients[name]
      for (let call = 0; call < CALLS; call += 1) single[name].push(await timed(() => client.call('run')))
      burst[name].push(
        await timed(async () => {
          for (let call = 0; call < CALLS * 8; call += AT_ONCE) await client.call('run', AT_ONCE)
        }),
      )
      // The first results of their size find nothing ready; the others are what is compared.
      for (let call = 0; call < 3; call += 1) big[name].push(await timed(() => client.call('big')))
    }
  }
  const era = options.era
  const ask = era === 'legacy' ? await measureAnswer(clients.wrap, options.env.CONSENTRY_HOME) : []
  for (const client of Object.values(clients)) await client.close()
  const [direct, pipe, wrap] = [single.direct, single.pipe, single.wrap].map(median)
  const added = wrap - pipe
  const least = burst.copier ?? burst.pipe
  const shown = `direct ${direct.toFixed(3)}, pipe ${pipe.toFixed(3)}, wrap ${wrap.toFixed(3)}, p99 ${p99(single.pipe).toFixed(3)} and ${p99(single.wrap).toFixed(3)}`
  return [
    verdict(`wrap (${era}), one call`, `+${added.toFixed(3)} ms over the bare pipe (${shown}; limit +${mostAdded})`, added <= mostAdded),
    verdict(
      `wrap (${era}), ${AT_ONCE} calls at once`,
      `${ratio(least, burst.wrap)} of the throughput of ${burst.copier ? 'the copier in C' : 'the bare pipe'} (${ratio(burst.pipe, burst.wrap)} of the bare pipe's, ${ratio(burst.direct, burst.wrap)} of direct; limit 0.75)`,
      median(least) / median(burst.wrap) >= 0.75,
    ),
    verdict(
      `wrap (${era}), results of 1 MB`,
      `${ratio(big.wrap, big.direct)} x direct (bare pipe ${ratio(big.pipe, big.direct)} x; limit 1.5)`,
      median(big.wrap) / median(big.direct) <= 1.5,
    ),
    verdict(`wrap (${era}), memory when idle`, `${idle.toFixed(1)} MB (limit 48)`, idle <= 48),
    ...ask,
  ]
}

/** A call of which the server asks a form first, answered from a script here. */
async function measureAnswer(client, state) {
  await client.call('ask')
  const times = []
  for (let call = 0; call < 300; call += 1) {
    const plain = await timed(() => client.call('run'))
    times.push((await timed(() => client.call('ask'))) - plain)
  }
  const flush = median(await timeFlushes(state)).toFixed(2)
  const text = `${median(times).toFixed(2)} ms median, ${p99(times).toFixed(2)} ms p99 (a flush of the disk alone ${flush} ms; limit 1.5 median)`
  return [verdict('wrap, an answered question', text, median(times) <= 1.5)]
}

/** What every answer waits for: two pages more are on the disk. */
async function timeFlushes(folder) {
  const file = openSync(join(folder, 'flushed'), 'w')
  const pages = Buffer.alloc(8192)
  const times = []
  for (let flush = 0; flush < 300; flush += 1) {
    writeSync(file, pages)
    times.push(await timed(() => fsyncSync(file)))
  }
  closeSync(file)
  return times
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 1500))
const p99 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]
const ratio = (one, other) => (median(one) / median(other)).toFixed(2)

if (import.meta.filename === process.argv[1]) process.exitCode = (await measureRelay()).every(Boolean) ? 0 : 1
