import type { ClientRequest } from './client-requests.ts'
import type { Handshake } from './handshake.ts'
import type { Wire } from './wire.ts'

const advice = 'A wrap does not bridge the two: take a client or a server that speaks both, or the other one'

/** Tells a person that client and server are of different eras, where their errors alone would leave them guessing; each of the two once. */
export class ForeignEra {
  readonly #handshake: Handshake
  readonly #wire: Wire
  #isHandshakeTold = false
  #isRequestTold = false

  constructor({ handshake, wire }: { readonly handshake: Handshake; readonly wire: Wire }) {
    this.#handshake = handshake
    this.#wire = wire
  }

  /** The server answers this with an error. */
  noteError({ method, owners }: Pick<ClientRequest, 'method' | 'owners'>): void {
    if (method === 'initialize' && !this.#isHandshakeTold) {
      this.#isHandshakeTold = true
      this.#wire.notice(`the server refuses the handshake: it may speak 2026-07-28 alone, and its client what came before. ${advice}`)
    }
    // A client that speaks both only tries with this one.
    if (owners === undefined || method === 'server/discover' || this.#handshake.hello !== undefined || this.#isRequestTold) return
    this.#isRequestTold = true
    this.#wire.notice(`the server refuses ${method} of 2026-07-28: it may speak what came before alone, and its client this. ${advice}`)
  }
}
