import { isUtf8 } from 'node:buffer'
import { editPieces, inOrder, type Edit } from './edit.ts'
import type { Flaw } from './envelope.ts'
import type { Span } from './json-bytes.ts'

/**
 * What becomes of a line: it goes on as it came, or with some of its bytes replaced, or not at all.
 * The bytes of a line that passes are only lent: whoever keeps any of them copies them.
 */
export type Verdict = 'pass' | 'drop' | readonly Edit[]

/** A line that is passed on while it is still coming. */
export interface BegunLine {
  /** @returns how much of these bytes can be passed on now; a text where the line turns out to be one that must not be passed */
  push(bytes: Buffer): number | string
  /** The line is over, its end not included. @returns what was kept back; a text as above */
  end(): Buffer | string
  /** It was passed whole, or broken off. */
  close(why: string | undefined): void
}

export interface LineFeedOptions {
  /** A longer line ends the reading: nobody can tell whom it was for. */
  readonly maxBytes: number
  /** @param line without its line end */
  readonly judge: (bytes: Buffer, line: Span, flaw: Flaw | undefined) => Verdict
  /** Asked once of a long line that is still coming. @returns what looks at its rest, where it can be passed on as it comes */
  readonly judgeBegun?: ((bytes: Buffer) => BegunLine | undefined) | undefined
  /** What goes on of one chunk, at once, in pieces. */
  readonly forward: (pieces: readonly Buffer[]) => void
  readonly onTooLong: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const lineEnd = Buffer.from('\n')
const nothing = Buffer.alloc(0)
/** A line that is longer is passed on as it comes, where that can be. */
const longLine = 32 * 1024
/** So many bytes are worth a writing of their own. */
const headStart = 2 * 1024
/** More is not kept for the next long line. */
const largestScratch = 8 * 1024 * 1024
/** So many parts of a line are put together: there can be as many as bytes. */
const mostParts = 1024

/**
 * Cuts a stream of bytes into lines, has each one judged, and forwards what goes on: where nothing is changed, the very chunks that came in.
 * Each byte is looked at once, however long its line and wherever the chunks end.
 */
export class LineFeed {
  readonly #options: LineFeedOptions
  #parts: Buffer[] = []
  /** How many came since some were put together. */
  #loose = 0
  /** Where long lines are put together to be read: one that passes goes on in the chunks that it came in. */
  #scratch: Buffer = nothing
  /** What is said between the lines, while some are being read. */
  #inserted: Buffer[] | undefined
  #bytes = 0
  #begun: BegunLine | undefined
  /** What we say ourselves while a line is half passed on. */
  #afterwards: Buffer[] = []
  /** The rest of a line that turned out broken. */
  #isSkipping = false
  #isOver = false

