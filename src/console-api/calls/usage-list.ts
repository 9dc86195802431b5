import type { CallNeeds, Handler } from '../call.ts'
import { countUsage } from '../count-usage.ts'
import { readDay } from '../read-day.ts'

export function listUsage(needs: Pick<CallNeeds, 'audit' | 'spending'>): Handler<'usage/list'> {
  return async (body) => ({ days: await countUsage(needs, readDay(body.text('from'), 'first'), readDay(body.text('to'), 'last')) })
}
