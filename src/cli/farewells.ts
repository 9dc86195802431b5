/** What must not be left behind. */
export interface Companion {
  /** Passes a signal on to it that was meant for both, and ends it. */
  end(signal: NodeJS.Signals): void
  /** Ends it at once: this process is going. */
  kill(): void
}

/** Signals that ask us to go; the server gets them too. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Passes on the signals that ask this process to go, to whoever goes with it: from before there is anybody, so that no moment is left in which it would stay behind. */
export class Farewells {
  readonly #missed: NodeJS.Signals[] = []
  #companion: Companion | undefined

  constructor() {
    for (const signal of signals) process.on(signal, this.#passOn)
    process.on('exit', this.#kill)
  }

  /** From now on they go there, and what was missed at once. */
  passTo(companion: Companion): void {
    this.#companion = companion
    for (const signal of this.#missed.splice(0)) companion.end(signal)
  }

  /** Signals do again what they do to any process. Safe to call twice. */
  close(): void {
    for (const signal of signals) process.off(signal, this.#passOn)
    process.off('exit', this.#kill)
  }

  readonly #passOn = (signal: NodeJS.Signals): void => {
    if (this.#companion) this.#companion.end(signal)
    else this.#missed.push(signal)
  }

  readonly #kill = (): void => this.#companion?.kill()
}
