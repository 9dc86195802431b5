import type { WireError } from '../mcp/wire-error.ts'
import type { Span } from './json-bytes.ts'

/** Other bytes in place of some of a line. */
export interface Edit {
  readonly span: Span
  readonly bytes: Buffer
}

/** A line with some of its bytes replaced, as the pieces that make it up: every other byte stays. Edits do not overlap. */
export function applyEdits(bytes: Buffer, line: Span, edits: readonly Edit[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let here = line.start
  for (const edit of edits.toSorted((one, other) => one.span.start - other.span.start)) {
    if (edit.span.start > here) pieces.push(bytes.subarray(here, edit.span.start))
    pieces.push(edit.bytes)
    here = edit.span.end
  }
  if (here < line.end) pieces.push(bytes.subarray(here, line.end))
  return pieces
}

/** @param id as its asker wrote it */
export function resultLine(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`
}

/** @param id as its asker wrote it; `null` where it could not be read */
export function errorLine(id: string, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`
}

export function notificationLine(method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })}\n`
}
