import type { DatabaseTransaction } from '../tables.ts'

/** Room that a person gave beside a limit, for the rest of a day. */
export async function addRaises({ schema }: DatabaseTransaction): Promise<void> {
  await schema
    .createTable('raises')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('limit_key', 'text', (column) => column.notNull())
    .addColumn('amount', 'double precision', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute()
}
