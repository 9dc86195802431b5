import type { Clock } from '../mcp/clock.ts'
import type { ClientRequest, ClientRequests } from './client-requests.ts'
import { notificationLine } from './request-lines.ts'
import type { Wire } from './wire.ts'

/** So often are those who wait told that somebody is still being asked. */
const everyMs = 5000
/** Smaller than any step that a server reports: its own progress stays ahead of ours. */
const step = 0.001

export interface KeepAliveNeeds {
  readonly clock: Clock
  readonly wire: Wire
  readonly requests: ClientRequests
}

/**
 * Tells whoever gave a progress token, again and again, that a question of theirs waits for an answer.
 *
 * @param candidates requests of the client that the question can belong to
 * @param serverToken where the server's question asked for progress itself
 * @returns the function that ends it
 * @see MCP basic/utilities/progress
 */
export function keepAlive({ clock, wire, requests }: KeepAliveNeeds, candidates: readonly ClientRequest[], serverToken?: unknown): () => void {
  if (serverToken === undefined && candidates.every(({ progressToken }) => progressToken === undefined)) return () => {}
  let told = 0
  let cancel = (): void => {}
  const tell = (): void => {
    told += 1
    if (typeof serverToken === 'string' || typeof serverToken === 'number') wire.toServer(progressLine(serverToken, told))
    for (const request of candidates) {
      if (request.progressToken === undefined || !requests.isOpen(request)) continue
      request.progress += step
      wire.toClient(progressLine(request.progressToken, request.progress))
    }
    cancel = clock.after(everyMs, tell)
  }
  cancel = clock.after(everyMs, tell)
  return () => cancel()
}

function progressLine(progressToken: string | number, progress: number): string {
  return notificationLine('notifications/progress', { progressToken, progress, message: 'Waiting for an answer' })
}
