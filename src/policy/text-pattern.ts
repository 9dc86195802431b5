import { isJsonObject } from '../protocol/index.ts'
import { matchesGlob } from './glob.ts'

/** Which texts are meant: a glob (`*`, `?`) as people write one, or one text and no other. */
export type TextPattern = string | { readonly exactly: string }

/** Whether a whole text is one of those that are meant. */
export function matchesPattern(pattern: TextPattern, text: string): boolean {
  return typeof pattern === 'string' ? matchesGlob(pattern, text) : pattern.exactly === text
}

/** What means this text and no other, in the plain form where that is enough: what a program writes of somebody else's words is no glob of theirs. */
export function exactly(text: string): TextPattern {
  return /[*?]/u.test(text) ? { exactly: text } : text
}

/** A pattern as a file has it: a text, or `{ "exactly": "…" }`; undefined where it is neither. */
export function asTextPattern(value: unknown): TextPattern | undefined {
  if (typeof value === 'string') return value
  if (!isJsonObject(value) || Object.keys(value).length !== 1 || !Object.hasOwn(value, 'exactly')) return undefined
  const { exactly: text } = value
  return typeof text === 'string' ? { exactly: text } : undefined
}
