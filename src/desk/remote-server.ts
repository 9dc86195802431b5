import { createListeners } from '../protocol/index.ts'
import { RemoteCaller, type CallerNeeds } from './remote-caller.ts'
import { RemoteChannel, type ByteStream } from './remote-channel.ts'
import { greetCaller } from './remote-greeting.ts'
import { deskLimits } from './remote-limits.ts'

export interface RemoteServerOptions extends Omit<CallerNeeds, 'onIdle'> {
  /** What whoever may ask knows. */
  readonly key: string
  /** A wrap of a newer version called: this desk is to make room for one that it understands. */
  readonly onNewer: () => void
  readonly versions?: readonly number[] | undefined
  /** How long a greeting may take, in milliseconds. Default: 5 seconds. */
  readonly greetingMs?: number | undefined
}

export interface RemoteServerEvents {
  /** A wrap came or went, or nothing that one asked waits any more. */
  readonly changed: undefined
}

/** So many may be in the middle of a greeting; then whoever takes longest makes room, so that nobody keeps others out by saying nothing. */
const mostGreetings = 64
/** A wrap that does not hang up itself is not waited for longer. */
const goodbyeMs = 1000

/** The desk's side of its socket: greets whoever calls, and serves each wrap sessions of the desk. It can be asked here, and decides nothing here. */
export class RemoteServer {
  readonly #options: RemoteServerOptions
  readonly #listeners = createListeners<RemoteServerEvents>()
  readonly #greetings = new Set<RemoteChannel>()
  readonly #callers = new Map<RemoteCaller, RemoteChannel>()
  #isClosed = false

  constructor(options: RemoteServerOptions) {
    this.#options = options
  }

  /** What whoever may ask knows. */
  get key(): string {
    return this.#options.key
  }

  /** Wraps that are connected now. */
  get size(): number {
    return this.#callers.size
  }

  /** Questions of wraps that wait now. */
  get waiting(): number {
    return Array.from(this.#callers.keys()).reduce((sum, { size }) => sum + size, 0)
  }

  /** Takes a connection. */
  accept(stream: ByteStream): void {
    const channel = new RemoteChannel(stream, deskLimits)
    if (this.#isClosed) return channel.breakOff('the desk takes nobody now')
    if (this.#greetings.size >= mostGreetings) this.#makeRoom()
    this.#greetings.add(channel)
    const timer = setTimeout(() => channel.breakOff('it does not greet'), this.#options.greetingMs ?? 5000)
    void greetCaller(channel, this.#options).then((end) => {
      clearTimeout(timer)
      this.#greetings.delete(channel)
      if (end.outcome === 'refused') return channel.breakOff(end.why)
      if (end.outcome === 'welcome') return this.#welcome(channel)
      channel.close()
      if (end.isNewer) this.#options.onNewer()
    })
  }

  /** @returns the function that undoes it */
  on<Name extends keyof RemoteServerEvents>(event: Name, listener: (detail: RemoteServerEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Resolves when nothing that a wrap asked waits. */
  whenIdle(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = this.on('changed', () => {
        if (this.waiting > 0) return
        stop()
        resolve()
      })
    })
  }

  /** Hangs up: what was answered still arrives, what waits is withdrawn. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const channel of this.#greetings) channel.breakOff('the desk is closed')
    const channels = [...this.#callers.values()]
    for (const channel of channels) channel.close()
    const timer = setTimeout(() => channels.forEach((channel) => channel.breakOff('it does not hang up')), goodbyeMs)
    await Promise.all(channels.map(({ closed }) => closed))
    clearTimeout(timer)
  }

  #makeRoom(): void {
    for (const slowest of this.#greetings) {
      this.#greetings.delete(slowest)
      return slowest.breakOff('it does not greet, and others call')
    }
  }

  #welcome(channel: RemoteChannel): void {
    const sayChanged = (): void => this.#listeners.emit('changed', undefined)
    const caller = new RemoteCaller(channel, { ...this.#options, onIdle: sayChanged })
    this.#callers.set(caller, channel)
    sayChanged()
    void channel.closed.then(() => {
      this.#callers.delete(caller)
      sayChanged()
    })
  }
}
