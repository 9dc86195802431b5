import { ConsentryError } from '../errors.ts'

const SHORTEST_PREFIX = 4

/** Finds what an id means: the id itself, or the beginning of one. @throws ConsentryError `USAGE` where that is nothing, or more than one */
export function findRow<Row extends { readonly id: string }>(id: string, rows: readonly Row[], command: string): Row {
  const found = rows.filter((row) => row.id === id || (id.length >= SHORTEST_PREFIX && row.id.startsWith(id)))
  if (found.length === 1) return found[0]!
  throw new ConsentryError('USAGE', `${found.length === 0 ? 'No grant has' : 'More than one grant has'} the id ${JSON.stringify(id)}: ${command} shows all`)
}
