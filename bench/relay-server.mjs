// An MCP server over stdio that answers at once and reads in linear time: what is measured around it belongs to the relay.
//
// It speaks both eras. `big` answers with 1 MB of text; `ask` asks one form first.
const META = 'io.modelcontextprotocol/protocolVersion'
const megabyte = 'The quick brown fox jumps over the lazy dog, and says "why not?".\\n'.repeat(16_384).slice(0, 1024 * 1024)
let parts = []
let nextId = 0
const waiting = new Map()

process.stdin.on('data', (chunk) => {
  let start = 0
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
    parts.push(chunk.subarray(start, end))
    receive(JSON.parse(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
    parts = []
    start = end + 1
  }
  if (start < chunk.length) parts.push(chunk.subarray(start))
})
process.stdin.on('end', () => process.exit(0))

function receive({ id, method, params, result }) {
  if (method === undefined) return waiting.get(id)?.(result)
  if (id === undefined) return
  const isModern = params?._meta?.[META] !== undefined
  const type = isModern ? { resultType: 'complete' } : {}
  if (method === 'initialize') return reply(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'relay', version: '1' } })
  if (method === 'tools/list') return reply(id, { ...type, tools: [{ name: 'run', inputSchema: { type: 'object' } }] })
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'no such method' } })
  if (params.name === 'big') return reply(id, { ...type, content: [{ type: 'text', text: megabyte }] })
  if (params.name === 'ask') return ask(() => reply(id, { ...type, content: [] }))
  reply(id, { ...type, content: [{ type: 'text', text: 'done' }] })
}

function ask(done) {
  const id = nextId++
  waiting.set(id, done)
  send({ id, method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } } })
}

const reply = (id, result) => send({ id, result })
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
