import { ConsentryError } from '../errors.ts'
import { privateFiles } from './private-files.ts'
import { adviceOn } from './disk-advice.ts'

/** Held until it is released, or its process ends, however it ends. */
export interface FileLock {
  /** Safe to call twice. */
  release(): void
}

/**
 * Takes a lock that at most one process holds, at once or not at all. The operating system lets go of it when the process is killed, so that there is no
 * stale lock to be told from a live one: it is SQLite's own lock, on a database that stays empty.
 *
 * @returns undefined where another process holds it
 * @throws ConsentryError `STORE_UNAVAILABLE` where the file cannot be made or locked
 */
export async function takeFileLock(file: string): Promise<FileLock | undefined> {
  try {
    await privateFiles.create(file)
    const { default: Libsql } = await import('libsql')
    const database = new Libsql(file)
    try {
      database.exec('pragma busy_timeout = 0')
      database.exec('begin exclusive')
    } catch (error) {
      database.close()
      if (String((error as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY')) return undefined
      throw error
    }
    return { release: () => database.open && database.close() }
  } catch (cause) {
    throw new ConsentryError('STORE_UNAVAILABLE', `The lock ${file} cannot be taken (${(cause as Error).message}): ${adviceOn(cause)}`, {
      cause,
      data: { file },
    })
  }
}
