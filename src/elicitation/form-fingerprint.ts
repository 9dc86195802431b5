import type { Form } from '../protocol/index.ts'
import { canonicalJson, sha256 } from '../store/digest.ts'

/**
 * What tells one form from another: all that the server wrote, titles and descriptions included, whatever the order of its keys.
 * Undefined where the schema nests too deeply to be written down; no rule can be meant for it.
 */
export function fingerprintOf({ schema }: Pick<Form, 'schema'>): string | undefined {
  try {
    return sha256(canonicalJson(schema))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
