import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits, editPieces, mostCopied, type Edit } from './edit.ts'

const bytesOf = (least: number, most: number): fc.Arbitrary<Buffer> => fc.uint8Array({ minLength: least, maxLength: most }).map((bytes) => Buffer.from(bytes))
/** Gaps and lengths, of which edits come that do not overlap. */
const steps = fc.array(fc.record({ gap: fc.nat(6), length: fc.nat(6), bytes: bytesOf(0, 12) }), { maxLength: 8 })

function editsOf(list: readonly { readonly gap: number; readonly length: number; readonly bytes: Buffer }[], from: number, most: number): readonly Edit[] {
  let here = from
  return list.flatMap(({ gap, length, bytes }) => {
    const start = here + gap
    here = start + length
    return here > most ? [] : [{ span: { start, end: here }, bytes }]
  })
}

test('edits of any size change their places and nothing else, whatever their order', () => {
  fc.assert(
    fc.property(bytesOf(0, 60), fc.nat(10), steps, fc.boolean(), (bytes, from, list, isTurned) => {
      const start = Math.min(from, bytes.length)
      const edits = editsOf(list, start, bytes.length)
      const before = Buffer.from(bytes)
      const after = applyEdits(bytes, { start, end: bytes.length }, isTurned && edits.every(({ span }) => span.end > span.start) ? edits.toReversed() : edits)
      let here = start
      const wanted = edits.flatMap(({ span, bytes: other }) => {
        const kept = bytes.subarray(here, span.start)
        here = span.end
        return [kept, other]
      })
      expect([after, bytes]).toEqual([Buffer.concat([...wanted, bytes.subarray(here)]), before])
    }),
  )
})

test('of many bytes the same comes out in pieces, and of bytes that all go nothing', () => {
  const bytes = Buffer.alloc(mostCopied + 1, 'abcdefg')
  const edits = [
    { span: { start: 0, end: 3 }, bytes: Buffer.from('') },
    { span: { start: 70, end: 70 }, bytes: Buffer.from('new') },
  ]
  const pieces = editPieces(bytes, edits)
  expect([Buffer.concat(pieces).equals(applyEdits(bytes, { start: 0, end: bytes.length }, edits)), pieces.length]).toEqual([true, 3])
  expect([10, mostCopied + 1].map((length) => editPieces(Buffer.alloc(length), [{ span: { start: 0, end: length }, bytes: Buffer.alloc(0) }]))).toEqual([
    [],
    [],
  ])
})
