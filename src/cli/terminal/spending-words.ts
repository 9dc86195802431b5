import { findShortfalls, type LimitName, type LimitState, type SpendingEstimate, type Spent } from '../../protocol/index.ts'

const limitWords: Readonly<Record<LimitName, string>> = {
  requestsPerMinute: 'requests a minute',
  tokensPerDay: 'tokens a day',
  costPerDay: 'USD a day',
  tokensPerRun: 'tokens in this run',
  costPerRun: 'USD in this run',
  toolRounds: 'rounds of tool use',
  atOnce: 'requests at once',
}
const scopeWords: Readonly<Record<LimitState['scope'], string>> = { rule: 'the rule', server: 'this server', total: 'all servers together' }

/** What a request would take: `about 1,200 tokens to read, 4,096 at most to answer, USD 0.03 at most (prices of 2026-11-01)`. */
export function describeEstimate({ inputTokens, outputTokens, cost, priceAsOf }: SpendingEstimate): string {
  const price = cost === undefined ? 'price unknown' : `${describeCost(cost)} at most${priceAsOf === undefined ? '' : ` (prices of ${priceAsOf})`}`
  return `about ${count(inputTokens)} tokens to read, ${count(outputTokens)} at most to answer, ${price}`
}

/** What it took: `1,180 tokens read, 312 answered, USD 0.01`. */
export function describeSpent({ inputTokens, outputTokens, cost, estimated }: Spent): string {
  const price = cost === undefined ? 'price unknown' : describeCost(cost)
  return `${count(inputTokens)} tokens read, ${count(outputTokens)} answered, ${price}${estimated === true ? ' (estimated)' : ''}`
}

/** An amount of money: `USD 0.03`. */
export function describeCost(cost: number): string {
  return `USD ${money(cost)}`
}

/** One limit and what is left of it: `50,000 tokens a day for this server: 1,200 left`. */
export function describeLimit({ limit, scope, allowed, used, unpriced = 0 }: LimitState): string {
  const amount = limit.startsWith('cost') ? money : count
  const left = amount(Math.max(0, allowed - used))
  const unknown = `at most ${left} left: ${unpriced === 1 ? 'the price of 1 request' : `the price of ${count(unpriced)} requests`} is not known`
  return `${amount(allowed)} ${limitWords[limit]} for ${scopeWords[scope]}: ${unpriced > 0 ? unknown : `${left} left`}`
}

/** Which limits a request is too much for: `this may take 106 tokens a day for this server, and 95 are left (an answer of 89 tokens fits)`. */
export function describeShortfalls(limits: readonly LimitState[], estimate: SpendingEstimate, maxTokens: number): string {
  return findShortfalls(limits, estimate, maxTokens)
    .map(({ limit: { limit, scope }, wanted, left, answer }) => {
      const amount = limit.startsWith('cost') ? money : count
      const fitting = answer === undefined ? '' : ` (an answer of ${count(answer)} ${answer === 1 ? 'token' : 'tokens'} fits)`
      return `it may take ${amount(wanted)} ${limitWords[limit]} for ${scopeWords[scope]}, and ${amount(left)} are left${fitting}`
    })
    .join('; ')
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

/** Small sums keep the digits that say something. */
function money(amount: number): string {
  return amount === 0 || amount >= 0.1 ? amount.toFixed(2) : String(Number(amount.toPrecision(2)))
}

export const raiseWords = {
  inRun: 'until this program ends, at most for today',
  forDay: 'Raise for today: as much again',
  forDayHint: 'also after a restart, until the day ends',
} as const
