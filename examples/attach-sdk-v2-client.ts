// You have a client of the SDK (version 2) and its transport already: attach a desk before you connect. In your project the import is from 'consentry'.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { attach, createScriptedDesk } from '../src/index.ts'

const desk = createScriptedDesk({ answers: [{ when: { request: 'elicitation' }, then: { action: 'decline' } }] })
const session = desk.open({
  server: { name: 'everything', named: true, target: { kind: 'custom', description: 'my own transport' } },
  connection: 'connection-1',
})

const client = new Client({ name: 'my-app', version: '1.0.0' })
const attached = attach(client, session)
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js'] }))

// Call through what attach returned: it knows the rounds of 2026-07-28, and does not charge a call for the time in which people think.
console.log(await attached.callTool({ name: 'trigger-elicitation-request' }))
attached.close()
session.close()
await client.close()
await desk.close()
