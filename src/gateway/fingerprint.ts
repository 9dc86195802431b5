import type { JsonObject } from '../protocol/index.ts'
import { canonicalJson, sha256 } from '../store/digest.ts'

/** The same for two requests of one method with the same parameters, whatever answers and metadata they carry; undefined where this is no JSON. */
export function fingerprintOf(line: Buffer): string | undefined {
  try {
    const { method, params } = JSON.parse(line.toString('utf8')) as { readonly method: string; readonly params?: JsonObject }
    const { inputResponses: _responses, requestState: _state, _meta, ...rest } = params ?? {}
    return sha256(canonicalJson({ method, params: rest }))
  } catch {
    // Broken, or nested deeper than anybody means.
    return undefined
  }
}
