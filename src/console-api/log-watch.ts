import { ConsentryError } from '../errors.ts'
import type { AuditLog } from '../audit/index.ts'
import type { Fault } from './contract.ts'
import { faultOf } from './server-board.ts'

export interface LogWatchOptions {
  readonly audit: Pick<AuditLog, 'page'>
  /** It can be read no more, or again. */
  readonly onChange: () => void
  /** Milliseconds between two looks while it cannot be read. */
  readonly pause?: number | undefined
}

/** Whether the log can be read, looked at when somebody comes: a damaged database is not for the first question to find out. */
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

  /** Looks once, and from then on until it can be read. */
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
    const { audit, onChange, pause = 3000 } = this.#options
    const fault = await audit.page({ limit: 1 }).then(
      () => undefined,
      (error: unknown) => faultOf(error instanceof ConsentryError ? error : new ConsentryError('INTERNAL', 'The log cannot be read.', { cause: error })),
    )
    if (this.#closed) return
    if (fault !== undefined) this.#timer = setTimeout(() => void this.look(), pause).unref()
    if (fault?.message === this.#fault?.message) return
    this.#fault = fault
    onChange()
  }
}
