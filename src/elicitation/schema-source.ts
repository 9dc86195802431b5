import type { Json, JsonObject } from '../protocol/index.ts'
import { schemaFault } from './schema-fault.ts'

/** How much text counts as one step. */
const charactersPerStep = 50

/** What one schema is read with: its root, for references, and bounds on the work that it can cause. */
export interface SchemaSource {
  readonly root: JsonObject
  /** Schemas already checked against their dialect. */
  readonly checked: WeakSet<object>
  /** Schemas found to hold no keyword that a form must refuse. */
  readonly accepted: WeakSet<object>
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

/** Values that many fields can share cost what it takes to look through them. */
export function spendOnValue(source: SchemaSource, value: unknown, field: string | undefined): void {
  if (Array.isArray(value)) spend(source, value.length, field)
  if (typeof value === 'string') spend(source, Math.floor(value.length / charactersPerStep), field)
}
