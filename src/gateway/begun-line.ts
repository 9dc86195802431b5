import { isUtf8 } from 'node:buffer'
import { readId, isVersion, frame, type WrittenId } from './envelope.ts'
import { backslash, closeBrace, comma, endOfString, isEscaped, openBrace, quote, readText } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readBegun, readMembers } from './read-members.ts'

/** The beginning of a long line that is a response: whose, and where its result stands. */
export interface BegunResponse {
  readonly id: WrittenId
  readonly resultStart: number
  /** The result says that it is complete. @see MCP 2026-07-28 basic "Responses" */
  readonly isComplete: boolean
}

const carriageReturn = 0x0d
const types = new KeySet(['resultType'])

/** @returns undefined where this is no beginning that says it all: then the whole line has to be waited for */
export function readBegunResponse(bytes: Buffer): BegunResponse | undefined {
  const { spans, faults, open } = readBegun(bytes, { start: 0, end: bytes.length }, frame) ?? {}
  if (spans === undefined || open?.name !== 'result' || bytes[open.start] !== openBrace || faults!.length > 0) return undefined
  const { jsonrpc, id, method, error, result } = spans
  if (jsonrpc === undefined || id === undefined || method || error || result || !isVersion(bytes, jsonrpc)) return undefined
  const written = readId(bytes, id)
  const inner = readBegun(bytes, { start: open.start, end: bytes.length }, types)
  const type = inner?.faults.length === 0 && inner.open?.name === undefined ? inner.spans.resultType : undefined
  return written && { id: written, resultStart: open.start, isComplete: type !== undefined && readText(bytes, type) === 'complete' }
}

/** A key that could be read as one of ours is not longer, however it is escaped. */
const longestKey = 128

/**
 * The rest of a response whose beginning has been passed on: looked at once as it comes, so that only what stands behind the result is kept back.
 *
 * Until it is over the receiver has no whole object, and can take what it got for nothing.
 */
export class ResultRest {
  readonly #watchesType: boolean
  readonly #behind: Buffer[] = []
  readonly #text = new TextCheck()
  #depth = 0
  #isOver = false
  #inString = false
  #isEscaped = false
  #isKeyNext = false
  #types = 0
  #key: Buffer | undefined

  /** @param watchesType the result said that it is complete, and must not say anything else later */
  constructor(watchesType: boolean) {
    this.#watchesType = watchesType
  }

  /**
   * @param from where the result starts, in its first bytes
   * @returns how much can be passed on now; a text: what makes the line one that must not be passed
   */
  push(bytes: Buffer, from = 0): number | string {
    if (this.#isOver) {
      this.#behind.push(bytes)
      return 0
    }
    const end = this.#scan(bytes, from)
    const own = end < 0 ? bytes : bytes.subarray(0, end)
    if (!this.#text.push(own)) return 'it is not UTF-8'
    if (own.includes(carriageReturn)) return 'a bare carriage return is in it'
    if (this.#types > 1) return '"resultType" stands in it twice, or in a spelling that receivers read differently'
    if (end < 0) return bytes.length
    this.#isOver = true
    this.#behind.push(bytes.subarray(end))
    return end
  }

  /** The line is over. @returns what stood behind the result; a text: what makes the line one that must not be passed */
  end(): Buffer | string {
    const behind = Buffer.concat(this.#behind)
    const line = behind.at(-1) === carriageReturn ? behind.subarray(0, -1) : behind
    if (!this.#isOver) return 'it breaks off'
    if (!isUtf8(line)) return 'it is not UTF-8'
    if (line.includes(carriageReturn)) return 'a bare carriage return is in it'
    // What follows the result is the end of an object that has one member already.
    const whole = Buffer.concat([beginning, line])
    const found = readMembers(whole, { start: 0, end: whole.length }, frame)
    if (found === undefined) return 'it is no JSON object'
    const again = frame.names.find((name) => found.spans[name] !== undefined)
    return again === undefined ? behind : `"${again}" stands in it behind its result`
  }

  /** @returns just behind the result; -1 where it goes on */
  #scan(bytes: Buffer, from: number): number {
    let here = this.#inString ? this.#endString(bytes) : from
    if (here < 0) return -1
    while (here < bytes.length) {
      const byte = bytes[here]!
      if (byte === quote) {
        const isKey = this.#isKeyNext
        this.#isKeyNext = false
        const behind = endOfString(bytes, here, bytes.length)
        if (isKey) this.#noteKey(bytes.subarray(here, behind < 0 ? bytes.length : behind), behind >= 0)
        if (behind < 0) return this.#begin(bytes, here + 1)
        here = behind
        continue
      }
      here += 1
      const bracket = byte | 0x20
      if (bracket === openBrace) this.#isKeyNext = (this.#depth += 1) === 1 && this.#watchesType
      else if (bracket === closeBrace) {
        if ((this.#depth -= 1) === 0) return here
      } else if (byte === comma) this.#isKeyNext = this.#depth === 1 && this.#watchesType
    }
    return -1
  }

  #begin(bytes: Buffer, from: number): -1 {
    this.#inString = true
    this.#isEscaped = bytes.at(-1) === backslash && isEscaped(bytes, from, bytes.length)
    return -1
  }

  /** @returns just behind a string that began in bytes before these */
  #endString(bytes: Buffer): number {
    const from = this.#isEscaped ? 1 : 0
    const behind = endOfString(bytes, from - 1, bytes.length)
    if (this.#key) this.#noteKey(Buffer.concat([this.#key, bytes.subarray(0, behind < 0 ? longestKey : behind)]), behind >= 0)
    if (behind < 0) return this.#begin(bytes, from)
    this.#inString = false
    return behind
  }

  #noteKey(key: Buffer, isWhole: boolean): void {
    this.#key = isWhole || key.length > longestKey ? undefined : Buffer.from(key)
    if (isWhole && key.length <= longestKey && types.find(key, 1, key.length - 1).index >= 0) this.#types += 1
  }
}

const beginning = Buffer.from('{"":""')

/** Whether bytes that come in pieces are UTF-8. */
class TextCheck {
  /** A character whose end has not come yet. */
  #begun: Buffer = Buffer.alloc(0)

  push(bytes: Buffer): boolean {
    const all = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes
    const kept = lengthOfBegun(all)
    this.#begun = kept > 0 ? Buffer.from(all.subarray(-kept)) : this.#begun.subarray(0, 0)
    return isUtf8(kept > 0 ? all.subarray(0, -kept) : all)
  }
}

/** Bytes at the end that are the beginning of one character. */
function lengthOfBegun(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
