import type { Form } from '../protocol/index.ts'
import { canonicalJson, sha256 } from '../store/digest.ts'

/** Characters; several times what a form of 500 fields takes. */
const longestSchema = 200_000

/**
 * What tells one form from another: all that the server wrote, titles and descriptions included, whatever the order of its keys.
 * Undefined where the schema is too long, or nests too deeply, to be looked through quickly; no rule can be meant for it.
 */
export function fingerprintOf({ schema }: Pick<Form, 'schema'>): string | undefined {
  try {
    return JSON.stringify(schema).length > longestSchema ? undefined : sha256(canonicalJson(schema))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
