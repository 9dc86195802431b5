#!/usr/bin/env node
import { constants } from 'node:os'
import { run } from './program.ts'

const LONGEST_GOODBYE_MS = 2000

// A reader that went away (`| head`) is no reason to crash.
process.stdout.on('error', () => process.exit())

const interruption = new AbortController()
let interruptedBy: 'SIGINT' | 'SIGTERM' | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The second time there is no waiting for anything.
  process.on(signal, () => {
    if (interruptedBy !== undefined) process.exit(128 + constants.signals[signal])
    interruptedBy = signal
    interruption.abort(new Error(`ended by ${signal}`))
  })
}

const code = await run(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  interrupted: interruption.signal,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
})
process.exitCode = interruptedBy === undefined ? code : 128 + constants.signals[interruptedBy]
// Whatever still lives then (a server that ignores its end) must not keep the command alive.
setTimeout(() => process.exit(), LONGEST_GOODBYE_MS).unref()
