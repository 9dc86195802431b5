import type { LimitState } from '../protocol/index.ts'

/** Tokens that the smallest budget still has; `Infinity` where none counts tokens. */
export function roomIn(limits: readonly LimitState[]): number {
  const left = limits.flatMap(({ limit, allowed, used }) => (limit === 'tokensPerDay' || limit === 'tokensPerRun' ? [allowed - used] : []))
  return Math.min(Infinity, ...left)
}
