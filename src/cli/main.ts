#!/usr/bin/env node
import { run } from './program.ts'

const LONGEST_GOODBYE_MS = 2000

// A reader that went away (`| head`) is no reason to crash.
process.stdout.on('error', () => process.exit())
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
})
// Whatever still lives then (a server that ignores its end) must not keep the command alive.
setTimeout(() => process.exit(), LONGEST_GOODBYE_MS).unref()
