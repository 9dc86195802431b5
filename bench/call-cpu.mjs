// CPU of a whole `consentry call` on an instant server, children included, against an empty Node process in the same run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, verdict } from './report.mjs'

const ROUNDS = 9
/** The system counts in hundredths of a second: one command is too short for that. */
const IN_A_ROW = 4
const here = import.meta.dirname
const program = join(here, '../dist/cli/main.js')
const server = join(here, 'instant-server.mjs')

export function measureCallCpu() {
  const home = mkdtempSync(join(tmpdir(), 'bench-'))
  const empty = []
  const call = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const measures = [
      () => empty.push(cpuOf([process.execPath, '-e', '0'], home)),
      () => call.push(cpuOf([process.execPath, program, 'call', 'run', '--json', '--protocol', '2025-11-25', '--', process.execPath, server], home)),
    ]
    for (const measure of round % 2 === 0 ? measures : measures.toReversed()) measure()
  }
  rmSync(home, { recursive: true, force: true })
  const limit = 2.5 * median(empty) + 250
  return verdict(
    'call on an instant server, CPU with children',
    `${median(call)} ms (empty Node ${median(empty)} ms, limit ${Math.round(limit)} ms)`,
    median(call) <= limit,
  )
}

/** Milliseconds of user and system time, of the command and all that it started. */
function cpuOf(command, home) {
  const text = execFileSync('sh', ['-c', `for one in $(seq ${IN_A_ROW}); do "$@" >/dev/null || exit 1; done; times`, 'sh', ...command], {
    encoding: 'utf8',
    env: { ...process.env, CONSENTRY_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, children] = text.trim().split('\n')
  return Math.round(children.split(' ').reduce((sum, time) => sum + milliseconds(time), 0) / IN_A_ROW)
}

function milliseconds(time) {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(time)
  return Number(minutes) * 60_000 + Number(seconds) * 1000
}
