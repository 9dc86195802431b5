// One answered question through Host and ScriptedDesk, against the same question answered by a direct SDK handler, in the same run.
import { Client } from '@modelcontextprotocol/client'
import { createScriptedDesk, Host } from '../dist/lib/index.js'
import { createScriptedServer, formQuestion } from '../dist/lib/testing.js'
import { median, verdict } from './report.mjs'

const ROUNDS = 400
const WARM_UP = 100
const LIMIT_MS = 1

const tools = { run: [formQuestion('Go?', { go: { type: 'boolean' } })] }
const answer = { action: 'accept', content: { go: true } }

export async function measureAnswer() {
  const direct = await openDirect()
  const ours = await openHost()
  const times = { direct: [], ours: [] }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const [directMs, oursMs] = [await timed(direct.call), await timed(ours.call)]
    if (round < 0) continue
    times.direct.push(directMs)
    times.ours.push(oursMs)
  }
  await direct.close()
  await ours.close()
  const added = median(times.ours) - median(times.direct)
  const measured = `+${added.toFixed(3)} ms over ${median(times.direct).toFixed(3)} ms direct (limit ${LIMIT_MS} ms)`
  return verdict('one answered question through Host and ScriptedDesk', measured, added <= LIMIT_MS)
}

async function openDirect() {
  const server = createScriptedServer({ era: 'legacy', tools })
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', () => answer)
  await client.connect(server.connect())
  return { call: () => client.callTool({ name: 'run' }), close: () => server.close() }
}

async function openHost() {
  const server = createScriptedServer({ era: 'legacy', tools })
  const desk = createScriptedDesk({ answers: [{ when: { request: 'elicitation' }, then: answer }] })
  const host = new Host({ desk, servers: [{ name: 'bench', transport: () => server.connect(), protocol: '2025-11-25' }] })
  await host.connect()
  return {
    call: () => host.callTool({ server: 'bench', name: 'run' }),
    async close() {
      await host.close()
      await server.close()
    },
  }
}

async function timed(call) {
  const start = performance.now()
  await call()
  return performance.now() - start
}
