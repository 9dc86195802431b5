import type { AuditSink } from '../audit/index.ts'

export interface MissedRootsOptions {
  readonly audit: AuditSink
  /** The server is to ask again. */
  readonly announce: () => void
  /** Milliseconds between two looks. Default: 3000. */
  readonly pause?: number | undefined
}

/** What a server was not told because the log could not be written is made up for: once it can be, the server hears that its folders have changed. */
export class MissedRoots {
  readonly #options: MissedRootsOptions
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: MissedRootsOptions) {
    this.#options = options
  }

  /** It asked, and was told nothing. */
  note(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#look(), this.#options.pause ?? 3000).unref()
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    const isWritable = await Promise.resolve(this.#options.audit.tryWriting?.()).then(
      () => true,
      () => false,
    )
    this.#timer = undefined
    if (this.#isClosed) return
    if (isWritable) this.#options.announce()
    else this.note()
  }
}
