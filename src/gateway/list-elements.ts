import { comma, endOfValue, openBracket, skipSpace, type Span } from './json-bytes.ts'

const closeBracket = 0x5d

/** The elements of a list, as far as one can be read. */
export function elementsOf(bytes: Buffer, { start, end }: Span): readonly Span[] {
  const elements: Span[] = []
  let here = skipSpace(bytes, start, end)
  if (bytes[here] !== openBracket) return elements
  do {
    const first = skipSpace(bytes, here + 1, end)
    if (first >= end || bytes[first] === closeBracket) return elements
    const behind = endOfValue(bytes, first, end)
    if (behind < 0) return elements
    elements.push({ start: first, end: behind })
    here = skipSpace(bytes, behind, end)
  } while (here < end && bytes[here] === comma)
  return elements
}
