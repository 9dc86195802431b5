import { ConsentryError } from '../errors.ts'
import { StoredSpending, type UsageOfDay } from '../policy/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'
import { describeCost } from './terminal/spending-words.ts'
import { useStore } from './use-store.ts'

export interface UsageOptions {
  readonly days?: string | undefined
  readonly server?: string | undefined
  readonly json?: boolean | undefined
}

const USUAL_DAYS = 7
const MOST_DAYS = 92

/** `consentry usage`: which server took how much of which model, day by day, newest first. */
export async function showUsage({ days, server, json }: UsageOptions, place: Place): Promise<ExitCode> {
  const history = await useStore(place, (store) => new StoredSpending({ store }).history(beginningOf(readDays(days))), [])
  const rows = history.filter((row) => server === undefined || row.server === server)
  if (json) place.stdout.write(`${JSON.stringify(rows.map(toRow))}\n`)
  else if (rows.length === 0)
    place.stdout.write(
      'No model was asked in these days. Model requests that a person or a script answered, or that were refused, are in consentry audit list.\n',
    )
  else place.stdout.write([...rows.map(describe), total(rows)].join(''))
  return exitCodes.done
}

function readDays(days: string | undefined): number {
  const count = days === undefined ? USUAL_DAYS : Number(days)
  if (!Number.isInteger(count) || count < 1 || count > MOST_DAYS) throw new ConsentryError('USAGE', `--days must be a whole number from 1 to ${MOST_DAYS}`)
  return count
}

/** The first moment of the day that many days back, today included. */
function beginningOf(days: number): number {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime()
}

interface UsageRow extends Omit<UsageOfDay, 'day'> {
  /** `YYYY-MM-DD`, local time. */
  readonly day: string
}

function toRow({ day, ...usage }: UsageOfDay): UsageRow {
  return { day: dateOf(day), ...usage }
}

function dateOf(day: number): string {
  const date = new Date(day)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

function describe({ day, server, model, ...usage }: UsageOfDay): string {
  return `${dateOf(day)}  ${safeText(`${server}  ${model}`, { maximum: 200 })}  ${amounts(usage)}\n`
}

function total(rows: readonly UsageOfDay[]): string {
  const sum = (amount: (row: UsageOfDay) => number): number => rows.reduce((all, row) => all + amount(row), 0)
  const all = {
    requests: sum(({ requests }) => requests),
    unanswered: sum(({ unanswered }) => unanswered),
    tokens: sum(({ tokens }) => tokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: sum(({ cost }) => cost),
    unpriced: sum(({ unpriced }) => unpriced),
  }
  return `all together  ${amounts(all)}\n`
}

function amounts({ requests, unanswered, tokens, outputTokens, cost, unpriced }: Omit<UsageOfDay, 'day' | 'server' | 'model'>): string {
  const all = `${requests} ${requests === 1 ? 'request' : 'requests'}`
  return `${all}${unanswered === 0 ? '' : ` (${unanswered} without an answer)`}, ${tokens} tokens (${outputTokens} answered), ${price({ requests, cost, unpriced })}`
}

/** What is known to have cost nothing is no price beside those that nobody knows. */
function price({ requests, cost, unpriced }: Pick<UsageOfDay, 'requests' | 'cost' | 'unpriced'>): string {
  if (unpriced === 0) return describeCost(cost)
  if (cost > 0) return `${describeCost(cost)} and ${unpriced} of unknown price`
  return unpriced === requests ? 'price unknown' : `price of ${unpriced} unknown`
}
