import type { JsonObject, Phrase } from '../protocol/index.ts'

/** A sentence of ours about models and prompts, with the key under which other languages know it. */
export function phrase(key: string, sentence: string, facts?: JsonObject): Phrase {
  return { key, sentence, ...(facts && { facts }) }
}
