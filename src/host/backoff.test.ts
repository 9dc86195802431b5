import { expect, test } from 'vitest'
import { defaultReconnect, delayBefore } from './backoff.ts'

test('the wait doubles up to the longest, and half of it is left to chance', () => {
  const waits = (random: number): readonly number[] => [1, 2, 3, 6, 7, 50].map((attempt) => delayBefore(attempt, defaultReconnect, () => random))

  expect([waits(1), waits(0)]).toEqual([
    [1000, 2000, 4000, 30_000, 30_000, 30_000],
    [500, 1000, 2000, 15_000, 15_000, 15_000],
  ])
})
