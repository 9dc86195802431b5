import { isJsonObject, latestLegacyRevision, type Revision, type SamplingRequest } from '../protocol/index.ts'
import { checkToolPairing } from './check-tool-pairing.ts'
import { readMeta } from './parse-content.ts'
import { parseMessage } from './parse-message.ts'
import { parsePreferences } from './parse-preferences.ts'
import { parseTools, readToolChoice } from './parse-tools.ts'
import { invalid, kindOf, memberOf, optional, present, readList, readNumber, readOneOf, readString, required, type Read } from './read-fields.ts'
import { startParsing, type ParseContext, type SamplingLimits } from './parse-context.ts'

export interface SamplingParseOptions {
  /** Whether `sampling.tools` was declared to this server. */
  readonly tools: boolean
  /** Default: 2025-11-25. */
  readonly revision?: Revision | undefined
  readonly limits?: SamplingLimits | undefined
}

/**
 * Parses the parameters of `sampling/createMessage`, before anybody is asked and before any model is called.
 *
 * Nothing is dropped in silence and nothing is repaired: one block of an unknown kind refuses the request. Fields that the protocol does not know are left out.
 * `includeContext` never fails and is not carried: we never add context. Takes time linear in the size of the request.
 *
 * @throws ConsentryError `SAMPLING_INVALID` with `data.path`, and what the server's author should change
 * @see MCP 2025-11-25 client/sampling "Creating Messages"
 */
export function parseSamplingRequest(params: unknown, { tools, revision = latestLegacyRevision, limits }: SamplingParseOptions): SamplingRequest {
  if (!isJsonObject(params)) throw invalid('params', `must be an object with \`messages\` and \`maxTokens\`, not ${kindOf(params)}`)
  const context = startParsing(revision, limits)
  for (const key of ['tools', 'toolChoice'])
    if (!tools && memberOf(params, key) !== undefined)
      throw invalid(key, 'needs the capability `sampling.tools`, which this client did not declare: leave it away')

  const request: SamplingRequest = {
    messages: required(params, 'messages', '', readMessages(context)),
    systemPrompt: optional(params, 'systemPrompt', '', readCounted(context)),
    maxTokens: required(params, 'maxTokens', '', readMaxTokens),
    temperature: optional(params, 'temperature', '', readNumber),
    stopSequences: optional(params, 'stopSequences', '', readList(readString)),
    modelPreferences: optional(params, 'modelPreferences', '', parsePreferences),
    tools: optional(params, 'tools', '', (value, path) => parseTools(value, path, context)),
    toolChoice: optional(params, 'toolChoice', '', readToolChoice),
    metadata: optional(params, 'metadata', '', readMeta),
  }
  optional(params, 'includeContext', '', readOneOf(['none', 'thisServer', 'allServers']))
  optional(params, '_meta', '', readRequestMeta)
  if (request.toolChoice === 'required' && !request.tools?.length)
    throw invalid('toolChoice.mode', 'is "required", but there are no tools to use: send `tools`')
  checkToolPairing(request.messages)
  return present(request)
}

function readMessages(context: ParseContext): Read<SamplingRequest['messages']> {
  const read = readList((message, path) => parseMessage(message, path, context))
  return (value, path) => {
    const messages = read(value, path)
    if (messages.length === 0) throw invalid(path, 'is an empty list: there is nothing to answer')
    return messages
  }
}

function readCounted({ text }: ParseContext): Read<string> {
  return (value, path) => {
    const string = readString(value, path)
    text.spend(string, path)
    return string
  }
}

const readMaxTokens: Read<number> = (value, path) => {
  const count = readNumber(value, path)
  if (!Number.isInteger(count) || count < 0) throw invalid(path, 'must be a whole number, not negative')
  return count
}

const readRequestMeta: Read<void> = (value, path) => {
  optional(readMeta(value, path), 'progressToken', path, (token, place) => {
    if (typeof token !== 'string' && typeof token !== 'number') throw invalid(place, 'must be a string or a number')
  })
}
