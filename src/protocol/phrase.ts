import type { JsonObject } from './json.ts'

/**
 * A sentence of ours: a key of its catalogue with what the sentence needs to know, so that every surface can say it in its own language, and the English of it.
 * Facts may hold words from outside (a host, a field's name), never a value that a person typed.
 */
export interface Phrase {
  readonly key: string
  readonly facts?: JsonObject | undefined
  readonly sentence: string
}
