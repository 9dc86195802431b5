import { isJsonObject, type Phrase } from '../protocol/index.ts'
import { phrase } from './phrases.ts'
import { memberOf } from './read-fields.ts'

/** What a person is told where a server asked for context: it is given none, because we never declare that we would. */
export function contextNote(params: unknown): readonly Phrase[] {
  const asked = isJsonObject(params) ? memberOf(params, 'includeContext') : undefined
  if (asked === 'thisServer') return [phrase('context-not-given', 'It asked for what was said with this server before, and is given none of it', { asked })]
  if (asked === 'allServers') return [phrase('context-not-given', 'It asked for what was said with all servers before, and is given none of it', { asked })]
  return []
}
