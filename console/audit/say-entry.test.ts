import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import type { AuditRow } from '../../src/console-api/contract.ts'
import { en } from '../language/en/index.ts'
import { sayEntryOutcome } from './say-entry.ts'

const entry = { event: 'answered', request: 'roots', outcome: 'answered' } as AuditRow

test.each<[string, Partial<AuditRow>]>([
  ['no folder told', { facts: { decision: 'deny', roots: [] } }],
  ['1 folder told', { facts: { roots: ['file:///a'] } }],
  ['2 folders told', { facts: { roots: ['file:///a', 'file:///b'] } }],
  ['nobody answered in time', { facts: { roots: [] }, outcome: undefined, unanswered: 'timed-out' }],
  ['denied', { event: 'decided', outcome: 'deny' }],
  ['sent', { request: 'elicitation', outcome: 'accept' }],
])('an entry of the log says that what came out is: %s', async (words, facts) => {
  const catalogues = createInstance()
  await catalogues.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } })

  expect(sayEntryOutcome({ ...entry, ...facts }, catalogues)).toBe(words)
})
