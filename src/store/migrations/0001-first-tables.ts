import type { DatabaseTransaction } from '../tables.ts'

/** The audit log, remembered consents, and what was spent under limits. */
export async function createFirstTables({ schema }: DatabaseTransaction): Promise<void> {
  await schema
    .createTable('audit_entries')
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('entry', 'text', (column) => column.notNull())
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('server_key', 'text', (column) => column.notNull())
    .addColumn('server_name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('granted_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute()
  await schema.createIndex('grants_by_server').on('grants').columns(['server_key', 'kind']).execute()
  await schema
    .createTable('spendings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('rule', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'double precision', (column) => column.notNull())
    .addColumn('cost', 'double precision', (column) => column.notNull())
    .execute()
  await schema.createIndex('spendings_by_rule').on('spendings').columns(['rule', 'server', 'at']).execute()
}
