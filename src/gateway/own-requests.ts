import type { Envelope } from './envelope.ts'
import type { OwnIds } from './own-ids.ts'
import type { Wire } from './wire.ts'
import { writeRetry } from './write-retry.ts'

/** What a server answered to a request of our own. */
export interface OwnReply {
  readonly isError: boolean
  /** Of the whole line. */
  readonly bytes: Buffer
  readonly envelope: Extract<Envelope, { readonly kind: 'response' }>
}

/** Requests that we make ourselves of the server; the client sees nothing of them. */
export class OwnRequests {
  readonly #wire: Wire
  readonly #ownIds: OwnIds
  readonly #open = new Map<unknown, (reply: OwnReply | undefined) => void>()
  #isClosed = false

  constructor({ wire, ownIds }: { readonly wire: Wire; readonly ownIds: OwnIds }) {
    this.#wire = wire
    this.#ownIds = ownIds
  }

  /** @param line of a request, without its end, whatever its id @returns undefined where there is nobody any more who could answer */
  ask(line: Buffer): Promise<OwnReply | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    const id = this.#ownIds.create()
    return new Promise((resolve) => {
      this.#open.set(id, resolve)
      this.#wire.toServer(Buffer.concat([writeRetry(line, { id: Buffer.from(JSON.stringify(id)) }), lineEnd]))
    })
  }

  /** Takes a response that is for nobody else. */
  take(bytes: Buffer, envelope: OwnReply['envelope']): void {
    const resolve = this.#open.get(envelope.id.value)
    this.#open.delete(envelope.id.value)
    // The bytes are only lent.
    resolve?.({ isError: envelope.result === undefined, bytes: Buffer.from(bytes), envelope })
  }

  /** The server is gone. Safe to call twice. */
  end(): void {
    for (const resolve of this.#open.values()) resolve(undefined)
    this.#open.clear()
  }

  /** Nobody is asked any more. Safe to call twice. */
  close(): void {
    this.#isClosed = true
    this.end()
  }
}

const lineEnd = Buffer.from('\n')
