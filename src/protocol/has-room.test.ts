import { expect, test } from 'vitest'
import { findShortfalls } from './has-room.ts'
import type { LimitState } from './sampling-review.ts'

const estimate = { inputTokens: 6, outputTokens: 100, cost: 0.02 }
const tokens: LimitState = { limit: 'tokensPerDay', scope: 'server', allowed: 130, used: 35 }
const cost: LimitState = { limit: 'costPerRun', scope: 'total', allowed: 0.5, used: 0.49 }

test('an amount that is too small for a request says what it may take, what is left, and the longest answer that fits', () => {
  expect(findShortfalls([tokens, cost], estimate, 100)).toEqual([
    { limit: tokens, wanted: 106, left: 95, answer: 89 },
    { limit: cost, wanted: 0.02, left: expect.closeTo(0.01) as number },
  ])
})

test('an answer of the longest that fits has room; of what it costs nothing is said that is not known', () => {
  expect(findShortfalls([tokens, cost], estimate, 89)).toEqual([])
})

test('where not even the question fits no answer does, and a rate is no amount', () => {
  const used: LimitState = { ...tokens, used: 200 }
  const rate: LimitState = { limit: 'requestsPerMinute', scope: 'server', allowed: 1, used: 1 }

  expect(findShortfalls([used, rate], estimate, 100)).toEqual([{ limit: used, wanted: 106, left: 0 }])
})
