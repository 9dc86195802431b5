import type { SamplingRemembrance } from '../protocol/index.ts'
import { invalid, optional, present, readNumber, readObject, readOneOf, required } from './read-fields.ts'

/** Checks what a person wants to have remembered: what cannot be read would allow more than they meant. @throws ConsentryError `SAMPLING_INVALID` */
export function readRemembrance(value: unknown): SamplingRemembrance | undefined {
  if (value === undefined) return undefined
  const remembrance = readObject(value, 'remember')
  const scope = required(remembrance, 'for', 'remember', readOneOf<'run' | 'always'>(['run', 'always']))
  const until = optional(remembrance, 'until', 'remember', readNumber)
  if (until !== undefined && scope === 'run') throw invalid('remember.until', 'is for "always" only: a run ends by itself')
  return present({
    for: scope,
    until,
    skip: optional(remembrance, 'skip', 'remember', readOneOf<'prompt' | 'completion' | 'both'>(['prompt', 'completion', 'both'])),
  })
}
