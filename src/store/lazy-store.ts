import { ConsentryError } from '../errors.ts'
import { openStore, type StoreOptions } from './open-store.ts'
import type { Store } from './store.ts'
import type { Database, DatabaseTransaction } from './tables.ts'

/** A store that is opened when it is first used, because most runs never do. A failure to open is not kept: the next use tries again. */
export class LazyStore implements Store {
  readonly #options: StoreOptions
  #opening: Promise<Store> | undefined
  #closed = false

  constructor(options: StoreOptions) {
    this.#options = options
  }

  async read<Value>(work: (database: Database) => Promise<Value>): Promise<Value> {
    return (await this.#open()).read(work)
  }

  async write<Value>(work: (transaction: DatabaseTransaction) => Promise<Value>): Promise<Value> {
    return (await this.#open()).write(work)
  }

  async close(): Promise<void> {
    this.#closed = true
    try {
      await (await this.#opening)?.close()
    } catch {
      // It never opened: whoever used it was told.
    }
  }

  async #open(): Promise<Store> {
    const { file } = this.#options
    if (this.#closed) throw new ConsentryError('STORE_UNAVAILABLE', `The database ${file} was closed`, { data: { file } })
    this.#opening ??= openStore(this.#options)
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}
