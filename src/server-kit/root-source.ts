import { eraOf, isRevision, type Era } from '../protocol/index.ts'

/** Where a guard learns which folders its client grants: made from a server of the SDK, or by whoever speaks the protocol otherwise. */
export interface RootSource {
  /** `unknown`: the handshake is not over, so that nothing may be asked yet. */
  supportsRoots(): boolean | 'unknown'
  /** In the modern era nothing can be asked between calls. */
  era(): Era
  /** Sends `roots/list`. @returns its result, as it came */
  listRoots(options: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<unknown>
  /** Listens for `notifications/roots/list_changed`. @returns the function that undoes it */
  onRootsChanged(listener: () => void): () => void
}

/** What a guard needs of a server of the SDK, version 1 or 2. */
export interface SdkServer {
  getClientCapabilities(): { readonly roots?: unknown } | undefined
  getNegotiatedProtocolVersion?(): string | undefined
  request(request: { method: 'roots/list' }, schema: never, options: { signal: AbortSignal; timeout: number }): Promise<unknown>
}

/** The same, as it is or in the `McpServer` that most are written with. */
export type AnyServer = SdkServer | { readonly server: SdkServer }

/**
 * A schema for both versions of the SDK that lets everything pass: theirs refuse a whole list for one bad entry, and we read each for itself.
 */
const anything = {
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { version: 1, vendor: 'consentry', validate: (value: unknown) => ({ value }) },
}

/** Follows a server of the SDK. Hooks of its author (`oninitialized`, `fallbackNotificationHandler`) go on working, whenever they are set. */
export function sourceOf(server: AnyServer): RootSource {
  const low = 'server' in server ? server.server : server
  const listeners = new Set<() => void>()
  // Whoever is handed a connection in use must take its handshake for done.
  let isInitialized = low.getClientCapabilities() !== undefined
  standBefore(low, 'oninitialized', () => (isInitialized = true))
  standBefore(low, 'fallbackNotificationHandler', (notification) => {
    if ((notification as { readonly method?: unknown }).method === 'notifications/roots/list_changed') for (const listener of listeners) listener()
  })

  return {
    era() {
      const revision = low.getNegotiatedProtocolVersion?.()
      return revision !== undefined && isRevision(revision) ? eraOf(revision) : 'legacy'
    },
    supportsRoots() {
      const capabilities = low.getClientCapabilities()
      return capabilities === undefined || !isInitialized ? 'unknown' : capabilities.roots !== undefined
    },
    listRoots: ({ signal, timeoutMs }) => low.request({ method: 'roots/list' }, anything as never, { signal, timeout: timeoutMs }),
    onRootsChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The hook stays its author's: theirs is called after ours. */
function standBefore(target: object, hook: string, ours: (argument: unknown) => void): void {
  let theirs: unknown = (target as Record<string, unknown>)[hook]
  Object.defineProperty(target, hook, {
    configurable: true,
    enumerable: true,
    get: () => (argument: unknown) => {
      ours(argument)
      return typeof theirs === 'function' ? (theirs.call(target, argument) as unknown) : undefined
    },
    set(next: unknown) {
      theirs = next
    },
  })
}
