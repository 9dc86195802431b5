import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { LineReader } from '../protocol/line-reader.ts'

/** Bytes in both directions; a socket of Node is one. */
export interface ByteStream {
  readonly writableLength: number
  write(text: string): boolean
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'close' | 'drain' | 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
  end(): unknown
  destroy(): unknown
}

export interface ChannelLimits {
  /** Of one message, in bytes. */
  readonly message: number
  /** Of what may wait for a peer that does not read, in bytes: more ends the connection. */
  readonly waiting: number
  /** From so many bytes on that wait for the peer, nothing more of it is read. Absent: it is always read. */
  readonly patience?: number | undefined
}

/** So many bytes may wait for a peer before nothing more is sent that may as well be lost. */
const mostOffered = 256 * 1024

/** What is said before both know each other is short. */
const longestGreeting = 4096

/**
 * Messages over a stream: one JSON object a line, in both directions. Whatever is no such line ends the connection, because nobody can tell what it was.
 *
 * Until `open` is called, messages are taken one by one with `next`, and short.
 */
export class RemoteChannel {
  /** Resolves when the connection is over, with a reason where it was broken off. */
  readonly closed: Promise<string | undefined>
  /** What both agreed to speak; known when they have greeted each other. */
  version = 1
  readonly #stream: ByteStream
  readonly #limits: ChannelLimits
  #most = longestGreeting
  #early: JsonObject | undefined
  #take: ((message: JsonObject | undefined) => void) | undefined
  #onMessage: ((message: JsonObject, bytes: number) => void) | undefined
  #why: string | undefined
  #isOver = false
  #finish: () => void = () => undefined

  constructor(stream: ByteStream, limits: ChannelLimits) {
    this.#stream = stream
    this.#limits = limits
    this.closed = new Promise((resolve) => (this.#finish = () => resolve(this.#why)))
    const most = (): number => this.#most
    const reader = new LineReader({
      get maxBytes() {
        return most()
      },
      onLine: (text, isIntact) => this.#read(isIntact ? text : undefined),
      onTooLong: () => this.breakOff(`a message is longer than ${this.#most} bytes`),
    })
    stream.on('data', (bytes) => {
      if (!this.#isOver) reader.push(bytes)
    })
    stream.on('drain', () => stream.resume())
    stream.on('error', ({ message }) => this.breakOff(message))
    stream.on('end', () => stream.end())
    stream.on('close', () => this.#end())
  }

  /** The next message of a greeting; undefined where the connection is over. At most one may come before it is asked for. */
  next(): Promise<JsonObject | undefined> {
    const early = this.#early
    this.#early = undefined
    if (early !== undefined || this.#isOver) return Promise.resolve(early)
    return new Promise((resolve) => (this.#take = resolve))
  }

  /** Both know each other: from now on messages go here. */
  open(onMessage: (message: JsonObject, bytes: number) => void): void {
    this.#most = this.#limits.message
    this.#onMessage = onMessage
    const early = this.#early
    this.#early = undefined
    if (early) onMessage(early, 0)
  }

  /**
   * Sends a message; once the connection is over, nothing happens.
   *
   * @returns false: it is too long to be taken, or cannot be written, and was not sent
   */
  send(message: object): boolean {
    if (this.#isOver) return true
    const line = writeLine(message)
    if (line === undefined || line.length > this.#limits.message) return false
    this.#stream.write(line)
    const { writableLength } = this.#stream
    if (writableLength > this.#limits.waiting) this.breakOff('it does not read what it is sent')
    else if (writableLength > (this.#limits.patience ?? Infinity)) this.#stream.pause()
    return true
  }

  /** Sends what may be lost: where a lot waits for the peer already, it is. @returns whether it was sent */
  offer(message: object): boolean {
    return !this.#isOver && this.#stream.writableLength <= mostOffered && this.send(message)
  }

  /** Ends the connection; what was sent before still arrives. Safe to call twice. */
  close(): void {
    this.#stream.resume()
    this.#stream.end()
  }

  /** Ends the connection at once. Safe to call twice. */
  breakOff(why: string): void {
    if (this.#isOver) return
    this.#why ??= why
    this.#stream.destroy()
    this.#end()
  }

  #read(text: string | undefined): void {
    if (this.#isOver) return
    const message = text === undefined ? undefined : parse(text)
    if (message === undefined) return this.breakOff('it says something that is no message')
    if (this.#onMessage) return this.#onMessage(message, text!.length)
    const take = this.#take
    this.#take = undefined
    if (take) take(message)
    else if (this.#early) this.breakOff('it speaks before it is asked')
    else this.#early = message
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#take?.(undefined)
    this.#finish()
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Undefined for what is nested too deeply to be written. */
function writeLine(message: object): string | undefined {
  try {
    return `${JSON.stringify(message)}\n`
  } catch {
    return undefined
  }
}
