#!/usr/bin/env node
import { constants } from 'node:os'
import type { Place } from './place.ts'

const LONGEST_GOODBYE_MS = 2000

const interruption = new AbortController()
const place: Place = {
  environment: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  interrupted: interruption.signal,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
}
const [command, ...rest] = process.argv.slice(2)

// A wrap stands in front of a server: it starts at once, without a parser of commands, deals with its own pipes and signals, and is over when the server is.
if (command === 'wrap') process.exit(await (await import('./wrap.ts')).runWrap(rest, place))

// A reader that went away (`| head`) is no reason to crash.
process.stdout.on('error', () => process.exit())

let interruptedBy: 'SIGINT' | 'SIGTERM' | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The second time there is no waiting for anything.
  process.on(signal, () => {
    if (interruptedBy !== undefined) process.exit(128 + constants.signals[signal])
    interruptedBy = signal
    interruption.abort(new Error(`ended by ${signal}`))
  })
}

const { run } = await import('./program.ts')
const code = await run(process.argv.slice(2), place)
process.exitCode = interruptedBy === undefined ? code : 128 + constants.signals[interruptedBy]
// Whatever still lives then (a server that ignores its end) must not keep the command alive.
setTimeout(() => process.exit(), LONGEST_GOODBYE_MS).unref()
