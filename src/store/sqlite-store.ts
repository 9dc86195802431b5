import { Kysely } from 'kysely'
import { ConsentryError } from '../errors.ts'
import { SqliteFileDialect } from './sqlite-dialect.ts'
import type { Store } from './store.ts'
import type { Database, DatabaseTransaction, Tables } from './tables.ts'

/** A store in one SQLite file. */
export class SqliteStore implements Store {
  readonly #file: string
  readonly #database: Database
  #closed = false

  constructor(file: string) {
    this.#file = file
    this.#database = new Kysely<Tables>({ dialect: new SqliteFileDialect(file) })
  }

  async read<Value>(work: (database: Database) => Promise<Value>): Promise<Value> {
    this.#checkOpen()
    return work(this.#database)
  }

  async write<Value>(work: (transaction: DatabaseTransaction) => Promise<Value>): Promise<Value> {
    this.#checkOpen()
    return this.#database.transaction().execute(work)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#database.destroy()
  }

  #checkOpen(): void {
    if (this.#closed) throw new ConsentryError('STORE_UNAVAILABLE', `The database ${this.#file} was closed`, { data: { file: this.#file } })
  }
}
