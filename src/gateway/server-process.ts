import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Clock } from '../mcp/clock.ts'
import { unstartable } from '../mcp/unstartable.ts'
import { windowsCommand } from '../mcp/windows-command.ts'
import type { ServerEnd, ServerPort } from './server-port.ts'
import type { Readable, Writable } from './streams.ts'

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

export interface ServerProcessOptions extends ServerCommand {
  readonly platform: string
  readonly clock: Clock
  /** What the server says to people. It is always read, whoever listens. */
  readonly onStderr: (bytes: Buffer) => void
}

/** How long a server may take to leave, from the end of its input on. */
const terminateAfterMs = 1500
const killAfterMs = 3000
/** A process that is gone may have left helpers that hold its output: once nothing more comes they are not waited for. */
const drainMs = 200
/** What a server leaves behind is read for as long as the client takes it; once that is gone, so many times longer. */
const mostDrains = 5

/** The process behind the gateway: started once, never left behind. */
export class ServerProcess implements ServerPort {
  readonly input: Writable
  readonly output: Readable
  /** Resolves when the process is gone and all that it said has been read. */
  readonly ended: Promise<ServerEnd>
  readonly #child: ChildProcess
  readonly #options: ServerProcessOptions
  readonly #stops: (() => void)[] = []
  #isEnding = false
  #end: ServerEnd | undefined

  private constructor(child: ChildProcess, options: ServerProcessOptions) {
    this.#child = child
    this.#options = options
    this.input = child.stdin!
    this.output = child.stdout!
    child.stderr!.on('data', options.onStderr)
    child.stderr!.on('error', () => {})
    this.ended = new Promise((resolve) => {
      let isOver = false
      const finish = (): void => {
        if (isOver) return
        isOver = true
        for (const stop of this.#stops.splice(0)) stop()
        this.#killAll('SIGKILL')
        for (const stream of child.stdio) stream?.destroy()
        resolve(this.#end!)
      }
      child.once('exit', (code, signal) => {
        this.#end = { code, signal }
        this.#whenQuiet(finish)
      })
      child.once('close', finish)
    })
  }

  /** @throws ConsentryError `SERVER_UNREACHABLE` when the command cannot be started */
  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const child = start(options)
    const server = new ServerProcess(child, options)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', (error) => reject(unstartable(options, error, existsSync)))
    })
    return server
  }

  get hasExited(): boolean {
    return this.#end !== undefined
  }

  /** Ends the server: its input first, then with SIGTERM, then with SIGKILL. Safe to call twice. */
  end(): void {
    this.input.end()
    if (this.#isEnding) return
    this.#isEnding = true
    if (this.hasExited) return
    const { clock } = this.#options
    this.#stops.push(
      clock.after(terminateAfterMs, () => this.#killAll('SIGTERM')),
      clock.after(killAfterMs, () => this.#killAll('SIGKILL')),
    )
  }

  /** Passes a signal on that was meant for the server as well, and sees that it goes. */
  signal(signal: NodeJS.Signals): void {
    this.#killAll(signal)
    this.end()
  }

  /** Ends it at once. */
  kill(): void {
    this.#killAll('SIGKILL')
  }

  /** The whole group, so that helpers (what npx starts) go too. */
  #killAll(signal: NodeJS.Signals): void {
    try {
      if (this.#options.platform === 'win32') this.#child.kill(signal)
      else process.kill(-this.#child.pid!, signal)
    } catch {
      // Nobody is left to be ended.
    }
  }

  /** Calls back when nothing came for a while, though it was read. */
  #whenQuiet(callback: () => void, waits = 0): void {
    const before = bytesReadOf(this.output)
    this.#stops.push(
      this.#options.clock.after(drainMs, () => {
        const isBusy = this.output.isPaused() || bytesReadOf(this.output) > before
        if (isBusy && !(this.#isEnding && waits >= mostDrains)) this.#whenQuiet(callback, waits + 1)
        else callback()
      }),
    )
  }
}

function start({ command, args, env, cwd, platform }: ServerProcessOptions): ChildProcess {
  const isWindows = platform === 'win32'
  const line = isWindows ? windowsCommand(command, args, { env, cwd, exists: existsSync }) : { command, args, verbatim: false }
  try {
    return spawn(line.command, line.args, {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that helpers can be ended with it.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: line.verbatim,
    })
  } catch (cause) {
    throw unstartable({ command, cwd }, cause as Error, existsSync)
  }
}

function bytesReadOf(stream: Readable): number {
  return (stream as Readable & { readonly bytesRead?: number }).bytesRead ?? 0
}
