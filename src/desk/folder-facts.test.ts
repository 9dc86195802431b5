import { expect, test } from 'vitest'
import { factsOfFolders, factsOfKeptFolders } from './folder-facts.ts'

test('a decision about a server that keeps its folders is logged with the folders and with whether it holds for the next time', () => {
  const subject = { reason: 'none-told', known: ['file:///home/ada/trip'], canRestart: true, done: 'stand-in' } as const

  expect([factsOfKeptFolders(subject, { action: 'restart', remember: {} }), factsOfKeptFolders(subject, { action: 'cancel' })]).toEqual([
    { reason: 'none-told', known: ['file:///home/ada/trip'], holds: 'until-revoked' },
    { reason: 'none-told', known: ['file:///home/ada/trip'] },
  ])
})

test.each([1e300, Infinity, Number.NaN, '2030-01-01', null])('an end that is no moment (%j) holds for this run', (until) => {
  expect(factsOfFolders({ proposed: [] }, { action: 'deny', remember: { until: until as number } })).toEqual({ granted: [], refused: [], holds: 'this-run' })
})
