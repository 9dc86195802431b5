/** Everybody who waits for something of a connection: whoever gives up, and all of them when it is closed. */
export class Askers {
  readonly #open = new Set<AbortController>()
  #closed: Error | undefined

  /** Runs with a controller that ends with the asker's signal and with the connection. */
  async follow<Result>(signal: AbortSignal, run: (asker: AbortController) => Promise<Result>): Promise<Result> {
    const asker = new AbortController()
    const abort = (): void => asker.abort((signal as { reason: unknown }).reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    if (this.#closed) asker.abort(this.#closed)
    this.#open.add(asker)
    try {
      return await run(asker)
    } finally {
      this.#open.delete(asker)
      signal.removeEventListener('abort', abort)
    }
  }

  /** @param reason why nobody gets an answer any more */
  close(reason: Error): void {
    this.#closed = reason
    for (const asker of this.#open) asker.abort(reason)
  }
}
