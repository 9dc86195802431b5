import type { LimitName, LimitState } from '../protocol/index.ts'

/** What the limits that hold leave for one request. */
export interface Room {
  /** Of the smallest budget; `Infinity` where none counts tokens. */
  readonly tokens: number
  /** A limit of cost holds: only a model whose price is known fits into it. */
  readonly isPriced: boolean
}

export const endlessRoom: Room = { tokens: Infinity, isPriced: false }

const tokenLimits: ReadonlySet<LimitName> = new Set(['tokensPerDay', 'tokensPerRun'])
const costLimits: ReadonlySet<LimitName> = new Set(['costPerDay', 'costPerRun'])

export function roomIn(limits: readonly LimitState[]): Room {
  const left = limits.flatMap(({ limit, allowed, used }) => (tokenLimits.has(limit) ? [allowed - used] : []))
  return { tokens: Math.min(Infinity, ...left), isPriced: limits.some(({ limit }) => costLimits.has(limit)) }
}
