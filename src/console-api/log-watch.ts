import { ConsentryError } from '../errors.ts'
import type { AuditLog } from '../audit/index.ts'
import type { Fault } from './contract.ts'
import { faultOf } from './server-board.ts'

export interface LogWatchOptions {
  readonly audit: Pick<AuditLog, 'page' | 'tryWriting'>
  /** An entry could not be written, and none was since. */
  readonly lacksEntry: () => boolean
  /** Entries can be written again. */
  readonly onWritable: () => void
  /** What is the matter with it is something else now, or over. */
  readonly onChange: () => void
  /** Milliseconds between two looks while something is the matter. */
  readonly pause?: number | undefined
}

/**
 * Whether the log can be read, looked at when somebody comes: a damaged database is not for the first question to find out.
 * Where an entry could not be written, whether one could be by now: that there is room again is not for the next question to find out either.
 */
export class LogWatch {
  readonly #options: LogWatchOptions
  #fault: Fault | undefined
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: LogWatchOptions) {
    this.#options = options
  }

  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Looks once, and from then on until nothing is the matter any more. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  /** Safe to call twice. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer)
    const { lacksEntry, onChange, pause = 3000 } = this.#options
    const fault = await this.#try().catch((error: unknown) =>
      faultOf(error instanceof ConsentryError ? error : new ConsentryError('INTERNAL', 'The log cannot be read.', { cause: error })),
    )
    if (this.#closed) return
    // It may have come to lack one only after it was tried.
    if (fault !== undefined || lacksEntry()) this.#timer = setTimeout(() => void this.look(), pause).unref()
    if (fault?.message === this.#fault?.message) return
    this.#fault = fault
    onChange()
  }

  async #try(): Promise<undefined> {
    const { audit, lacksEntry, onWritable } = this.#options
    await audit.page({ limit: 1 })
    if (!lacksEntry()) return
    await audit.tryWriting()
    onWritable()
  }
}
