import type { Clock } from '../mcp/clock.ts'
import type { Heard } from '../protocol/index.ts'

type Side = 'client' | 'server'

export interface TrafficTapOptions {
  readonly clock: Pick<Clock, 'now'>
  /** @returns false: it is lost */
  readonly tell: (heard: Heard) => boolean
}

/** Of a longer line only the beginning is told, in bytes. */
const longestLine = 256 * 1024
/** So much is told in a second; more is nothing that a person could follow. */
const most = { lines: 500, bytes: 1024 * 1024 }
const secondMs = 1000
const newline = 0x0a

/** A line of which some has come. */
interface Begun {
  parts: Buffer[]
  kept: number
  bytes: number
}

/**
 * Cuts what client and server say to each other into messages, for somebody who wants to see them. It keeps nobody waiting: what there is no room for is left out and
 * counted. What is no JSON is told as well, and read by whoever shows it.
 */
export class TrafficTap {
  readonly #options: TrafficTapOptions
  readonly #begun: { readonly [From in Side]: Begun } = { client: nothing(), server: nothing() }
  #second = { at: -Infinity, lines: 0, bytes: 0 }
  #missed = 0

  constructor(options: TrafficTapOptions) {
    this.#options = options
  }

  /** @param bytes whole lines or parts of them; only lent */
  hear(from: Side, bytes: Buffer | string): void {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#end(from, chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#keep(this.#begun[from], Buffer.from(chunk.subarray(start, start + longestLine)), chunk.length - start)
  }

  #keep(begun: Begun, part: Buffer, bytes: number): void {
    begun.bytes += bytes
    if (begun.kept >= longestLine) return
    begun.parts.push(part)
    begun.kept += part.length
  }

  #end(from: Side, last: Buffer): void {
    const begun = this.#begun[from]
    const { parts } = begun
    const bytes = begun.bytes + last.length
    if (bytes > 0 && this.#hasRoom(Math.min(bytes, longestLine))) {
      const whole = parts.length === 0 ? last : Buffer.concat([...parts, last])
      this.#tell(from, whole.toString('utf8', 0, longestLine), bytes)
    } else if (bytes > 0) this.#missed += 1
    if (parts.length > 0) Object.assign(begun, nothing())
  }

  #tell(from: Side, line: string, bytes: number): void {
    const missed = this.#missed
    const isTold = this.#options.tell({
      kind: 'traffic',
      from,
      line,
      ...(bytes > longestLine && { bytes }),
      ...(missed > 0 && { missed }),
    })
    this.#missed = isTold ? 0 : missed + 1
  }

  #hasRoom(bytes: number): boolean {
    const now = this.#options.clock.now()
    if (now - this.#second.at >= secondMs) this.#second = { at: now, lines: 0, bytes: 0 }
    const { lines, bytes: told } = this.#second
    if (lines >= most.lines || told + bytes > most.bytes) return false
    Object.assign(this.#second, { lines: lines + 1, bytes: told + bytes })
    return true
  }
}

function nothing(): Begun {
  return { parts: [], kept: 0, bytes: 0 }
}
