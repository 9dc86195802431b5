import type { Clock } from './clock.ts'

/** A server that reads its list of folders again when it changes does so within this time. */
const rereadMs = 1000
/** Once it has the list, it is given this long to work with it. */
const applyMs = 100

/**
 * The time between the news that a list of folders has changed and the server's work with the new one: a call that it gets meanwhile would run in the old folders.
 *
 * Waited for is only a server that has asked for its folders of its own accord. One that has not read them again once is not waited for any more.
 */
export class Rereading {
  readonly #clock: Clock
  readonly #onOver: () => void
  #reads = false
  #isDeaf = false
  #over: Promise<void> | undefined
  #end: () => void = () => {}
  #cancel: () => void = () => {}

  /** @param onOver called whenever nobody has to wait any more */
  constructor(clock: Clock, onOver: () => void = () => {}) {
    this.#clock = clock
    this.#onOver = onOver
  }

  /** The server was told that its list has changed; or it was started afresh, and reads its list as it did the first time. */
  announced({ isFresh = false }: { readonly isFresh?: boolean } = {}): void {
    if (!this.#reads || (this.#isDeaf && !isFresh)) return
    this.#over ??= new Promise((resolve) => (this.#end = resolve))
    this.#endAfter(rereadMs, { isDeaf: true })
  }

  /** The server asks for its folders, on its own or in the middle of a call. @returns what is called when it has the answer */
  asked({ isInCall }: { readonly isInCall: boolean }): () => void {
    if (!isInCall) this.#reads = true
    this.#cancel()
    return () => {
      if (this.#over) this.#endAfter(applyMs, { isDeaf: false })
    }
  }

  /** Resolves when a call will find the server with its new folders; undefined where nothing is to be waited for. */
  get over(): Promise<void> | undefined {
    return this.#over
  }

  /** Nobody waits any more. Safe to call twice. */
  close(): void {
    this.#cancel()
    this.#finish()
  }

  #endAfter(milliseconds: number, { isDeaf }: { readonly isDeaf: boolean }): void {
    this.#cancel()
    this.#cancel = this.#clock.after(milliseconds, () => {
      this.#isDeaf = isDeaf
      this.#finish()
    })
  }

  #finish(): void {
    this.#over = undefined
    this.#end()
    this.#onOver()
  }
}
