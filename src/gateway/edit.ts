import type { Span } from './json-bytes.ts'

/** Other bytes in place of some of a line. */
export interface Edit {
  readonly span: Span
  readonly bytes: Buffer
}

/** Edits by their place; those of one line never overlap. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.length > 1 ? edits.toSorted((one, other) => one.span.start - other.span.start) : edits
}

/**
 * A part of some bytes with edits made: every other byte stays.
 *
 * All is put at the end of what is made and moved forward from there, because views of the parts would cost more than the moving.
 */
export function applyEdits(bytes: Buffer, { start, end }: Span, edits: readonly Edit[]): Buffer {
  const room = edits.reduce((sum, { bytes: other }) => sum + other.length, 0)
  const made = Buffer.allocUnsafe(room + end - start)
  bytes.copy(made, room, start, end)
  const shift = room - start
  let from = room
  let to = 0
  for (const { span, bytes: other } of inOrder(edits)) {
    const behind = span.start + shift
    made.copyWithin(to, from, behind)
    to += behind - from
    made.set(other, to)
    to += other.length
    from = span.end + shift
  }
  made.copyWithin(to, from)
  return made.subarray(0, to + made.length - from)
}

/** So many bytes are sooner put together than handed over piece by piece. */
export const mostCopied: number = 64 * 1024

/** The same for all of some bytes, in one piece or in several. @param edits in their order @returns none where nothing is left */
export function editPieces(bytes: Buffer, edits: readonly Edit[]): readonly Buffer[] {
  if (bytes.length <= mostCopied) return [applyEdits(bytes, { start: 0, end: bytes.length }, edits)].filter(({ length }) => length > 0)
  const pieces: Buffer[] = []
  let here = 0
  for (const { span, bytes: other } of [...edits, { span: { start: bytes.length, end: bytes.length }, bytes: nothing }]) {
    pieces.push(bytes.subarray(here, span.start), other)
    here = span.end
  }
  return pieces.filter(({ length }) => length > 0)
}

const nothing = Buffer.alloc(0)
