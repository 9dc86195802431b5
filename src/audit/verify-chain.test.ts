import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginning, chainEntries, hashOf, type ChainLink, type ChainRow } from './audit-chain.ts'
import type { KeptEntry } from './redact-entry.ts'
import { ChainCheck, type Verification } from './verify-chain.ts'

const entry = (question: string): KeptEntry => ({
  at: '2026-11-29T12:00:00.000Z',
  event: 'asked',
  question,
  request: 'roots',
  server: 'travel',
  connection: 'c1',
})
const rowsOf = (questions: readonly string[]): readonly ChainRow[] => chainEntries(beginning, questions.map(entry))

function verify(rows: readonly ChainRow[], anchor: ChainLink | undefined): Verification {
  const check = new ChainCheck(anchor)
  for (const row of rows.toSorted((one, other) => one.position - other.position)) if (!check.add(row)) break
  return check.finish()
}

const log = fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 12 })
const logAndPlace = log.chain((questions) => fc.tuple(fc.constant(rowsOf(questions)), fc.nat({ max: questions.length - 1 })))

test('an untouched log is fine, and so are rows that a crash left beyond the anchor', () => {
  fc.assert(
    fc.property(logAndPlace, ([rows, anchored]) => {
      expect(verify(rows, rows[anchored])).toEqual({ ok: true, entries: rows.length })
    }),
  )
})

test('an entry that was altered is found and named', () => {
  const change = fc.record({ key: fc.constantFrom('entry', 'previous', 'hash'), at: fc.nat(), letter: fc.constantFrom('0', 'f', '"', ' ') })
  fc.assert(
    fc.property(logAndPlace, change, ([rows, index], { key, at, letter }) => {
      const row = rows[index]!
      const text = row[key]
      const place = at % text.length
      const altered = `${text.slice(0, place)}${letter}${text.slice(place + 1)}`
      fc.pre(altered !== text)
      expect(verify(rows.with(index, { ...row, [key]: altered }), rows.at(-1))).toMatchObject({ ok: false, firstBad: index + 1, fault: 'altered' })
    }),
  )
})

test('an entry that was altered with a hash that fits is found by the next, or by the anchor', () => {
  fc.assert(
    fc.property(logAndPlace, ([rows, index]) => {
      const forged = { ...rows[index]!, entry: '{"event":"forged"}' }
      expect(verify(rows.with(index, { ...forged, hash: hashOf(forged) }), rows.at(-1))).toMatchObject({ ok: false, firstBad: index + 1, fault: 'altered' })
    }),
  )
})

test('an entry that was deleted is found and named', () => {
  fc.assert(
    fc.property(logAndPlace, ([rows, index]) => {
      expect(verify(rows.toSpliced(index, 1), rows.at(-1))).toMatchObject({ ok: false, firstBad: index + 1, fault: 'missing' })
    }),
  )
})

test('a tail that was cut off is found, and its first entry named', () => {
  fc.assert(
    fc.property(logAndPlace, ([rows, length]) => {
      expect(verify(rows.slice(0, length), rows.at(-1))).toMatchObject({ ok: false, firstBad: length + 1, fault: 'missing' })
    }),
  )
})

test('entries that changed places are found, and the first of them named', () => {
  fc.assert(
    fc.property(logAndPlace, fc.nat(), ([rows, index], other) => {
      const target = other % rows.length
      fc.pre(target !== index)
      const [one, two] = [rows[index]!, rows[target]!]
      const swapped = rows.with(index, { ...two, position: one.position }).with(target, { ...one, position: two.position })
      expect(verify(swapped, rows.at(-1))).toMatchObject({ ok: false, firstBad: Math.min(index, target) + 1, fault: 'altered' })
    }),
  )
})

test('a log that was written anew from some entry on is found by the anchor', () => {
  fc.assert(
    fc.property(logAndPlace, ([rows, index]) => {
      const link = index === 0 ? beginning : rows[index - 1]!
      const anew = [...rows.slice(0, index), ...chainEntries(link, [entry('forged'), ...Array.from({ length: 20 }, () => entry('more'))])]
      expect(verify(anew, rows.at(-1))).toMatchObject({ ok: false, firstBad: rows.length, fault: 'altered' })
    }),
  )
})

test('an entry in front of the first is found', () => {
  const rows = rowsOf(['a', 'b'])
  expect(verify([{ ...rows[0]!, position: 0 }, ...rows], rows.at(-1))).toMatchObject({ ok: false, firstBad: 0, fault: 'altered' })
})

test('a log without its anchor is not vouched for, an empty one is fine', () => {
  expect([verify(rowsOf(['a', 'b']), undefined), verify([], undefined), verify([], beginning)]).toEqual([
    { ok: false, firstBad: 3, fault: 'missing', reason: 'the anchor file is gone or damaged: entries after 2 may have been removed' },
    { ok: true, entries: 0 },
    { ok: true, entries: 0 },
  ])
})
