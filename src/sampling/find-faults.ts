import { ConsentryError } from '../errors.ts'
import type { FieldFault } from '../protocol/index.ts'

/** What a check throws, as faults that keep a review open. */
export function findFaults(check: () => unknown): readonly FieldFault[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    const path = error.data?.['path']
    return [{ field: typeof path === 'string' ? path : '', problem: error.code.toLowerCase().replaceAll('_', '-'), message: error.message }]
  }
}
