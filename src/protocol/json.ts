/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** True for a text with half of a character in it (one surrogate of a pair): JSON spells it, and no file, page or peer can hold it. */
export function hasHalfCharacter(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

/** True for objects that are neither null nor lists: what JSON calls an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
