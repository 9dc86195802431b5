// A filesystem server on version 1 of the SDK that stays in the folders its client grants. In your project the import is from 'consentry/server-kit'.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createRootGuard } from '../src/server-kit/index.ts'
import { runTool, tools } from './filesystem-tools.ts'

const server = new Server({ name: 'small-files', version: '1.0.0' }, { capabilities: { tools: {} } })
// Folders on the command line are for clients that know no roots.
const guard = createRootGuard(server, { folders: process.argv.slice(2), notice: (sentence) => console.error(sentence) })

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, ({ params }, context) => guard.run(context, (files) => runTool(files, params.name, params.arguments)))

await server.connect(new StdioServerTransport())
