// Anything that can hand over a request can be answered: here a client of the SDK's version 1. In your project the import is from 'consentry'.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { answerInputRequest, createScriptedDesk } from '../src/index.ts'

const desk = createScriptedDesk({ answers: [{ when: { request: 'elicitation' }, then: { action: 'decline' } }] })
const session = desk.open({
  server: { name: 'everything', named: true, target: { kind: 'custom', description: 'my own transport' } },
  connection: 'connection-1',
})

const client = new Client({ name: 'my-app', version: '1.0.0' }, { capabilities: { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} } })
client.fallbackRequestHandler = async (request, { signal }) => {
  const reply = await answerInputRequest(session, request, { signal })
  // Taken back by the server: whatever is returned, the SDK sends nothing.
  if (reply === undefined) return {}
  if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error)
  return { ...reply.result }
}
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js'] }))
console.log(await client.callTool({ name: 'trigger-elicitation-request' }))
await client.close()
session.close()
await desk.close()
