import type { Handshake } from './handshake.ts'
import type { LazySession } from './lazy-session.ts'
import { notificationLine } from './request-lines.ts'
import type { Wire } from './wire.ts'

/**
 * Tells the server that its folders have changed: only where that was promised by us, and never before the client's `initialized`. The modern era has no such news.
 *
 * @see MCP 2025-11-25 client/roots "Root List Changes"
 */
export class RootNews {
  readonly #handshake: Handshake
  readonly #wire: Wire
  #isDue = false

  constructor({ handshake, wire, session }: { readonly handshake: Handshake; readonly wire: Wire; readonly session: LazySession }) {
    this.#handshake = handshake
    this.#wire = wire
    session.whenOpen((open) => void open.on('roots-changed', () => this.announce()))
    handshake.whenOver(() => {
      if (this.#isDue) this.#send()
    })
  }

  /** The list that the server would get now is another one. */
  announce(): void {
    if (this.#handshake.isOver) this.#send()
    else this.#isDue = true
  }

  #send(): void {
    this.#isDue = false
    if (this.#handshake.owners.roots === 'here') this.#wire.toServer(notificationLine('notifications/roots/list_changed'))
  }
}
