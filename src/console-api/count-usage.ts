import type { AuditLog } from '../audit/index.ts'
import type { SpendingLedger } from '../policy/index.ts'
import type { UsageDay } from './contract.ts'
import { dayOf } from './read-day.ts'

const counted: ReadonlySet<string> = new Set(['asked', 'answered', 'withdrawn'])

type Counting = { -readonly [Key in keyof UsageDay]: UsageDay[Key] }

const yes: readonly (string | undefined)[] = ['accept', 'answered', 'completed', 'continued']

/** What each server asked and used, day by day, newest day first: questions from the audit log, tokens and cost from the ledger. @param from, to milliseconds since the epoch, both included */
export async function countUsage(
  { audit, spending }: { readonly audit: Pick<AuditLog, 'page'>; readonly spending: Pick<SpendingLedger, 'history'> },
  from: number,
  to: number,
): Promise<readonly UsageDay[]> {
  const days = new Map<string, Counting>()
  const dayFor = (server: string, moment: number): Counting => {
    const day = dayOf(moment)
    const key = JSON.stringify([day, server])
    const none = { roots: 0, elicitation: 0, sampling: 0 }
    const found = days.get(key) ?? { day, server, asked: none, answered: 0, refused: 0, unanswered: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 }
    days.set(key, found)
    return found
  }
  /** Taken back while the answer was written down: that one did not leave. */
  const withdrawn = new Set<string>()
  for (let before: number | undefined; ;) {
    const entries = await audit.page({ before, limit: 1000 })
    for (const { at, event, question, server, request, outcome, unanswered } of entries) {
      const moment = Date.parse(at)
      if (moment < from || moment > to || !counted.has(event)) continue
      if (event === 'withdrawn') withdrawn.add(question)
      else if (event === 'answered' && withdrawn.has(question)) continue
      const day = dayFor(server, moment)
      if (event === 'asked') day.asked = { ...day.asked, [request]: day.asked[request] + 1 }
      else if (event === 'withdrawn' || unanswered !== undefined) day.unanswered += 1
      else if (yes.includes(outcome)) day.answered += 1
      else day.refused += 1
    }
    const oldest = entries.at(-1)
    if (oldest === undefined || Date.parse(oldest.at) < from) break
    before = oldest.position
  }
  for (const used of await spending.history(from)) {
    if (used.day > to) continue
    const day = dayFor(used.server, used.day)
    day.inputTokens += used.tokens - used.outputTokens
    day.outputTokens += used.outputTokens
    day.cost += used.cost
    day.unpriced += used.unpriced
  }
  return [...days.values()].toSorted((one, other) => (one.day === other.day ? (one.server < other.server ? -1 : 1) : one.day < other.day ? 1 : -1))
}
