// A filesystem server on version 2 of the SDK, for both eras of the protocol, that stays in the folders its client grants. In your project the import is from 'consentry/server-kit'.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createRootGuard } from '../src/server-kit/index.ts'
import { runTool, tools } from './filesystem-tools.ts'

serveStdio(() => {
  const server = new Server({ name: 'small-files', version: '1.0.0' }, { capabilities: { tools: {} } })
  // Folders on the command line are for clients that know no roots.
  const guard = createRootGuard(server, { folders: process.argv.slice(2), notice: (sentence) => console.error(sentence) })

  server.setRequestHandler('tools/list', () => ({ tools }))
  // In the 2026-07-28 revision the first result asks for the roots, and the call comes again with them.
  server.setRequestHandler('tools/call', ({ params }, context) => guard.run(context, (files) => runTool(files, params.name, params.arguments)))
  return server
})
