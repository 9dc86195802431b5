import type { DeskSession } from '../protocol/index.ts'

/** So much of what a server wrote last is kept for a desk, in bytes. */
const mostKept = 16 * 1024
/** A desk is told at most so often, in milliseconds. */
const pauseMs = 250

/** What a server says to people, for the desk's console: its last lines, a few times a second, however much it writes. Where there is no desk nobody waits for one. */
export class StderrNews {
  readonly #text = new TextDecoder()
  #kept: Buffer[] = []
  #bytes = 0
  #session: DeskSession | undefined
  #timer: NodeJS.Timeout | undefined

  push(bytes: Buffer): void {
    this.#kept.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > mostKept * 2) this.#keepLast()
    if (this.#session) this.#tellLater()
  }

  /** Somebody is there to be told: what was written until now, and what comes. */
  tell(session: DeskSession): void {
    this.#session = session
    if (this.#bytes > 0) this.#tellLater()
  }

  /** Tells the last that is there. Safe to call twice. */
  close(): void {
    if (this.#session) this.#tell()
    this.#session = undefined
  }

  #tellLater(): void {
    this.#timer ??= setTimeout(() => this.#tell(), pauseMs).unref()
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#keepLast()
    const text = this.#text.decode(Buffer.concat(this.#kept), { stream: true })
    this.#kept = []
    this.#bytes = 0
    if (text !== '') this.#session?.heard?.({ kind: 'stderr', text })
  }

  #keepLast(): void {
    if (this.#bytes <= mostKept) return
    this.#kept = [Buffer.concat(this.#kept).subarray(-mostKept)]
    this.#bytes = mostKept
  }
}
