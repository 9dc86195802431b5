import type { DatabaseTransaction } from '../tables.ts'
import { createFirstTables } from './0001-first-tables.ts'
import { addUsage } from './0002-usage.ts'
import { addRaises } from './0003-raises.ts'

/** Every change of the tables, in order; the number of those done is the schema's version. None is ever changed once released. */
export const migrations: readonly ((transaction: DatabaseTransaction) => Promise<void>)[] = [createFirstTables, addUsage, addRaises]
