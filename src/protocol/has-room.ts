import type { LimitState } from './sampling-review.ts'

/** What one request would take at most. */
export interface WantedAmounts {
  /** Absent: not known. */
  readonly tokens?: number | undefined
  /** USD. Absent: not known. */
  readonly cost?: number | undefined
}

/** True where a limit has room for one request more; one of unknown size needs something left at least. */
export function hasRoom({ limit, allowed, used }: LimitState, { tokens = 1, cost = 0 }: WantedAmounts): boolean {
  switch (limit) {
    case 'requestsPerMinute':
    case 'atOnce':
      return used + 1 <= allowed
    case 'tokensPerDay':
    case 'tokensPerRun':
      return used + tokens <= allowed
    case 'costPerDay':
    case 'costPerRun':
      return used + cost <= allowed
    case 'toolRounds':
      return true
    default:
      return limit satisfies never
  }
}
