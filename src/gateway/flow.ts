import { mostCopied } from './edit.ts'
import type { Readable, Writable } from './streams.ts'

/** A stream that is read, unless somebody for whom it is meant does not take what it brings. */
export class Inlet {
  readonly #stream: Readable
  readonly #holders = new Set<object>()

  constructor(stream: Readable) {
    this.#stream = stream
  }

  get isHeld(): boolean {
    return this.#holders.size > 0
  }

  hold(holder: object): void {
    this.#holders.add(holder)
    this.#stream.pause()
  }

  release(holder: object): void {
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#stream.resume()
  }
}

/** So many bytes may wait for a reader before whoever sends is no longer read. */
const mostForwarded = 64 * 1024
/** Answers of ours are worth more patience: a server may ask a lot before it reads. */
const mostInjected = 1024 * 1024

/** A stream that is written to, by several; a reader that is slow slows down whoever writes to it, and nobody else. */
export class Outlet {
  readonly #stream: Writable
  readonly #held = new Set<Inlet>()
  readonly #onClosed: () => void
  /** Told of everything that is written, where somebody wants to see it. */
  onWrite: ((bytes: Buffer | string) => void) | undefined
  #isOpen = true

  /** @param onClosed called once, when the reader is gone */
  constructor(stream: Writable, onClosed: () => void) {
    this.#stream = stream
    this.#onClosed = onClosed
    stream.on('drain', () => this.#releaseAll())
    // A reader that is gone shows in the process that ends, or in the stream that does; until then what is meant for it is lost.
    stream.on('error', () => this.close())
    stream.on('close', () => this.close())
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Passes on what came from somewhere else, in one go. */
  forward(pieces: readonly Buffer[], from: Inlet): void {
    if (pieces.length === 1) return this.#write(pieces[0]!, from, mostForwarded)
    if (pieces.reduce((sum, { length }) => sum + length, 0) <= mostCopied) return this.#write(Buffer.concat(pieces), from, mostForwarded)
    this.#stream.cork()
    for (const piece of pieces) this.#write(piece, from, mostForwarded)
    this.#stream.uncork()
  }

  /** Says something of our own. @param asker who caused it */
  inject(bytes: Buffer | string, asker: Inlet): void {
    this.#write(bytes, asker, mostInjected)
  }

  /** Nothing more is written; what was written before is still delivered. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#releaseAll()
    this.#onClosed()
  }

  /** Waits until the reader has taken everything, or is gone. */
  drained(): Promise<void> {
    if (!this.#isOpen || this.#stream.writableLength === 0) return Promise.resolve()
    return new Promise((resolve) => {
      // Called when everything before it has left, or when it never will.
      this.#stream.write('', () => resolve())
      this.#stream.once('close', () => resolve())
    })
  }

  #write(bytes: Buffer | string, from: Inlet, most: number): void {
    if (!this.#isOpen) return
    this.onWrite?.(bytes)
    this.#stream.write(bytes)
    if (this.#stream.writableLength <= most) return
    this.#held.add(from)
    from.hold(this)
  }

  #releaseAll(): void {
    for (const inlet of this.#held) inlet.release(this)
    this.#held.clear()
  }
}

/** Hands everything that a stream brings over, and its end. @returns the function that ends the reading */
export function readInto(feed: { push(chunk: Buffer): void; end(): void }, stream: Readable, onEnd: () => void): () => void {
  const push = (chunk: Buffer): void => feed.push(chunk)
  const end = (): void => {
    feed.end()
    onEnd()
  }
  stream.on('data', push)
  stream.once('end', end)
  stream.once('close', end)
  // What broke shows in the end that follows.
  stream.on('error', () => {})
  return () => {
    stream.off('data', push)
    stream.pause()
  }
}
