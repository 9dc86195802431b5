import type { Rereading } from '../mcp/rereading.ts'
import { wireCodes } from '../mcp/wire-error.ts'
import { mayAsk } from './client-requests.ts'
import type { RequestId, WrittenId } from './envelope.ts'
import type { Span } from './json-bytes.ts'
import { errorLine } from './request-lines.ts'
import { writtenId, type Wire } from './wire.ts'

export interface HeldLinesNeeds {
  readonly wire: Wire
  readonly rereading: Rereading
}

interface HeldLine {
  /** Of a request; undefined for a notification. */
  readonly id: RequestId | undefined
  /** With its end. */
  readonly bytes: Buffer
}

const lineFeed = 0x0a
/** A client that says so much while its server is started afresh is told to come again. */
const mostBytes = 64 * 1024 * 1024

/**
 * What the client says while its server is not ready for it: calls wait until the server has read its new folders, and everything waits while the server is started
 * afresh. It goes on in the order in which it came.
 */
export class HeldLines {
  readonly #needs: HeldLinesNeeds
  #lines: HeldLine[] = []
  #bytes = 0
  #isShut = false
  #waiting: (() => void)[] = []

  constructor(needs: HeldLinesNeeds) {
    this.#needs = needs
  }

  /** True while there is no server that anything could be said to. */
  get isShut(): boolean {
    return this.#isShut
  }

  /** Whether a request waits. */
  mustWait(method: string): boolean {
    return this.#isShut || (this.#needs.rereading.over !== undefined && mayAsk(method))
  }

  /** Resolves when a request of that method may go on: with what waits, or when nobody is there any more. */
  async whenFree(method: string): Promise<void> {
    if (this.mustWait(method)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Whether a request with this id waits. */
  has(id: RequestId): boolean {
    return this.#lines.some((line) => line.id === id)
  }

  /** Everything waits from now on. */
  shut(): void {
    this.#isShut = true
  }

  keep(bytes: Buffer, line: Span, id?: WrittenId): 'drop' {
    if (this.#bytes > mostBytes) return this.#refuse(bytes, id)
    const end = bytes.indexOf(lineFeed, line.end) + 1
    const own = Buffer.from(bytes.subarray(line.start, end))
    this.#lines.push({ id: id?.value, bytes: own })
    this.#bytes += own.length
    return 'drop'
  }

  /** The client gave a request up that waits. @returns false where none does */
  forget(id: RequestId): boolean {
    const kept = this.#lines.filter((line) => line.id !== id)
    if (kept.length === this.#lines.length) return false
    this.#lines = kept
    this.#bytes = kept.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return true
  }

  /** Whatever waits goes on, unless there is still a reason to wait. @param judge takes a line as if it came now, and passes on what is to be passed on */
  release(judge: (bytes: Buffer) => void): void {
    if (this.#isShut || this.#needs.rereading.over !== undefined) return
    const lines = this.#lines
    this.clear()
    for (const { bytes } of lines) judge(bytes)
  }

  /** A server is there again. */
  open(): void {
    this.#isShut = false
  }

  /** Nobody is there any more who could be answered. */
  clear(): void {
    this.#lines = []
    this.#bytes = 0
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #refuse(bytes: Buffer, id: WrittenId | undefined): 'drop' {
    const message = 'Too much waits already for the server, which is being started afresh'
    if (id) this.#needs.wire.toClient(errorLine(writtenId(bytes, id), { code: wireCodes.internal, message }))
    return 'drop'
  }
}
