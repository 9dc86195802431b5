import type { Database, DatabaseTransaction } from './tables.ts'

/**
 * Where things are kept beyond a process: one database, used by several of our processes at once.
 * Whatever the database itself refuses becomes `STORE_UNAVAILABLE`; errors of the given functions come through as they are.
 */
export interface Store {
  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  read<Value>(work: (database: Database) => Promise<Value>): Promise<Value>
  /**
   * Everything that `work` does counts together or not at all, and no other writer, in this process or another, comes between its first step and its last.
   *
   * @throws ConsentryError `STORE_UNAVAILABLE`
   */
  write<Value>(work: (transaction: DatabaseTransaction) => Promise<Value>): Promise<Value>
  /** Safe to call twice. */
  close(): Promise<void>
}
