import { isJsonObject, type ContentBlock, type JsonObject, type SamplingMessage, type ToolUseBlock } from '../protocol/index.ts'
import { parseMedia, parseText, readMeta } from './parse-content.ts'
import { checkJson, type ParseContext } from './parse-context.ts'
import { parseToolResult } from './parse-tool-result.ts'
import { invalid, kindOf, memberOf, optional, pathTo, present, readObject, readString, required, type Read } from './read-fields.ts'

const otherKinds: Readonly<Record<string, string>> = {
  image_url: 'send an "image" with base64 `data` and `mimeType`',
  input_audio: 'send "audio" with base64 `data` and `mimeType`',
  resource: 'an embedded resource stands inside a tool result only',
  resource_link: 'a resource link stands inside a tool result only',
}

/**
 * Parses one block of a message. Unknown kinds are refused, never dropped: that would change the question.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 schema `SamplingMessageContentBlock`
 */
export function parseBlock(value: unknown, path: string, role: SamplingMessage['role'], context: ParseContext): ContentBlock {
  if (!isJsonObject(value)) throw invalid(path, `must be a content block like {"type": "text", "text": "…"}, not ${kindOf(value)}`)
  const type = memberOf(value, 'type')
  switch (type) {
    case 'text':
      return parseText(value, path, context)
    case 'image':
    case 'audio':
      return parseMedia(value, path, type, context)
    case 'tool_use':
      if (role !== 'assistant') throw invalid(path, "is a tool use in a user message: tool uses are the assistant's")
      return parseToolUse(value, path, context)
    case 'tool_result':
      if (role !== 'user') throw invalid(path, 'is a tool result in an assistant message: send it in the user message that follows')
      return parseToolResult(value, path, context)
    default: {
      const known = 'must be "text", "image", "audio", "tool_use" or "tool_result"'
      const advice = typeof type === 'string' && Object.hasOwn(otherKinds, type) ? `: ${otherKinds[type]}` : ''
      throw invalid(pathTo(path, 'type'), `${known}${advice}`)
    }
  }
}

function parseToolUse(block: JsonObject, path: string, context: ParseContext): ToolUseBlock {
  const id = required(block, 'id', path, readString)
  if (id === '') throw invalid(pathTo(path, 'id'), 'is empty: give each tool use an id of its own')
  const name = required(block, 'name', path, readString)
  const input = required(block, 'input', path, readToolInput)
  checkJson(input, pathTo(path, 'input'), context.text)
  return present({ type: 'tool_use', id, name, input, _meta: optional(block, '_meta', path, readMeta) })
}

const readToolInput: Read<JsonObject> = (value, path) => {
  if (typeof value === 'string') throw invalid(path, 'must be an object, not JSON in a string: send the arguments themselves')
  return readObject(value, path)
}
