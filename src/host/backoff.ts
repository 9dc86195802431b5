/** When a lost connection is made again. */
export interface ReconnectOptions {
  /** Tries in a row before a server counts as failed; 0: none. Default 8. */
  readonly attempts: number
  /** Before the first try, in ms; doubled with each one, up to the longest. Default 1 s and 30 s. */
  readonly firstMs: number
  readonly longestMs: number
}

export const defaultReconnect: ReconnectOptions = { attempts: 8, firstMs: 1000, longestMs: 30_000 }

/** How long to wait before a try, the first being 1. Half of it is left to chance, so that many hosts do not come back at once. */
export function delayBefore(attempt: number, { firstMs, longestMs }: ReconnectOptions, random: () => number): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return Math.round(full / 2 + (random() * full) / 2)
}
