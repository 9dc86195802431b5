import type { Client } from '@modelcontextprotocol/client'
import type { DeskSession } from '../protocol/index.ts'
import type { Declaration } from './capabilities.ts'
import type { Rereading } from './rereading.ts'

export interface RootsAnnouncer {
  /** The handshake is over: a change in the middle of it is told now. */
  ready(): void
  stop(): void
}

/**
 * Tells a server that its folders have changed: only where that was promised, never before the handshake is over, never in the modern era.
 * Changes in one tick are one notification.
 * @see MCP 2025-11-25 client/roots "Root List Changes"
 */
export function announceRoots(
  client: Client,
  session: DeskSession,
  { declaration, isModern, rereading }: { readonly declaration: Declaration; readonly isModern: () => boolean; readonly rereading: Rereading },
): RootsAnnouncer {
  let isDue = false
  const send = (): void => {
    if (!isDue || client.getNegotiatedProtocolVersion() === undefined) return
    isDue = false
    if (isModern() || !declaration.handshake.roots) return
    rereading.announced()
    client.notification({ method: 'notifications/roots/list_changed' }).catch((error: Error) => client.onerror?.(error))
  }
  const stop = session.on('roots-changed', () => {
    isDue = true
    queueMicrotask(send)
  })
  return { ready: send, stop }
}
