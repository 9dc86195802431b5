import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import { redact } from './redact.ts'

/**
 * Answers one case of `consentry check redaction`: `{"text"}` in, `{"text"}` out.
 *
 * @throws ConsentryError `USAGE` when there is no text
 */
export function checkRedaction({ text }: JsonObject): Promise<JsonObject> {
  if (typeof text !== 'string') return Promise.reject(new ConsentryError('USAGE', 'a case needs "text", a string'))
  return Promise.resolve({ text: redact(text) })
}
