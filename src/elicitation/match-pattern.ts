import { createContext, Script, type Context } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { flagsToTry, weighPattern, type PatternFlags } from './pattern-dialect.ts'

export interface PatternCheck {
  /** ECMA-262 source, unanchored. */
  readonly pattern: string
  readonly text: string
}

/** `unusable`: no ECMA-262 expression, so that it asks for nothing. `timed-out`: not decided, so that nothing may be claimed. */
export type PatternVerdict = 'match' | 'no-match' | 'timed-out' | 'unusable'

/** Matches the patterns of one whole form within one second, whatever they are. Verdicts come in the order of the checks. Never rejects. */
export type PatternMatcher = (checks: readonly PatternCheck[]) => Promise<readonly PatternVerdict[]>

/** Each pattern once, however many texts it is matched with: a hostile form may use a large one everywhere. */
interface Expression {
  readonly pattern: string
  readonly flags: readonly PatternFlags[]
}

interface Job {
  readonly expression: Expression
  readonly text: string
}

export interface MatcherOptions {
  /** Milliseconds for all patterns of one call. Default 900: one form's second, less what it takes to say the result. */
  readonly wholeFormMs?: number | undefined
}

/** How long the thread that serves everyone may be held up by one call, and by one pattern of it. Of its own work: a busy machine is no hostile pattern. */
const inlineMs = 40
const inlineTurnMs = 15
const heaviestInline = 10_000
const heaviestEver = 300_000
const mostWorkers = 2

/**
 * Runs a server's patterns as V8 does, but so that they can be interrupted: a moment here, the rest of the second in a worker that is then ended.
 *
 * Keeps no worker and no timer beyond the promise.
 */
export function createPatternMatcher({ wholeFormMs = 900 }: MatcherOptions = {}): PatternMatcher {
  return async (checks) => {
    const deadline = performance.now() + wholeFormMs
    const expressions = new Map<string, Expression & { readonly isLight: boolean }>()
    let weightLeft = heaviestInline
    for (const pattern of new Set(checks.map((check) => check.pattern))) {
      const weight = weighPattern(pattern)
      const isLight = weight <= weightLeft
      if (isLight) weightLeft -= weight
      expressions.set(pattern, { pattern, flags: weight > heaviestEver ? [] : flagsToTry(pattern), isLight })
    }
    const jobs = checks.map(({ pattern, text }) => ({ expression: expressions.get(pattern)!, text }))
    const verdicts = jobs.map(({ expression }): PatternVerdict | undefined => (expression.flags.length === 0 ? 'timed-out' : undefined))
    const undecided = (): readonly number[] => [...jobs.keys()].filter((index) => verdicts[index] === undefined)
    matchHere(
      jobs,
      undecided().filter((index) => jobs[index]!.expression.isLight),
      verdicts,
      deadline,
    )
    if (undecided().length > 0) await matchInWorker(jobs, undecided(), verdicts, deadline)
    return verdicts.map((verdict) => verdict ?? 'timed-out')
  }
}

/** The matcher that everything here uses. */
export const matchPattern: PatternMatcher = createPatternMatcher()

/** Plain script for both sides. `verdicts` is filled while it runs, so that an interruption loses only what was being matched. */
const matchSource = `
function decide({ expression: { pattern, flags }, text }) {
  for (const flag of flags) {
    let compiled
    try { compiled = new RegExp(pattern, flag) } catch { continue }
    try { return compiled.test(text) ? 'match' : 'no-match' } catch { return 'timed-out' }
  }
  return 'unusable'
}
for (const index of indexes) if (!verdicts[index]) verdicts[index] = decide(jobs[index])`

let room: { readonly context: Context; readonly script: Script } | undefined

function matchHere(jobs: readonly Job[], indexes: readonly number[], verdicts: (PatternVerdict | undefined)[], deadline: number): void {
  if (indexes.length === 0) return
  room ??= { context: createContext(Object.create(null) as Context), script: new Script(`(() => {${matchSource}\n})()`) }
  const { context, script } = room
  const workedSince = stopwatch()
  let rest = indexes
  while (rest.length > 0) {
    const timeout = Math.floor(Math.min(inlineTurnMs, inlineMs - workedSince(), deadline - performance.now()))
    if (timeout < 1) return
    Object.assign(context, { jobs, indexes: rest, verdicts })
    const workedInTurn = stopwatch()
    let isStarved = false
    try {
      script.runInContext(context, { timeout })
    } catch {
      // Interrupted: the one that was being matched waits for a worker, those after it get their turn here; unless the machine gave it no time at all.
      isStarved = workedInTurn() < timeout / 2
    } finally {
      Object.assign(context, { jobs: undefined, indexes: undefined, verdicts: undefined })
    }
    const stuck = rest.findIndex((index) => verdicts[index] === undefined)
    rest = stuck < 0 ? [] : rest.slice(isStarved ? stuck : stuck + 1)
  }
}

/** Tells how many milliseconds this process has worked since, on all of its threads. */
function stopwatch(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/**
 * Gives every pattern a short turn before any gets a long one, so that a hostile pattern does not keep the others from being decided.
 * Listens at the end, because what a worker says as it leaves may be lost: it stays until it is ended.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads')
const { createContext, Script } = require('node:vm')
const { jobs } = workerData
const verdicts = jobs.map(() => undefined)
const context = createContext({ jobs, verdicts })
const script = new Script(${JSON.stringify(`(() => {${matchSource}\n})()`)})
for (let timeout = 10; verdicts.includes(undefined); timeout *= 4)
  for (const job of jobs.keys()) {
    if (verdicts[job]) continue
    context.indexes = [job]
    try { script.runInContext(context, { timeout }) } catch {}
    if (verdicts[job]) parentPort.postMessage({ job, verdict: verdicts[job] })
  }
parentPort.on('message', () => undefined)`

let workers = 0
const waiting: (() => void)[] = []

async function matchInWorker(jobs: readonly Job[], indexes: readonly number[], verdicts: (PatternVerdict | undefined)[], deadline: number): Promise<void> {
  if (!(await takePlace(deadline))) return
  let worker: Worker
  try {
    const workerData = { jobs: indexes.map((index) => jobs[index]) }
    worker = new Worker(workerSource, { eval: true, workerData, env: {}, execArgv: [], stdout: true, stderr: true })
  } catch {
    // No thread can be had here: what is undecided stays so.
    leavePlace()
    return
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()))
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    worker.on('message', ({ job, verdict }: { readonly job: number; readonly verdict: PatternVerdict }) => {
      verdicts[indexes[job]!] = verdict
      if (indexes.every((index) => verdicts[index] !== undefined)) end()
    })
    worker.on('error', end)
    worker.on('exit', end)
  })
  void worker.terminate().finally(leavePlace)
}

/** A burst of hostile forms must not become a burst of threads. False: no place became free in time. */
async function takePlace(deadline: number): Promise<boolean> {
  if (workers < mostWorkers) {
    workers += 1
    return true
  }
  return new Promise((resolve) => {
    const enter = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(
      () => {
        waiting.splice(waiting.indexOf(enter), 1)
        resolve(false)
      },
      Math.max(0, deadline - performance.now()),
    )
    waiting.push(enter)
  })
}

function leavePlace(): void {
  const next = waiting.shift()
  if (next === undefined) workers -= 1
  else next()
}
