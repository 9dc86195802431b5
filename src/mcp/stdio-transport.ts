import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import { systemClock, within, type Clock } from './clock.ts'
import { LineReader } from '../protocol/line-reader.ts'
import { unstartable } from './unstartable.ts'
import { windowsCommand } from './windows-command.ts'

export interface StdioTransportOptions {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** The whole environment of the server: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Default 64 MB; a longer line ends the connection. */
  readonly maxLineBytes?: number | undefined
  /** Default 64 MB; a server that leaves more unread is ended. */
  readonly maxUnreadBytes?: number | undefined
  /** How long the server may take to leave when its input ends, and again after SIGTERM. Default 300 ms and 1.5 s. */
  readonly graceMs?: number | undefined
  readonly terminateMs?: number | undefined
  onStderr?: ((text: string) => void) | undefined
  /** What the server did against the protocol, in words for a log. */
  onFault?: ((fault: string) => void) | undefined
  readonly clock?: Clock | undefined
  readonly platform?: string | undefined
}

/** How the server's process ended; `stderr` is the end of what it said there. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

const stderrTail = 8192
const megabyte = 1024 * 1024
/** What a message that waits takes besides its text. */
const bytesPerMessage = 512
/** A process that is gone may have left helpers that hold its pipes: they are not waited for. */
const drainMs = 200

