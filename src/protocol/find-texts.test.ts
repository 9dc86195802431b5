import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTexts } from './find-texts.ts'

const short = fc.string({ unit: fc.constantFrom('a', 'b', '안'), maxLength: 4 })

/** Each place of each text, without those that lie within another. */
function findOneByOne(text: string, wanted: readonly string[]): readonly unknown[] {
  const all = Array.from({ length: text.length }, (_, from) =>
    [...new Set(wanted)].filter((what) => what !== '' && text.startsWith(what, from)).map((what) => ({ what, from, to: from + what.length })),
  ).flat()
  return all.filter((one) => !all.some((other) => other !== one && other.from <= one.from && other.to >= one.to))
}

test('many texts are found as if each were looked for by itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '안', 'c'), maxLength: 40 }), fc.array(short, { maxLength: 8 }), (text, wanted) => {
      expect(findTexts(text, wanted)).toEqual(findOneByOne(text, wanted))
    }),
    { numRuns: 2000 },
  )
})

test('twenty thousand texts that begin alike are found in a megabyte of their beginnings', () => {
  const wanted = Array.from({ length: 20_000 }, (_, index) => `${'a'.repeat(30)}${index}.`)

  // One by one would be minutes, and is ended by the runner.
  expect(findTexts(`${'a'.repeat(1_000_000)}19999.`, wanted).map(({ what }) => what)).toEqual([wanted.at(-1)])
})
