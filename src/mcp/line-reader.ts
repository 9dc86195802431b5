/** What a stream of bytes is cut into: each line once, without its line end. */
export interface LineReaderOptions {
  /** Longer lines end the reading: nobody can tell whom they were for. */
  readonly maxBytes: number
  /** `intact` is false where the bytes were no UTF-8; their place is taken by U+FFFD. */
  onLine(text: string, intact: boolean): void
  onTooLong(): void
}

const newline = 10
const carriageReturn = 13

/** Cuts bytes into lines, each byte looked at once, however long the line and wherever the chunks end. */
export class LineReader {
  readonly #options: LineReaderOptions
  readonly #strict = new TextDecoder('utf-8', { fatal: true })
  readonly #lenient = new TextDecoder('utf-8')
  #parts: Uint8Array[] = []
  #bytes = 0
  #ended = false

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  push(chunk: Uint8Array): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0 && !this.#ended; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#emit()
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  /** The stream is over: what stands there without a line end is a line too. */
  end(): void {
    if (this.#bytes > 0) this.#emit()
    this.#ended = true
  }

  #keep(part: Uint8Array): void {
    if (this.#ended) return
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.#options.maxBytes) return
    this.#parts = []
    this.#ended = true
    this.#options.onTooLong()
  }

  #emit(): void {
    if (this.#ended) return
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#bytes)
    this.#parts = []
    this.#bytes = 0
    const content = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
    if (content.length === 0) return
    let text: string
    try {
      text = this.#strict.decode(content)
    } catch {
      this.#options.onLine(this.#lenient.decode(content), false)
      return
    }
    this.#options.onLine(text, true)
  }
}
