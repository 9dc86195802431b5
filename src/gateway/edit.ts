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

/** A part of some bytes with edits made: every other byte stays. */
export function applyEdits(bytes: Buffer, { start, end }: Span, edits: readonly Edit[]): Buffer {
  const pieces: Buffer[] = []
  let here = start
  for (const { span, bytes: other } of inOrder(edits)) {
    pieces.push(bytes.subarray(here, span.start), other)
    here = span.end
  }
  pieces.push(bytes.subarray(here, end))
  return Buffer.concat(pieces)
}
