import { isJsonObject, type Revision, type SamplingRequest } from '../protocol/index.ts'
import { parseSamplingRequest } from './parse-request.ts'
import { invalid, memberOf } from './read-fields.ts'

/**
 * Checks a request that a person changed, as strictly as the server's own. Everything may be changed but two things, which are the server's:
 * the answer gets no longer than it allowed, and no tool is added that it could not run.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 */
export function checkEditedRequest(edited: unknown, shown: SamplingRequest, revision: Revision): SamplingRequest {
  const request = parseSamplingRequest(asParams(edited), { tools: true, revision })
  if (request.maxTokens < 1 || request.maxTokens > shown.maxTokens)
    throw invalid('maxTokens', `must be between 1 and ${shown.maxTokens}: it can only be lowered`)
  const offered = new Set(shown.tools?.map(({ name }) => name))
  const added = request.tools?.findIndex(({ name }) => !offered.has(name)) ?? -1
  if (added !== -1) throw invalid(`tools[${added}]`, 'was not offered by the server, which could not run it')
  return request
}

function asParams(edited: unknown): unknown {
  if (!isJsonObject(edited)) return edited
  const mode = memberOf(edited, 'toolChoice')
  return mode === undefined ? edited : { ...edited, toolChoice: { mode } }
}
