import { isJsonObject, type ContentBlock, type SamplingMessage } from '../protocol/index.ts'
import { parseBlock } from './parse-blocks.ts'
import { readMeta } from './parse-content.ts'
import { invalid, kindOf, memberOf, optional, pathTo, readList, readObject, readOneOf, required } from './read-fields.ts'
import type { ParseContext } from './parse-context.ts'

const readRole = readOneOf(['user', 'assistant'], {
  system: 'put what is for the system in `systemPrompt`',
  developer: 'put what is for the system in `systemPrompt`',
  tool: 'tool results are sent in user messages, as "tool_result" blocks',
  function: 'tool results are sent in user messages, as "tool_result" blocks',
})

/**
 * Parses one message; a single block and a list of blocks are both read, and become a list.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 client/sampling "Tool Result Messages"
 */
export function parseMessage(value: unknown, path: string, context: ParseContext): SamplingMessage {
  const message = readObject(value, path)
  const role = required(message, 'role', path, readRole)
  const content = parseContent(memberOf(message, 'content'), pathTo(path, 'content'), role, context)
  optional(message, '_meta', path, readMeta)
  return { role, content }
}

function parseContent(value: unknown, path: string, role: SamplingMessage['role'], context: ParseContext): readonly ContentBlock[] {
  if (isJsonObject(value)) return [parseBlock(value, path, role, context)]
  if (!Array.isArray(value)) throw invalid(path, `must be a content block or a list of them, not ${kindOf(value)}: send {"type": "text", "text": "…"}`)
  if (value.length === 0) throw invalid(path, 'is an empty list: send at least one content block')
  const blocks = readList((block, place) => parseBlock(block, place, role, context))(value, path)
  const results = blocks.filter(({ type }) => type === 'tool_result').length
  if (results > 0 && results < blocks.length)
    throw invalid(path, 'mixes tool results with other content: a message with tool results holds nothing else, send the rest in a message after it')
  return blocks
}
