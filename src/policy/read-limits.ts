import type { JsoncPlace } from './jsonc-place.ts'
import type { Limits } from './rule.ts'

/** Reads what may be used: of a rule, of a server, or in total. */
export function readLimits(place: JsoncPlace): Limits {
  const members = place.members(['requestsPerMinute', 'tokensPerDay', 'costPerDay', 'tokensPerRun', 'costPerRun', 'toolRounds', 'atOnce'])
  const whole = (key: string): number | undefined => members.get(key)?.number({ least: 0, whole: true })
  const amount = (key: string): number | undefined => members.get(key)?.number({ least: 0 })
  return {
    requestsPerMinute: whole('requestsPerMinute'),
    tokensPerDay: whole('tokensPerDay'),
    costPerDay: amount('costPerDay'),
    tokensPerRun: whole('tokensPerRun'),
    costPerRun: amount('costPerRun'),
    toolRounds: whole('toolRounds'),
    atOnce: whole('atOnce'),
  }
}
