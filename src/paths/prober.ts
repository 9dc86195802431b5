import { spawn, type ChildProcess } from 'node:child_process'
import type { FarDisk } from './bounded-disk.ts'
import { entryOf, faultOf, learnBirths, type RawStats } from './disk-entry.ts'

export interface ProberOptions {
  /** What the other process runs. Default: what answers. */
  readonly program?: string | undefined
  /** Milliseconds after which a process that nobody asks is killed. Default: 10,000. */
  readonly idle?: number | undefined
}

interface Question {
  readonly id: number
  readonly path: string
  readonly wish: 'stats' | 'read-folder' | 'read-file'
}

interface Answer {
  readonly id: number
  readonly stats?: RawStats | undefined
  /** The system's error, where there was one. */
  readonly code?: string | undefined
}

/** Calls that may hang over there at once. */
const THREADS = '32'
/** A process that dies is not started again at once. */
const PAUSE_MS = 1000

/**
 * Looks at paths by way of another process, started with the first question: a call that hangs hangs there, and that process can be killed.
 * What it does not answer before it dies is not there to be reached.
 */
export function openProber({ program = `(${String(answerProbes)})()`, idle = 10_000 }: ProberOptions = {}): FarDisk {
  const waiting = new Map<number, (answer: Answer) => void>()
  let child: ChildProcess | undefined
  let startedAt = -Infinity
  let ending: NodeJS.Timeout | undefined
  let count = 0

  function ask(path: string, wish: Question['wish']): Promise<Answer> {
    const id = (count += 1)
    return new Promise((resolve) => {
      const prober = (child ??= start())
      if (!prober) return resolve({ id, code: 'EIO' })
      waiting.set(id, resolve)
      prober.send({ id, path, wish } satisfies Question, (error) => error && end(prober))
      clearTimeout(ending)
      ending = setTimeout(() => end(prober), idle).unref()
    })
  }

  function start(): ChildProcess | undefined {
    if (performance.now() - startedAt < PAUSE_MS) return undefined
    startedAt = performance.now()
    const started = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // An application on Electron would start itself a second time.
      env: { UV_THREADPOOL_SIZE: THREADS, ELECTRON_RUN_AS_NODE: '1' },
      windowsHide: true,
    })
    started.on('message', (answer: Answer) => {
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    })
    started.on('error', () => end(started))
    started.on('exit', () => end(started))
    started.unref()
    started.channel?.unref()
    return started
  }

  /** A call that hangs for good keeps even a killed process; nobody waits for that. */
  function end(prober: ChildProcess): void {
    if (child !== prober) return
    child = undefined
    clearTimeout(ending)
    prober.kill('SIGKILL')
    for (const [id, resolve] of waiting) resolve({ id, code: 'EIO' })
    waiting.clear()
  }

  return {
    async inspect(path) {
      const { stats, code } = await ask(path, 'stats')
      if (!stats) return faultOf(code)
      learnBirths(stats)
      return entryOf(stats)
    },
    canRead: async (path, kind) => (await ask(path, kind === 'folder' ? 'read-folder' : 'read-file')).code === undefined,
  }
}

/** Runs in the other process, from its text: nothing of this file exists there. */
function answerProbes(): void {
  const { stat, access, constants } = process.getBuiltinModule('node:fs').promises
  const answer = async ({ id, path, wish }: Question): Promise<void> => {
    try {
      if (wish !== 'stats') {
        await access(path, wish === 'read-folder' ? constants.R_OK | constants.X_OK : constants.R_OK)
        process.send?.({ id })
        return
      }
      const stats = await stat(path, { bigint: true })
      const { dev, ino, birthtimeNs, ctimeNs } = stats
      process.send?.({ id, stats: { kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', dev, ino, birthtimeNs, ctimeNs } })
    } catch (error) {
      process.send?.({ id, code: String((error as { code?: unknown }).code) })
    }
  }
  process.on('message', (question: Question) => void answer(question))
  process.on('disconnect', () => process.exit())
}
