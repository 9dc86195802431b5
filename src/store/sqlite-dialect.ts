import { statSync } from 'node:fs'
import Libsql from 'libsql'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely'
import { ConsentryError } from '../errors.ts'
import { adviceOn } from './disk-advice.ts'

/** Milliseconds after which another process has held the database for too long. */
const PATIENCE = 10_000
/** Statements that are kept ready: most are used again and again. */
const MOST_PREPARED = 200

/** SQLite in a file, by libsql. The one file that knows what is special about SQLite. */
export class SqliteFileDialect implements Dialect {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  createDriver(): Driver {
    return new WaitingDriver({ database: () => openWhenFree(this.#file) })
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter()
  }

  createIntrospector(database: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(database)
  }
}

/** A transaction takes the write lock at once, so that what it reads stays true until it has written. */
class WaitingDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new WaitingConnection(await super.acquireConnection())
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** Whatever finds the database busy had no effect, and is tried again. */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return whenFree(() => this.#connection.executeQuery<Row>(query))
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize)
  }
}

function openWhenFree(file: string): Promise<SqliteDatabase> {
  return whenFree(() => {
    const database = wrap(file, () => new Libsql(file))
    try {
      // SQLite's own waiting would stop this whole process: we wait ourselves. What is committed must outlive a power cut, because the audit log's head says so.
      for (const setting of ['busy_timeout = 0', 'journal_mode = wal', 'synchronous = full']) wrap(file, () => database.exec(`pragma ${setting}`))
    } catch (error) {
      database.close()
      throw error
    }
    const place = placeOf(file)
    const checkPlace = (): void => {
      if (placeOf(file) === place) return
      throw new ConsentryError(
        'STORE_UNAVAILABLE',
        `The database ${file} was removed or replaced while it was in use: what has it open must be started again`,
        { data: { file } },
      )
    }
    const prepared = new Map<string, SqliteStatement>()
    return Promise.resolve({
      close: () => database.close(),
      prepare: (sql: string) => {
        const statement = prepared.get(sql) ?? prepare(file, database, sql, checkPlace)
        if (prepared.size < MOST_PREPARED) prepared.set(sql, statement)
        return statement
      },
    })
  })
}

/** Which file it is that has this name. */
function placeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** @param checkPlace what is written to a file that has no name any more is lost without a word */
function prepare(file: string, database: Libsql.Database, sql: string, checkPlace: () => void): SqliteStatement {
  // A full disk ends a transaction by itself: to end it once more would hide why.
  if (/^rollback\b/.test(sql)) return control(() => wrap(file, () => database.inTransaction && database.exec(sql)))
  if (/^begin\b/.test(sql))
    return control(() => {
      checkPlace()
      wrap(file, () => database.exec(sql))
    })
  if (/^commit\b/.test(sql)) return control(() => wrap(file, () => database.exec(sql)))
  const statement = wrap(file, () => database.prepare(sql))
  return {
    reader: statement.reader,
    all: (parameters) => wrap(file, () => statement.all(checkText(parameters))),
    run: (parameters) => wrap(file, () => statement.run(checkText(parameters))),
    iterate: (parameters) => wrap(file, () => statement.iterate(checkText(parameters))),
  }
}

/** A prepared `begin immediate` that finds the database busy stays half done until it is collected, and lets nothing be committed meanwhile; `exec` does not. */
function control(execute: () => void): SqliteStatement {
  const run = (): { changes: number; lastInsertRowid: number } => {
    execute()
    return { changes: 0, lastInsertRowid: 0 }
  }
  return { reader: false, run, all: () => [], iterate: () => [].values() }
}

/** libsql would cut a text off at its first NUL without a word. */
function checkText(parameters: readonly unknown[]): readonly unknown[] {
  if (parameters.some((parameter) => typeof parameter === 'string' && parameter.includes('\0'))) throw new Error('a text contains a NUL character')
  return parameters
}

function wrap<Value>(file: string, work: () => Value): Value {
  try {
    return work()
  } catch (cause) {
    throw unavailable(file, cause)
  }
}

function unavailable(file: string, cause: unknown): ConsentryError {
  const { message } = cause as Error
  const sqliteCode = (cause as { code?: unknown }).code
  return new ConsentryError('STORE_UNAVAILABLE', `The database ${file} cannot be used (${message}): ${adviceOn(cause)}`, { cause, data: { file, sqliteCode } })
}

/** Tries again while another process writes, without standing still. */
async function whenFree<Value>(work: () => Promise<Value>): Promise<Value> {
  const end = Date.now() + PATIENCE
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof ConsentryError && String(error.data?.['sqliteCode']).startsWith('SQLITE_BUSY')
      if (!isBusy || Date.now() > end) throw error
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 1 + Math.random() * 10)
    })
  }
}
