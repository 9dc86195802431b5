#!/usr/bin/env node
import { constants } from 'node:os'
import { ConsentryError } from '../errors.ts'
import { countHangingCalls } from '../paths/hanging-calls.ts'
import { exitCodes } from './exit.ts'
import type { Place } from './place.ts'
import { runWrap } from './wrap.ts'
import { flushed } from './write-out.ts'

const interruption = new AbortController()
const place: Place = {
  environment: process.env,
  cwd: currentFolder(),
  platform: process.platform,
  interrupted: interruption.signal,
  // Node makes each ready when it is asked for: a wrap does that while its server starts.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
}
const [command, ...rest] = process.argv.slice(2)

// Node waits for every call to a disk before it ends, also for those that are never answered.
process.on('exit', () => countHangingCalls() > 0 && process.kill(process.pid, 'SIGKILL'))

// Every command ends with a code of its own: one that waits for what cannot come any more has failed.
process.once('beforeExit', () => process.exit(exitCodes.failed))
void (command === 'wrap' ? startWrap() : startCommand())

/** A wrap stands in front of a server: it starts at once, without a parser of commands, deals with its own pipes and signals, and is over when the server is. */
async function startWrap(): Promise<void> {
  process.exit(await runWrap(rest, place))
}

async function startCommand(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away (`| head`) has read enough; Windows calls that EOF.
    if (error.code === 'EPIPE' || error.code === 'EOF') process.exit()
    process.stderr.write(`consentry: what was printed is not whole: ${error.message}\n`)
    process.exit(exitCodes.failed)
  })
  process.stderr.on('error', () => undefined)

  let interruptedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The second time there is no waiting for anything.
    process.on(signal, () => {
      if (interruptedBy !== undefined) process.exit(128 + constants.signals[signal])
      interruptedBy = signal
      interruption.abort(new ConsentryError('CALL_CANCELLED', `the command was ended by ${signal}`))
    })
  }

  const { run } = await import('./program.ts')
  const code = await run(process.argv.slice(2), place)
  process.exitCode = interruptedBy === undefined ? code : 128 + constants.signals[interruptedBy]
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  // Whatever still lives then (a server that ignores its end) must not keep the command alive, and there is nothing to clean up behind it.
  process.exit()
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('consentry: the current folder is gone: change to another one\n')
    process.exit(exitCodes.usage)
  }
}
