import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'

/** The other end of a connection in memory. */
export interface FarEnd {
  receive(message: JsonObject): void
  /** The client is gone. */
  end(): void
}

/**
 * The client's end of a connection in this process: a `Transport` of the SDK, to be handed to whatever connects over one.
 *
 * Messages arrive in their order, later than they were sent, and as copies: like over a wire, nothing is shared.
 */
export class MemoryTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  readonly #far: FarEnd
  /** What came before anybody listened. */
  readonly #early: JSONRPCMessage[] = []
  #state: 'new' | 'open' | 'closed' = 'new'

  constructor(far: FarEnd) {
    this.#far = far
  }

  /** @throws ConsentryError `CONNECTION_LOST` when it was closed before */
  async start(): Promise<void> {
    if (this.#state === 'closed') throw lost()
    this.#state = 'open'
    for (const message of this.#early.splice(0)) this.onmessage?.(message)
  }

  /** @throws ConsentryError `CONNECTION_LOST` when either end is closed */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === 'closed') throw lost()
    const copy = JSON.parse(JSON.stringify(message)) as JsonObject
    queueMicrotask(() => {
      if (this.#state !== 'closed') this.#far.receive(copy)
    })
  }

  /** A message of the server; what comes after the end is dropped. */
  deliver(message: JsonObject): void {
    const copy = JSON.parse(JSON.stringify(message)) as JSONRPCMessage
    queueMicrotask(() => {
      if (this.#state === 'new') this.#early.push(copy)
      if (this.#state === 'open') this.onmessage?.(copy)
    })
  }

  /** Closes both ends. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#far.end()
    this.onclose?.()
  }
}

function lost(): ConsentryError {
  return new ConsentryError('CONNECTION_LOST', 'The connection to the scripted server is closed.')
}
