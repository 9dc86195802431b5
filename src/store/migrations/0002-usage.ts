import type { DatabaseTransaction } from '../tables.ts'

/** Who used which model: every request of a model is booked, whether it has limits or not, and kept for a while. */
export async function addUsage({ schema }: DatabaseTransaction): Promise<void> {
  const table = (): ReturnType<typeof schema.alterTable> => schema.alterTable('spendings')
  await table()
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('sampling'))
    .execute()
  await table()
    .addColumn('run', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await table()
    .addColumn('model', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await table()
    .addColumn('output', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute()
  await table()
    .addColumn('is_priced', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await table()
    .addColumn('is_open', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.createIndex('spendings_by_time').on('spendings').columns(['at']).execute()
  await schema.createIndex('spendings_by_run').on('spendings').columns(['run']).execute()
}
