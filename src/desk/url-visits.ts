import { isJsonObject } from '../protocol/index.ts'

const REMEMBERED = 1000

/**
 * Which URLs this connection was asked to visit, and which of them the server reported done.
 * Ids that were never asked, and repeated reports, change nothing.
 *
 * @see MCP 2025-11-25 client/elicitation "Completion Notifications for URL Mode Elicitation"
 */
export class UrlVisits {
  readonly #visits = new Map<string, 'open' | 'complete'>()
  readonly #waiting = new Set<() => void>()

  /** Notes the id of a URL question; other questions have none. One that is asked again is open again, whatever was reported of it. */
  remember(params: unknown): void {
    if (!isJsonObject(params) || typeof params['elicitationId'] !== 'string') return
    this.#visits.delete(params['elicitationId'])
    this.#visits.set(params['elicitationId'], 'open')
    for (const oldest of this.#visits.keys()) {
      if (this.#visits.size <= REMEMBERED) break
      this.#visits.delete(oldest)
    }
  }

  complete(id: string): void {
    if (this.#visits.get(id) !== 'open') return
    this.#visits.set(id, 'complete')
    for (const look of this.#waiting) look()
  }

  areComplete(ids: readonly string[]): boolean {
    return ids.length > 0 && ids.every((id) => this.#visits.get(id) === 'complete')
  }

  /** Calls back once, as soon as all are complete. @returns the function that undoes it */
  whenComplete(ids: readonly string[], callback: () => void): () => void {
    const look = (): void => {
      if (this.areComplete(ids) && this.#waiting.delete(look)) callback()
    }
    this.#waiting.add(look)
    return () => this.#waiting.delete(look)
  }
}
