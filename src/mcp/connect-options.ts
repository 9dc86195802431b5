import type { ConsentryError } from '../errors.ts'
import type { DeskSession, Era, Revision } from '../protocol/index.ts'
import type { InputObserver } from './answer-input.ts'
import type { CallTimeouts } from './call-clock.ts'
import type { Clock } from './clock.ts'
import type { ConnectTarget } from './open-channel.ts'
import type { ListChange } from './watch-lists.ts'

/** In milliseconds. */
export interface ConnectTimeouts {
  /** From the start of a server to the end of the handshake; `npx` may have to download it first. Default 60 s. */
  readonly connectTimeoutMs: number
  /** How long a server may think about `server/discover` before the older handshake is tried too. Default 3 s (over HTTP 5 s). */
  readonly probeTimeoutMs: number
  /** How long a server that was confused by the probe has to finish the handshake before it is started afresh. Default 8 s. */
  readonly confusedTimeoutMs: number
}

/** What a server wrote for a log: its own log messages, or what is wrong with the connection. */
export interface ServerLogEntry {
  readonly from: 'server' | 'connection'
  readonly level: string
  readonly data: unknown
}

export interface ConnectOptions {
  readonly target: ConnectTarget
  /** Answers for this connection; stays the caller's to close. */
  readonly session: DeskSession
  /** `auto`: the newest that the server speaks. Default `auto`. */
  readonly protocol?: 'auto' | Revision | undefined
  readonly clientInfo?: { readonly name: string; readonly version: string; readonly title?: string | undefined } | undefined
  readonly timeouts?: Partial<CallTimeouts & ConnectTimeouts> | undefined
  /** Which era a server was found to speak, kept between connections. A verdict that turns out wrong corrects itself. */
  readonly eras?: Map<string, Era> | undefined
  readonly observer?: InputObserver | undefined
  readonly onStderr?: ((text: string) => void) | undefined
  readonly onLog?: ((entry: ServerLogEntry) => void) | undefined
  /** Told of every message, in both directions, as it is on the wire. */
  readonly onTraffic?: ((from: 'client' | 'server', message: unknown) => void) | undefined
  readonly onListChanged?: ((list: ListChange) => void) | undefined
  /** The connection is gone although nobody closed it; told once. */
  readonly onLost?: ((loss: ConsentryError) => void) | undefined
  /** Aborts connecting; later it means nothing. */
  readonly signal?: AbortSignal | undefined
  /** See `StrictTransportOptions`. */
  readonly requestsAtOnce?: number | undefined
  readonly clock?: Clock | undefined
}
