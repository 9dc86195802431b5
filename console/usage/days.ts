import type { UsageDay } from '../../src/console-api/contract.ts'
import { localDay } from '../parts/moment.tsx'

/** What a chart can show. */
export type Measure = 'questions' | 'tokens' | 'cost'

/** Local days up to and including today, oldest first, as `YYYY-MM-DD`. */
export function lastDays(count: number, today: Date): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    return localDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index)).getTime())
  })
}

export function amountOf({ asked, inputTokens, outputTokens, cost }: UsageDay, measure: Measure): number {
  switch (measure) {
    case 'questions':
      return asked.roots + asked.elicitation + asked.sampling
    case 'tokens':
      return inputTokens + outputTokens
    case 'cost':
      return cost
    default:
      return measure satisfies never
  }
}

/** A row for each day, with the amount of each server under its place in `servers`: names are data, and no keys. */
export function rowsOf(
  usage: readonly UsageDay[],
  days: readonly string[],
  servers: readonly string[],
  measure: Measure,
): readonly Readonly<Record<string, string | number>>[] {
  return days.map((day) => {
    const row: Record<string, string | number> = { day }
    servers.forEach((server, index) => {
      row[`s${index}`] = usage.filter((one) => one.day === day && one.server === server).reduce((sum, one) => sum + amountOf(one, measure), 0)
    })
    return row
  })
}
