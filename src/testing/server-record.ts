import { ConsentryError } from '../errors.ts'
import type { Era, JsonObject } from '../protocol/index.ts'
import type { ClientAnswer, ScriptedQuestion } from './script.ts'

/** One question that was asked, and what came back. */
export interface RecordedAnswer {
  readonly question: ScriptedQuestion
  readonly answer: ClientAnswer
  readonly era: Era
  /** The tool, prompt or resource in whose middle it was asked; absent for questions outside any call. */
  readonly during?: string | undefined
}

interface Waiter {
  readonly method: string
  readonly resolve: (message: JsonObject) => void
  readonly reject: (error: unknown) => void
}

/** What a scripted server saw, for tests to look at. */
export class ServerRecord {
  /** Every message of the client, oldest first, as it came. */
  readonly received: JsonObject[] = []
  /** Every answer, oldest first. */
  readonly answers: RecordedAnswer[] = []
  /** What went wrong in the scripts themselves. */
  readonly faults: unknown[] = []
  readonly #waiters = new Set<Waiter>()
  #closed = false

  add(message: JsonObject): void {
    this.received.push(message)
    for (const waiter of this.#waiters) {
      if (waiter.method !== message['method']) continue
      this.#waiters.delete(waiter)
      waiter.resolve(message)
    }
  }

  /** The first message with this method: one that is there already, or the next that comes. */
  async waitFor(method: string, signal?: AbortSignal): Promise<JsonObject> {
    const known = this.received.find((message) => message['method'] === method)
    if (known !== undefined) return known
    signal?.throwIfAborted()
    if (this.#closed) throw gone(method)
    let stop: (() => void) | undefined
    const message = new Promise<JsonObject>((resolve, reject) => {
      const waiter = { method, resolve, reject }
      this.#waiters.add(waiter)
      stop = () => {
        this.#waiters.delete(waiter)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', stop, { once: true })
    })
    return message.finally(() => stop && signal?.removeEventListener('abort', stop))
  }

  /** Nothing more will come: whoever waits is told so. */
  close(): void {
    this.#closed = true
    for (const { method, reject } of this.#waiters) reject(gone(method))
    this.#waiters.clear()
  }
}

function gone(method: string): ConsentryError {
  return new ConsentryError('CONNECTION_LOST', `The client never sent ${method}: the scripted server was closed.`, { data: { method } })
}
