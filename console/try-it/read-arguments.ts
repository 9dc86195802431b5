import type { JsonObject } from '../../src/console-api/contract.ts'

/** Arguments that somebody wrote as JSON; undefined where it is none, or no object. */
export function readArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
