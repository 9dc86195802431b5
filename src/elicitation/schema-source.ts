import type { Json, JsonObject } from '../protocol/index.ts'
import { schemaFault } from './schema-fault.ts'

/** What one schema is read with: its root, for references, and bounds on the work that it can cause. */
export interface SchemaSource {
  readonly root: JsonObject
  /** Schemas already checked against their dialect. */
  readonly checked: WeakSet<object>
  /** Options as they are behind their references, by the list that they stand in. */
  readonly options: WeakMap<readonly Json[], readonly Json[]>
  /** Steps left before the schema counts as too tangled to be read. */
  stepsLeft: number
}

/** @throws ConsentryError `FORM_SCHEMA_INVALID` when the work exceeds what any honest form needs */
export function spend(source: SchemaSource, steps: number, field: string | undefined): void {
  source.stepsLeft -= steps
  if (source.stepsLeft < 0) throw schemaFault(field, 'the schema is too large: ask for less at once')
}
