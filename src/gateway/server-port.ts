import type { Readable, Writable } from './streams.ts'

/** How a server ended: with a code, or by a signal; with neither where it was never reached. */
export interface ServerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** What the gateway holds of a server, whether it is a process or an address: lines in, lines out, and an end. */
export interface ServerPort {
  readonly input: Writable
  readonly output: Readable
  /** Resolves when it is gone, and all that it said has been read. */
  readonly ended: Promise<ServerEnd>
  /** Ends it in order: what it still says is read. Safe to call twice. */
  end(): void
  /** Passes a signal on that was meant for the server as well, and sees that it goes. */
  signal(signal: NodeJS.Signals): void
  /** Ends it at once. */
  kill(): void
}
