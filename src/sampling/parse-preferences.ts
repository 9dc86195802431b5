import type { ModelPreferences } from '../protocol/index.ts'
import { invalid, optional, present, readBetween, readList, readObject, readString, type Read } from './read-fields.ts'

const readPriority = readBetween(0, 1)

const readHint: Read<{ readonly name?: string | undefined }> = (value, path) => {
  if (typeof value === 'string') throw invalid(path, 'must be an object like {"name": "sonnet"}, not a string')
  return present({ name: optional(readObject(value, path), 'name', path, readString) })
}

/**
 * Parses what a server wishes for in a model. Keys that we do not know are left out; they decide nothing.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 schema `ModelPreferences`
 */
export const parsePreferences: Read<ModelPreferences> = (value, path) => {
  const preferences = readObject(value, path)
  return present({
    hints: optional(preferences, 'hints', path, readList(readHint)),
    costPriority: optional(preferences, 'costPriority', path, readPriority),
    speedPriority: optional(preferences, 'speedPriority', path, readPriority),
    intelligencePriority: optional(preferences, 'intelligencePriority', path, readPriority),
  })
}
