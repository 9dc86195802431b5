import type { Database } from '../store/index.ts'
import { beginning, type ChainLink, type ChainRow } from './audit-chain.ts'

/** Whether a row stands where a link says. */
export async function holds(database: Database, link: ChainLink): Promise<boolean> {
  if (link.position === beginning.position) return link.hash === beginning.hash
  const row = await database.selectFrom('audit_entries').select('hash').where('position', '=', link.position).executeTakeFirst()
  return row?.hash === link.hash
}

/** What every entry asks of the database: to put such a question together takes longer than to answer it, so that it is done once. */
export class RowQueries {
  #last: ReturnType<typeof compileLast> | undefined
  #insert: ReturnType<typeof compileInsert> | undefined

  async last(database: Database): Promise<ChainLink | undefined> {
    this.#last ??= compileLast(database)
    return (await database.executeQuery(this.#last)).rows[0]
  }

  async insert(database: Database, row: ChainRow): Promise<void> {
    this.#insert ??= compileInsert(database)
    await database.executeQuery({ ...this.#insert, parameters: columns.map((column) => row[column]) })
  }
}

const columns = ['position', 'entry', 'previous', 'hash'] as const

function compileLast(database: Database) {
  return database.selectFrom('audit_entries').select(['position', 'hash']).orderBy('position', 'desc').limit(1).compile()
}

/** For any row: what it is of comes later, column by column. */
function compileInsert(database: Database) {
  return database.insertInto('audit_entries').values({ position: 0, entry: '', previous: '', hash: '' }).compile()
}

/** Without `after` from the very first row, also where its position is none that we give. */
export function readRows(database: Database, after: number | undefined, limit: number): Promise<ChainRow[]> {
  const rows = database.selectFrom('audit_entries').selectAll().orderBy('position').limit(limit)
  return (after === undefined ? rows : rows.where('position', '>', after)).execute()
}
