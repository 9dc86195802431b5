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

/** A line that is longer is kept in a buffer of its own, and the buffer let go afterwards. */
const usualBytes = 64 * 1024

/** Cuts bytes into lines, each byte looked at once, however long the line and however small the chunks. */
export class LineReader {
  readonly #options: LineReaderOptions
  readonly #strict = new TextDecoder('utf-8', { fatal: true })
  readonly #lenient = new TextDecoder('utf-8')
  /** The beginning of a line whose end has not come yet. */
  #begun = new Uint8Array(usualBytes)
  #bytes = 0
  #ended = false

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  push(chunk: Uint8Array): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0 && !this.#ended; end = chunk.indexOf(newline, start)) {
      this.#emit(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  /** The stream is over: what stands there without a line end is a line too. */
  end(): void {
    if (this.#bytes > 0) this.#emit(new Uint8Array(0))
    this.#ended = true
  }

  #keep(part: Uint8Array): void {
    if (this.#ended) return
    const bytes = this.#bytes + part.length
    if (bytes > this.#options.maxBytes) {
      this.#ended = true
      this.#options.onTooLong()
      return
    }
    if (bytes > this.#begun.length) {
      const larger = new Uint8Array(Math.max(bytes, this.#begun.length * 2))
      larger.set(this.#begun.subarray(0, this.#bytes))
      this.#begun = larger
    }
    this.#begun.set(part, this.#bytes)
    this.#bytes = bytes
  }

  #emit(last: Uint8Array): void {
    if (this.#bytes === 0 && last.length <= this.#options.maxBytes) {
      this.#read(last)
      return
    }
    this.#keep(last)
    if (!this.#ended) this.#read(this.#begun.subarray(0, this.#bytes))
    this.#bytes = 0
    if (this.#begun.length > usualBytes) this.#begun = new Uint8Array(usualBytes)
  }

  #read(line: Uint8Array): void {
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
