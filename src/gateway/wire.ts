import type { Span } from './json-bytes.ts'

/** The two ends of the gateway, for what it says itself. */
export interface Wire {
  /** Whole lines, each with its end. */
  toClient(text: Buffer | string): void
  toServer(text: Buffer | string): void
  /** One sentence for a person; what a peer wrote stands in it as it came. */
  notice(sentence: string): void
}

/** An id as it was written: so it is echoed. */
export function writtenId(bytes: Buffer, { span }: { readonly span: Span }): string {
  return bytes.toString('utf8', span.start, span.end)
}

/** The beginning of a line, for a notice. */
export function excerpt(bytes: Buffer, { start, end }: Span): string {
  return JSON.stringify(bytes.toString('utf8', start, Math.min(end, start + 200)))
}
