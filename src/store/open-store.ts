import { ConsentryError } from '../errors.ts'
import { adviceOn } from './disk-advice.ts'
import { migrate } from './migrate.ts'
import { privateFiles, type PrivateFiles } from './private-files.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** The database file; made, with its folder, where it is not there. */
  readonly file: string
  readonly files?: PrivateFiles | undefined
}

/**
 * Opens the store, and brings its tables up to date. The database engine is loaded only now: it costs a quarter of a second.
 * The caller closes it.
 *
 * @throws ConsentryError `STORE_UNAVAILABLE`
 */
export async function openStore({ file, files = privateFiles }: StoreOptions): Promise<Store> {
  try {
    // SQLite gives the files beside it (-wal, -shm) the mode of this one.
    await files.create(file)
  } catch (cause) {
    throw new ConsentryError('STORE_UNAVAILABLE', `The database ${file} cannot be made (${(cause as Error).message}): ${adviceOn(cause)}`, {
      cause,
      data: { file },
    })
  }
  const store = await loadStore(file)
  try {
    await migrate(store)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

async function loadStore(file: string): Promise<Store> {
  try {
    const { SqliteStore } = await import('./sqlite-store.ts')
    return new SqliteStore(file)
  } catch (cause) {
    throw new ConsentryError(
      'STORE_UNAVAILABLE',
      `The database engine cannot be loaded on this machine (${(cause as Error).message}): install consentry again`,
      { cause },
    )
  }
}