/**
 * Speaks with a server that runs as a child process, one JSON message a line.
 *
 * Junk on the server's stdout is reported and skipped, stderr is always read, and nothing of the server is left running after `close()`.
 * @see MCP basic/transports "stdio"
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** Children that live: when we go in a hurry they go too, because nobody else will end them. */
  static readonly #alive = new Set<StdioTransport>()
  readonly #options: StdioTransportOptions
  readonly #clock: Clock
  readonly #platform: string
  readonly #reader: LineReader
  #child: ChildProcess | undefined
  #end: Omit<ProcessEnd, 'stderr'> | undefined
  #stderr = ''
  #fault: string | undefined
  #unread = 0
  #closing: Promise<void> | undefined
  #over = false
  #announceOver = (): void => {}
  readonly #whenOver: Promise<void>

  constructor(options: StdioTransportOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#platform = options.platform ?? process.platform
    this.#whenOver = new Promise((resolve) => {
      this.#announceOver = resolve
    })
    const maxBytes = options.maxLineBytes ?? 64 * megabyte
    this.#reader = new LineReader({
      maxBytes,
      onLine: (text, intact) => this.#receive(text, intact),
      onTooLong: () => this.#giveUp(`The server sent a message of more than ${Math.floor(maxBytes / megabyte)} MB`),
    })
  }

  /** How the process ended, once it has. */
  get end(): ProcessEnd | undefined {
    return this.#end && { ...this.#end, stderr: this.#stderr }
  }

  /** Why we ended the connection ourselves, where we did. */
  get fault(): string | undefined {
    return this.#fault
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws ConsentryError `SERVER_UNREACHABLE` when the command cannot be started */
  async start(): Promise<void> {
    if (this.#child !== undefined || this.#closing !== undefined) throw new ConsentryError('INTERNAL', 'A transport can be started once')
    const child = this.#spawn()
    this.#child = child
    if (StdioTransport.#alive.size === 0) process.on('exit', StdioTransport.#killAll)
    StdioTransport.#alive.add(this)
    child.stdout!.on('data', (chunk: Uint8Array) => this.#reader.push(chunk))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    // A pipe that breaks shows in the write that fails and in the process that ends.
    for (const stream of [child.stdin!, child.stdout!, child.stderr!]) stream.on('error', () => {})
    child.once('exit', (code, signal) => {
      this.#end = { code, signal }
      const cancel = this.#clock.after(drainMs, () => this.#finish())
      void this.#whenOver.then(cancel)
    })
    child.once('close', () => this.#finish())
    // A server that closes its output has nothing more to say, even if it stays.
    child.stdout!.once('end', () => void this.#isOverIn(drainMs).then((isOver) => (isOver ? undefined : this.close())))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', (error) => {
        reject(this.#unreachable(error))
        if (child.pid === undefined) this.#finish()
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    return new Promise((resolve, reject) => {
      // How the server ended says more, and is known in a moment.
      const fail = (cause?: Error): void =>
        void this.#isOverIn(drainMs).then(() => reject(new ConsentryError('CONNECTION_LOST', 'The server no longer reads', { cause })))
      this.#checkUnread()
      if (!stdin?.writable || this.#over || this.#fault !== undefined) {
        fail()
        return
      }
      const line = `${JSON.stringify(message)}\n`
      this.#unread += 1
      stdin.write(line, (error) => {
        this.#unread -= 1
        if (error) fail(error)
        else resolve()
      })
    })
  }

  /** Ends the server: first its input, then with SIGTERM, then with SIGKILL. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown()
    return this.#closing
  }

  #spawn(): ChildProcess {
    const { command, args = [], env, cwd } = this.#options
    const isWindows = this.#platform === 'win32'
    const line = isWindows ? windowsCommand(command, args, { env, cwd, exists: existsSync }) : { command, args, verbatim: false }
    try {
      return spawn(line.command, line.args, {
        env,
        ...(cwd !== undefined && { cwd }),
        stdio: ['pipe', 'pipe', 'pipe'],
        // A group of its own, so that helpers (what npx starts) can be ended with it.
        detached: !isWindows,
        windowsHide: true,
        windowsVerbatimArguments: line.verbatim,
      })
    } catch (error) {
      throw this.#unreachable(error as Error)
    }
  }

  #receive(text: string, intact: boolean): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      this.#options.onFault?.(`The server wrote a line to its output that is no message: ${JSON.stringify(text.slice(0, 200))}`)
      return
    }
    // Without "jsonrpc" it counts as broken further on, where its id says who has to be told.
    const message = !intact && isJsonObject(value) ? { ...value, jsonrpc: 'not UTF-8' } : value
    this.onmessage?.(message as JSONRPCMessage)
  }

  #hear(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-stderrTail)
    this.#options.onStderr?.(text)
  }

  /** A server that asks and never reads would fill our memory with answers. */
  #checkUnread(): void {
    const { maxUnreadBytes = 64 * megabyte } = this.#options
    const waiting = (this.#child?.stdin?.writableLength ?? 0) + this.#unread * bytesPerMessage
    if (waiting > maxUnreadBytes) this.#giveUp(`The server does not read: more than ${Math.floor(maxUnreadBytes / megabyte)} MB wait for it`)
  }

  #giveUp(fault: string): void {
    if (this.#fault !== undefined) return
    this.#fault = fault
    this.#options.onFault?.(fault)
    // What it still says would only be more to keep.
    this.#child?.stdout?.pause()
    void this.close()
  }

  async #shutDown(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || this.#over) {
      this.#finish()
      return
    }
    child.stdin!.end()
    const { graceMs = 300, terminateMs = 1500 } = this.#options
    for (const [waitMs, next] of [
      [graceMs, 'SIGTERM'],
      [terminateMs, 'SIGKILL'],
    ] as const) {
      if (await this.#isOverIn(waitMs)) break
      this.#kill(child, next)
    }
    await this.#isOverIn(terminateMs)
    this.#finish()
  }

  async #isOverIn(milliseconds: number): Promise<boolean> {
    const over = this.#whenOver.then(() => true)
    return (await within(this.#clock, milliseconds, over)) ?? this.#end !== undefined
  }

  /** Reaches the whole group, also where its leader is gone and helpers are left. */
  #kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      if (this.#platform !== 'win32') process.kill(-child.pid!, signal)
      // There are no groups on Windows, and only one way to be ended: with everything that was started.
      else if (this.#end === undefined)
        spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill())
    } catch {
      // Nobody is left to be ended.
    }
  }

  static readonly #killAll = (): void => {
    for (const transport of StdioTransport.#alive) if (transport.#child?.pid !== undefined) transport.#kill(transport.#child, 'SIGKILL')
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#reader.end()
    if (StdioTransport.#alive.delete(this) && StdioTransport.#alive.size === 0) process.off('exit', StdioTransport.#killAll)
    if (this.#child?.pid !== undefined) this.#kill(this.#child, 'SIGKILL')
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.#announceOver()
    this.onclose?.()
  }

  #unreachable(cause: Error): ConsentryError {
    return unstartable(this.#options, cause, existsSync)
  }
}
