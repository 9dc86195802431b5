import { ConsentryError } from '../errors.ts'
import { migrations } from './migrations/index.ts'
import type { Store } from './store.ts'
import type { Database } from './tables.ts'

/**
 * Brings the tables up to what this program knows. Several processes may do it at once: one does the work, the others find it done.
 *
 * @throws ConsentryError `STORE_UNAVAILABLE` when a newer program made the tables: nothing is read or written then
 */
export async function migrate(store: Store): Promise<void> {
  if ((await store.read(readVersion)) === migrations.length) return
  await store.write(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute()
    const version = await readVersion(transaction)
    for (const change of migrations.slice(version)) await change(transaction)
    await transaction.deleteFrom('schema_version').execute()
    await transaction.insertInto('schema_version').values({ version: migrations.length }).execute()
  })
}

async function readVersion(database: Database): Promise<number> {
  const tables = await database.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_version')) return 0
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst()
  const version = row?.version ?? 0
  if (version > migrations.length)
    throw new ConsentryError(
      'STORE_UNAVAILABLE',
      `The database was made by a newer consentry (schema ${version}, known here: ${migrations.length}): update this one`,
      {
        data: { version, known: migrations.length },
      },
    )
  return version
}