  constructor(options: LineFeedOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#begun || this.#isSkipping) return this.#pushBegun(chunk)
    const first = this.#bytes > 0 ? chunk.indexOf(lineFeed) : -1
    if (this.#bytes > 0 && first < 0) return this.#keep(chunk)
    const out: Buffer[] = []
    if (first >= 0) {
      this.#keep(chunk.subarray(0, first + 1))
      if (this.#isOver) return
      this.#readParts(out)
    }
    const rest = first < 0 ? chunk : chunk.subarray(first + 1)
    const behindLast = rest.lastIndexOf(lineFeed) + 1
    if (behindLast > 0) this.#readLines(behindLast === rest.length ? rest : rest.subarray(0, behindLast), out)
    if (out.length > 0) this.#options.forward(out)
    if (behindLast < rest.length) this.#keep(rest.subarray(behindLast))
  }

  /** Says something behind the line that is being judged, or passed on, so that it overtakes none and stands in none. @returns false where there is no such line */
  insert(text: Buffer | string): boolean {
    const place = this.#begun ? this.#afterwards : this.#inserted
    place?.push(typeof text === 'string' ? Buffer.from(text) : text)
    return place !== undefined
  }

  /** The stream is over: what stands there without a line end is a line too. */
  end(): void {
    if (this.#isOver) return
    if (this.#bytes > 0 || this.#begun || this.#isSkipping) this.push(lineEnd)
    this.#isOver = true
  }

  #keep(part: Buffer): void {
    const before = this.#bytes
    this.#parts.push(part)
    this.#loose += 1
    this.#bytes += part.length
    if (this.#loose === mostParts) this.#joinLoose()
    if (before < longLine && this.#bytes >= longLine && part.at(-1) !== lineFeed) this.#begin()
    if (this.#bytes <= this.#options.maxBytes) return
    this.#tooLong()
  }

  #joinLoose(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(-this.#loose)))
    this.#loose = 0
  }

  #tooLong(): void {
    this.#forgetParts()
    this.#isOver = true
    this.#options.onTooLong()
  }

  /** Passes on the beginning of a line, where it says all that matters. */
  #begin(): void {
    const head = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#begun = this.#options.judgeBegun?.(head)
    if (this.#begun === undefined) return
    this.#options.forward([head])
    this.#parts = []
    this.#loose = 0
  }

  #pushBegun(chunk: Buffer): void {
    const end = chunk.indexOf(lineFeed)
    const part = end < 0 ? chunk : chunk.subarray(0, end)
    this.#bytes += part.length
    if (this.#bytes > this.#options.maxBytes) return this.#tooLong()
    const out: Buffer[] = []
    if (this.#begun) {
      const passed = this.#begun.push(part)
      if (typeof passed === 'string') this.#breakOff(passed, out)
      else if (passed > 0) out.push(part.subarray(0, passed))
    }
    if (end >= 0) {
      const rest = this.#begun?.end()
      if (typeof rest === 'string') this.#breakOff(rest, out)
      else if (rest) this.#finish(undefined, out, rest)
      this.#isSkipping = false
      this.#bytes = 0
    }
    if (!this.#begun) out.push(...this.#afterwards.splice(0))
    if (out.length > 0) this.#options.forward(out)
    if (end >= 0 && end + 1 < chunk.length) this.push(chunk.subarray(end + 1))
  }

  /** What was passed on of it is no message, and is ended as a line. */
  #breakOff(why: string, out: Buffer[]): void {
    this.#isSkipping = true
    this.#finish(why, out, nothing)
  }

  #finish(why: string | undefined, out: Buffer[], rest: Buffer): void {
    const begun = this.#begun!
    out.push(rest, lineEnd)
    this.#begun = undefined
    // Whatever is said about it now stands behind it.
    this.#inserted = this.#afterwards
    begun.close(why)
    this.#inserted = undefined
  }

  #forgetParts(): void {
    this.#parts = []
    this.#loose = 0
    this.#bytes = 0
  }

  /** Reads the line that the parts make up. */
  #readParts(out: Buffer[]): void {
    const parts = this.#parts
    const length = this.#bytes
    this.#forgetParts()
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(length)))
    let at = 0
    for (const part of parts) at += part.copy(this.#scratch, at)
    const read: Buffer[] = []
    const whole = this.#scratch.subarray(0, length)
    this.#read(whole, read)
    const isPassed = read.length === 1 && read[0] === whole
    if (!isPassed || this.#scratch.length > largestScratch) this.#scratch = nothing
    for (const piece of isPassed ? parts : read) out.push(piece)
  }

  /** Of many lines the first go ahead, so that whoever gets them is at work while we read the others. */
  #readLines(bytes: Buffer, out: Buffer[]): void {
    const behind = bytes.length > 2 * headStart ? bytes.indexOf(lineFeed, headStart) + 1 : bytes.length
    if (behind === bytes.length) return this.#read(bytes, out)
    this.#read(bytes.subarray(0, behind), out)
    if (out.length > 0) this.#options.forward(out.splice(0))
    this.#read(bytes.subarray(behind), out)
  }

  /** @param bytes whole lines, each with its end */
  #read(bytes: Buffer, out: Buffer[]): void {
    const isSound = bytes.indexOf(carriageReturn) < 0 && isUtf8(bytes)
    const inserted = (this.#inserted = [] as Buffer[])
    const edits: Edit[] = []
    let start = 0
    while (start < bytes.length) {
      const behind = bytes.indexOf(lineFeed, start) + 1
      const verdict = this.#judge(bytes, start, behind, isSound)
      if (verdict === 'drop') edits.push({ span: { start, end: behind }, bytes: nothing })
      else if (verdict !== 'pass') edits.push(...inOrder(verdict))
      if (inserted.length > 0) edits.push(...inserted.splice(0).map((other) => ({ span: { start: behind, end: behind }, bytes: other })))
      start = behind
    }
    this.#inserted = undefined
    if (edits.length === 0) out.push(bytes)
    else for (const piece of editPieces(bytes, edits)) out.push(piece)
  }

  #judge(bytes: Buffer, start: number, behind: number, isSound: boolean): Verdict {
    const end = behind - lengthOfEnd(bytes, start, behind)
    if (end === start) return 'drop'
    const flaw = isSound ? undefined : findFlaw(bytes.subarray(start, end))
    return this.#options.judge(bytes, { start, end }, flaw)
  }
}

function findFlaw(line: Buffer): Flaw | undefined {
  if (line.indexOf(carriageReturn) >= 0) return 'a bare carriage return is in it'
  return isUtf8(line) ? undefined : 'it is not UTF-8'
}

/** A line ends in LF or in CR LF. */
function lengthOfEnd(bytes: Buffer, start: number, behind: number): 1 | 2 {
  return behind - 2 >= start && bytes[behind - 2] === carriageReturn ? 2 : 1
}
