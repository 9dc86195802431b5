// An MCP server (2025-11-25, stdio) that answers at once: what is measured around it is ours.
let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) answer(JSON.parse(line))
})
process.stdin.on('end', () => process.exit(0))

function answer({ id, method, params }) {
  if (id === undefined) return
  if (method === 'initialize') return reply(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'instant', version: '1' } })
  if (method === 'tools/list') return reply(id, { tools: [{ name: 'run', inputSchema: { type: 'object' } }] })
  if (method === 'tools/call') return reply(id, { content: [{ type: 'text', text: params.name }] })
  send({ id, error: { code: -32601, message: 'no such method' } })
}

const reply = (id, result) => send({ id, result })
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
