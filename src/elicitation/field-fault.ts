import type { FieldFault, JsonObject } from '../protocol/index.ts'
import { english, type FaultFacts, type FaultKey } from './fault-messages.ts'

/** A fault of one field, said in English and carrying what another language needs. `entry` counts from 1 within a list. */
export function fieldFault<Key extends FaultKey>(field: string, problem: Key, facts: FaultFacts[Key], entry?: number): FieldFault {
  const sentence = english.faults[problem](facts)
  const message = entry === undefined ? sentence : english.inEntry(entry, sentence)
  const known: JsonObject = { ...(facts as JsonObject), ...(entry !== undefined && { entry }) }
  return { field, problem, ...(Object.keys(known).length > 0 && { facts: known }), message }
}
