import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTravelServers } from './travel.ts'

serveStdio(createTravelServers(), {
  // Standard output belongs to the protocol: what people should read goes to standard error.
  onerror: (error) => process.stderr.write(`travel: ${error.message}\n`),
})
