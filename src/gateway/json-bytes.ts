/**
 * JSON as bytes: where a value ends, without building it. Only the frame is looked at, so that a megabyte of text costs a search for its closing quote.
 *
 * Positions are offsets into the bytes, ends are just behind; -1 is "there is no such place". What lies inside a value that is skipped may be no JSON:
 * whoever answers a message parses it first.
 */

/** Where something stands: from its first byte to just behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const quote = 0x22
export const backslash = 0x5c
export const colon = 0x3a
export const comma = 0x2c
export const openBrace = 0x7b
export const closeBrace = 0x7d
export const openBracket = 0x5b
const space = 0x20
const tab = 0x09
const carriageReturn = 0x0d
const minus = 0x2d
const digits = { first: 0x30, last: 0x39 }
/** Makes `[` and `{` one byte, and `]` and `}` another. */
const bracketBit = 0x20

/** Bytes of a string that are looked at one by one before its end is searched for: fewer where searching brought us far. */
const steps = { dense: 32, sparse: 0, far: 8 }

/** A carriage return counts as space here, so that the id of a line that is refused for it can be read. */
export function skipSpace(bytes: Buffer, at: number, end: number): number {
  let here = at
  while (here < end && (bytes[here] === space || bytes[here] === tab || bytes[here] === carriageReturn)) here += 1
  return here
}

/** @param at the opening quote */
export function endOfString(bytes: Buffer, at: number, end: number): number {
  let here = at + 1
  let next = steps.dense
  for (;;) {
    const stop = Math.min(here + next, end)
    while (here < stop) {
      const byte = bytes[here]!
      if (byte === quote) return here + 1
      here += byte === backslash ? 2 : 1
    }
    if (here >= end) return -1
    const found = bytes.indexOf(quote, here)
    if (found < 0 || found >= end) return -1
    if (!isEscaped(bytes, here, found)) return found + 1
    next = found - here > steps.far ? steps.sparse : steps.dense
    here = found + 1
  }
}

/** @param from a place in the string that no backslash stands before */
export function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let before = at
  while (before > from && bytes[before - 1] === backslash) before -= 1
  return (at - before) % 2 === 1
}

/** @param at the first byte of the value */
export function endOfValue(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return -1
  const first = bytes[at]!
  if (first === quote) return endOfString(bytes, at, end)
  if ((first | bracketBit) === openBrace) return endOfNested(bytes, at, end)
  return endOfWord(bytes, at, end)
}

function endOfNested(bytes: Buffer, at: number, end: number): number {
  let depth = 0
  let here = at
  while (here < end) {
    const byte = bytes[here]!
    if (byte === quote) {
      here = endOfString(bytes, here, end)
      if (here < 0) return -1
      continue
    }
    here += 1
    const bracket = byte | bracketBit
    if (bracket === openBrace) depth += 1
    else if (bracket === closeBrace) {
      depth -= 1
      if (depth === 0) return here
    }
  }
  return -1
}

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

function endOfWord(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] !== minus && !isDigit(bytes[at]!)) {
    const word = words.find((one) => one[0] === bytes[at])
    const behind = at + (word?.length ?? 0)
    return word !== undefined && behind <= end && isSameAt(bytes, { start: at, end: behind }, word) ? behind : -1
  }
  let here = at + 1
  while (here < end && isPartOfNumber(bytes[here]!)) here += 1
  return here
}

/** Whether some bytes stand at a span. For few of them, where a call out of here would cost more. */
export function isSameAt(bytes: Buffer, { start, end }: Span, wanted: Buffer): boolean {
  if (end - start !== wanted.length) return false
  for (let index = 0; index < wanted.length; index += 1) if (bytes[start + index] !== wanted[index]) return false
  return true
}

function isPartOfNumber(byte: number): boolean {
  // Digits, + - . and the exponent's letter.
  return isDigit(byte) || byte === minus || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45
}

export function isDigit(byte: number): boolean {
  return byte >= digits.first && byte <= digits.last
}

/** The text of a string that stands at a span, quotes included; undefined where that is no string, or one that JSON does not know. */
export function readText(bytes: Buffer, { start, end }: Span): string | undefined {
  if (end - start < 2 || bytes[start] !== quote) return undefined
  if (!hasBackslash(bytes, start + 1, end - 1)) return bytes.toString('utf8', start + 1, end - 1)
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string
  } catch {
    return undefined
  }
}

/** What is searched for in a short text may stand far behind it: there it is not looked for. */
function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  const stop = Math.min(end, start + steps.dense)
  for (let here = start; here < stop; here += 1) if (bytes[here] === backslash) return true
  if (stop === end) return false
  const found = bytes.indexOf(backslash, stop)
  return found >= 0 && found < end
}
