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

/** What is nested deeper can be read, but not written, by most of what handles it. */
export const mostLevels = 500

/** Whether something is nested deeper than that. Keeps the way down instead of calling itself: the stack is what depth uses up. */
export function isTooDeep(value: object): boolean {
  const way: Iterator<unknown>[] = [Object.values(value).values()]
  for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
    const { done, value: inner } = here.next()
    if (done) way.pop()
    else if (typeof inner === 'object' && inner !== null) {
      if (way.length >= mostLevels) return true
      way.push(Object.values(inner).values())
    }
  }
  return false
}
