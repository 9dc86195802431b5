import { cutBeginning } from '../audit/cut-beginning.ts'
import type { DeskSession } from '../protocol/index.ts'

/** So much of what a server wrote last is kept for a desk, in characters, about; cut so that no secret is cut apart. */
const mostKept = 16 * 1024
/** A desk is told at most so often, in milliseconds. */
const pauseMs = 250

/** What a server says to people, for the desk's console: its last lines, a few times a second, however much it writes. Where there is no desk nobody waits for one. */
export class StderrNews {
  readonly #decoder = new TextDecoder()
  #text = ''
  #session: DeskSession | undefined
  #timer: NodeJS.Timeout | undefined

  push(bytes: Buffer): void {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    if (this.#text.length > mostKept * 2) this.#text = cutBeginning(this.#text, mostKept)
    if (this.#session) this.#tellLater()
  }

  /** Somebody is there to be told: what was written until now, and what comes. */
  tell(session: DeskSession): void {
    this.#session = session
    if (this.#text !== '') this.#tellLater()
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
    const text = cutBeginning(this.#text, mostKept)
    this.#text = ''
    if (text !== '') this.#session?.heard?.({ kind: 'stderr', text })
  }
}
