import { isAtLeast, type JsonObject, type ToolResultBlock } from '../protocol/index.ts'
import { checkBase64 } from './check-media.ts'
import { parseMedia, parseText, readAnnotations, readIcons, readMeta } from './parse-content.ts'
import { invalid, memberOf, optional, pathTo, present, readBoolean, readList, readNumber, readObject, readString, required, type Read } from './read-fields.ts'
import { checkJson, type ParseContext } from './parse-context.ts'

/**
 * Parses the result of a tool use. What it holds stays as the server sent it, once every block of it is checked.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 schema `ToolResultContent`
 */
export function parseToolResult(block: JsonObject, path: string, context: ParseContext): ToolResultBlock {
  return present({
    type: 'tool_result',
    toolUseId: required(block, 'toolUseId', path, readString),
    content: required(block, 'content', path, readResultContent(context)),
    isError: optional(block, 'isError', path, readBoolean),
    structuredContent: optional(block, 'structuredContent', path, readStructured(context)),
    _meta: optional(block, '_meta', path, readMeta),
  })
}

function readResultContent(context: ParseContext): Read<readonly JsonObject[]> {
  const readBlocks = readList((value, path) => checkResultBlock(readObject(value, path), path, context))
  return (value, path) => {
    if (typeof value === 'string') throw invalid(path, 'must be a list of content blocks, not a string: send [{"type": "text", "text": "…"}]')
    return readBlocks(value, path)
  }
}

function checkResultBlock(block: JsonObject, path: string, context: ParseContext): JsonObject {
  const type = memberOf(block, 'type')
  switch (type) {
    case 'text':
      parseText(block, path, context)
      break
    case 'image':
    case 'audio':
      parseMedia(block, path, type, context)
      break
    case 'resource_link':
      checkResourceLink(block, path)
      break
    case 'resource':
      checkEmbeddedResource(block, path, context)
      break
    default:
      throw invalid(pathTo(path, 'type'), 'must be "text", "image", "audio", "resource_link" or "resource" in a tool result')
  }
  checkJson(block, path)
  return block
}

function checkResourceLink(block: JsonObject, path: string): void {
  for (const key of ['uri', 'name']) required(block, key, path, readString)
  for (const key of ['title', 'description', 'mimeType']) optional(block, key, path, readString)
  optional(block, 'size', path, readNumber)
  optional(block, 'icons', path, readIcons)
  optional(block, 'annotations', path, readAnnotations)
  optional(block, '_meta', path, readMeta)
}

function checkEmbeddedResource(block: JsonObject, path: string, context: ParseContext): void {
  const inside = pathTo(path, 'resource')
  const resource = required(block, 'resource', path, readObject)
  required(resource, 'uri', inside, readString)
  optional(resource, 'mimeType', inside, readString)
  optional(resource, '_meta', inside, readMeta)
  const text = optional(resource, 'text', inside, readString)
  const blob = optional(resource, 'blob', inside, readString)
  if (text === undefined && blob === undefined) throw invalid(inside, 'must have `text`, or base64 in `blob`')
  if (text !== undefined) context.text.spend(text, pathTo(inside, 'text'))
  if (blob !== undefined) checkBase64(blob, pathTo(inside, 'blob'), context.blockBytes)
  optional(block, 'annotations', path, readAnnotations)
  optional(block, '_meta', path, readMeta)
}

/** An object up to 2025-11-25, any JSON value later. */
function readStructured(context: ParseContext): Read<unknown> {
  return (value, path) => {
    if (!isAtLeast(context.revision, '2026-07-28')) readObject(value, path)
    checkJson(value, path, context.text)
    return value
  }
}
