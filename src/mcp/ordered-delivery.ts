import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/client'

/** Who takes the messages; undefined while nobody does. */
export type Taker = () => ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined

/**
 * Hands messages on in the order in which they came, and keeps them while nobody takes them.
 *
 * The SDK handles a notification one microtask late: without a pause after each, a response in the same chunk would end the call before its last progress.
 */
export class OrderedDelivery {
  readonly #taker: Taker
  readonly #onError: (error: Error) => void
  readonly #waiting: { readonly message: JSONRPCMessage; readonly extra: MessageExtraInfo | undefined }[] = []
  #next = 0
  #isRunning = false

  constructor(taker: Taker, onError: (error: Error) => void) {
    this.#taker = taker
    this.#onError = onError
  }

  push(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    this.#waiting.push({ message, extra })
    this.resume()
  }

  /** Somebody takes messages now. */
  resume(): void {
    if (!this.#isRunning && this.#taker() !== undefined) void this.#run()
  }

  /** Hands on at once what is there: nothing comes any more. */
  flush(): void {
    while (this.#taker() !== undefined && this.#handNext() !== undefined);
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let message = this.#handNext(); message !== undefined; message = this.#handNext()) {
      if ('method' in message && !('id' in message)) await Promise.resolve()
    }
    this.#isRunning = false
  }

  #handNext(): JSONRPCMessage | undefined {
    const next = this.#waiting[this.#next]
    this.#next += 1
    if (next === undefined) {
      this.#waiting.length = 0
      this.#next = 0
      return undefined
    }
    try {
      this.#taker()?.(next.message, next.extra)
    } catch (error) {
      this.#onError(error as Error)
    }
    return next.message
  }
}
