import { AirlinePage } from './airline-page.ts'

/** The pages of one connection: at most one open for each airline, and which airlines are connected. */
export class AirlinePages {
  readonly #lifetime: number
  readonly #open = new Map<string, Promise<AirlinePage>>()
  readonly #connected = new Set<string>()
  readonly #closing = new AbortController()

  /** @param lifetime milliseconds after which a page that nobody came to is closed */
  constructor(lifetime: number = 30 * 60_000) {
    this.#lifetime = lifetime
  }

  isConnected(airline: string): boolean {
    return this.#connected.has(airline)
  }

  /** The page that is open for an airline, if it is (still) the one with this id. */
  async find(airline: string, id: string): Promise<AirlinePage | undefined> {
    const page = await this.#open.get(airline)
    return page?.id === id ? page : undefined
  }

  /** The page for an airline; a new one where none is open. */
  async open(airline: string): Promise<AirlinePage> {
    const existing = this.#open.get(airline)
    if (existing !== undefined) return existing
    const opening = AirlinePage.open({ airline, lifetime: this.#lifetime, onEnd: (outcome) => this.#forget(airline, outcome) })
    this.#open.set(airline, opening)
    opening.catch(() => this.#open.delete(airline))
    const page = await opening
    if (this.#closing.signal.aborted) page.close()
    return page
  }

  /** Closes every page. Safe to call twice. */
  close(): void {
    this.#closing.abort()
    for (const opening of this.#open.values()) opening.then((page) => page.close()).catch(() => {})
  }

  #forget(airline: string, outcome: 'connected' | 'closed'): void {
    this.#open.delete(airline)
    if (outcome === 'connected') this.#connected.add(airline)
  }
}
