import type { Handshake } from './handshake.ts'
import type { LazySession } from './lazy-session.ts'
import { notificationLine } from './request-lines.ts'
import type { Rereading } from '../mcp/rereading.ts'
import type { Wire } from './wire.ts'

export interface RootNewsNeeds {
  readonly handshake: Handshake
  readonly wire: Wire
  readonly session: LazySession
  readonly rereading: Rereading
}

/**
 * Tells the server that its folders have changed: only where that was promised by us, and never before the client's `initialized`. The modern era has no such news.
 *
 * @see MCP 2025-11-25 client/roots "Root List Changes"
 */
export class RootNews {
  readonly #handshake: Handshake
  readonly #wire: Wire
  readonly #rereading: Rereading
  #isDue = false
  #isHeld = false

  constructor({ handshake, wire, session, rereading }: RootNewsNeeds) {
    this.#handshake = handshake
    this.#wire = wire
    this.#rereading = rereading
    session.whenOpen((open) => void open.on('roots-changed', () => this.announce()))
    handshake.whenOver(() => {
      if (this.#isDue) this.#send()
    })
  }

  /** The list that the server would get now is another one. */
  announce(): void {
    if (this.#handshake.isOver && !this.#isHeld) this.#send()
    else this.#isDue = true
  }

  /** Somebody else tells its folders from now on: where it was told that it hears of changes, it does. */
  changeHands(): void {
    if (this.#handshake.isOver && !this.#isHeld && this.#handshake.tellsOfRoots) this.#say()
  }

  /** There is no server that could be told. */
  hold(): void {
    this.#isHeld = true
  }

  /** A server is there that may have read its folders before they changed. */
  goOn(): void {
    this.#isHeld = false
    if (this.#isDue) this.#send()
  }

  #send(): void {
    this.#isDue = false
    if (this.#handshake.owners.roots === 'here' && this.#handshake.tellsOfRoots) this.#say()
  }

  #say(): void {
    if (this.#handshake.owners.roots === 'here') this.#rereading.announced()
    this.#wire.toServer(notificationLine('notifications/roots/list_changed'))
  }
}
