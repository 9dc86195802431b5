import { isUtf8 } from 'node:buffer'
import type { Flaw } from './envelope.ts'
import type { Span } from './json-bytes.ts'

/** What becomes of a line: it goes on as it came, or others in its place (without line end), or nothing. */
export type Verdict = 'pass' | 'drop' | readonly Buffer[]

export interface LineFeedOptions {
  /** A longer line ends the reading: nobody can tell whom it was for. */
  readonly maxBytes: number
  /** @param line without its line end */
  readonly judge: (bytes: Buffer, line: Span, flaw: Flaw | undefined) => Verdict
  /** What goes on of one chunk, at once. */
  readonly forward: (bytes: Buffer) => void
  readonly onTooLong: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const lineEnd = Buffer.from('\n')

/**
 * Cuts a stream of bytes into lines, has each one judged, and forwards what goes on: where nothing is changed, the very chunks that came in.
 * Each byte is looked at once, however long its line and wherever the chunks end.
 */
export class LineFeed {
  readonly #options: LineFeedOptions
  #parts: Buffer[] = []
  /** What is said between the lines, while some are being read. */
  #inserted: Buffer[] | undefined
  #bytes = 0
  #isOver = false

  constructor(options: LineFeedOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    if (this.#isOver) return
    const first = this.#bytes > 0 ? chunk.indexOf(lineFeed) : -1
    if (this.#bytes > 0 && first < 0) return this.#keep(chunk)
    const out: Buffer[] = []
    if (first >= 0) {
      this.#keep(chunk.subarray(0, first + 1))
      if (this.#isOver) return
      this.#read(this.#takeParts(), out)
    }
    const rest = first < 0 ? chunk : chunk.subarray(first + 1)
    const behindLast = rest.lastIndexOf(lineFeed) + 1
    if (behindLast > 0) this.#read(behindLast === rest.length ? rest : rest.subarray(0, behindLast), out)
    this.#forward(out)
    if (behindLast < rest.length) this.#keep(rest.subarray(behindLast))
  }

  /** Says something behind the line that is being judged, so that it does not overtake those before. @returns false where none is being judged */
  insert(text: Buffer | string): boolean {
    this.#inserted?.push(typeof text === 'string' ? Buffer.from(text) : text)
    return this.#inserted !== undefined
  }

  /** The stream is over: what stands there without a line end is a line too. */
  end(): void {
    if (this.#isOver) return
    if (this.#bytes > 0) this.push(lineEnd)
    this.#isOver = true
  }

  #keep(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.#options.maxBytes) return
    this.#takeParts()
    this.#isOver = true
    this.#options.onTooLong()
  }

  #takeParts(): Buffer {
    const whole = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#bytes)
    this.#parts = []
    this.#bytes = 0
    return whole
  }

  /** @param bytes whole lines, each with its end */
  #read(bytes: Buffer, out: Buffer[]): void {
    const isSound = bytes.indexOf(carriageReturn) < 0 && isUtf8(bytes)
    const inserted = (this.#inserted = [] as Buffer[])
    let kept = 0
    let start = 0
    while (start < bytes.length) {
      const behind = bytes.indexOf(lineFeed, start) + 1
      const verdict = this.#judge(bytes, start, behind, isSound)
      if (verdict !== 'pass' || inserted.length > 0) {
        const passed = verdict === 'pass' ? behind : start
        if (passed > kept) out.push(bytes.subarray(kept, passed))
        if (typeof verdict !== 'string') out.push(...verdict, bytes.subarray(behind - lengthOfEnd(bytes, start, behind), behind))
        out.push(...inserted.splice(0))
        kept = behind
      }
      start = behind
    }
    this.#inserted = undefined
    if (kept < bytes.length) out.push(kept === 0 ? bytes : bytes.subarray(kept))
  }

  #judge(bytes: Buffer, start: number, behind: number, isSound: boolean): Verdict {
    const end = behind - lengthOfEnd(bytes, start, behind)
    if (end === start) return 'drop'
    const flaw = isSound ? undefined : findFlaw(bytes.subarray(start, end))
    return this.#options.judge(bytes, { start, end }, flaw)
  }

  #forward(out: readonly Buffer[]): void {
    if (out.length > 0) this.#options.forward(out.length === 1 ? out[0]! : Buffer.concat(out))
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
