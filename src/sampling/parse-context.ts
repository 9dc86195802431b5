import type { Json, Revision } from '../protocol/index.ts'
import { invalid } from './read-fields.ts'
import { utf8Length } from './utf8-length.ts'

/** How large a request may be. */
export interface SamplingLimits {
  /** Bytes of one image, audio or embedded resource, decoded. Default: 20 MiB. */
  readonly blockBytes?: number | undefined
  /** Bytes of everything in one request that a model reads as text, as UTF-8. Default: 8 MiB. */
  readonly textBytes?: number | undefined
}

/** What holds for the whole of one request while it is parsed. */
export interface ParseContext {
  readonly revision: Revision
  readonly blockBytes: number
  readonly text: TextBudget
}

const MEBIBYTE = 1024 * 1024
const MAXIMUM_DEPTH = 500

export function startParsing(revision: Revision, limits: SamplingLimits = {}): ParseContext {
  return { revision, blockBytes: limits.blockBytes ?? 20 * MEBIBYTE, text: new TextBudget(limits.textBytes ?? 8 * MEBIBYTE) }
}

/** Counts the text of one request, and refuses what goes beyond the limit before it is looked at. */
export class TextBudget {
  readonly #allowed: number
  #left: number

  constructor(allowed: number) {
    this.#allowed = allowed
    this.#left = allowed
  }

  spend(text: string, path: string): void {
    // UTF-8 never needs fewer bytes than UTF-16 has units, so that a text far too long is not even counted.
    this.#left -= text.length > this.#left ? text.length : utf8Length(text)
    if (this.#left < 0) throw invalid(path, `makes the text of the request longer than ${this.#allowed} bytes: send less`)
  }
}

/**
 * Refuses JSON that is nested deeper than what reads it later could follow, and counts its text where a model will read it.
 * Walks without recursion.
 */
export function checkJson(value: unknown, path: string, text?: TextBudget): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.depth > MAXIMUM_DEPTH) throw invalid(path, `is nested deeper than ${MAXIMUM_DEPTH} levels`)
    if (typeof next.value === 'string') text?.spend(next.value, path)
    if (typeof next.value !== 'object' || next.value === null) continue
    const depth = next.depth + 1
    if (text && !Array.isArray(next.value)) for (const key of Object.keys(next.value)) text.spend(key, path)
    for (const child of Object.values(next.value as Readonly<Record<string, Json>>)) waiting.push({ value: child, depth })
  }
}
