import type { JsonObject, MediaBlock, TextBlock } from '../protocol/index.ts'
import { checkBase64, checkMediaType } from './check-media.ts'
import { checkJson, type ParseContext } from './parse-context.ts'
import { invalid, optional, pathTo, present, readBetween, readList, readObject, readOneOf, readString, required, type Read } from './read-fields.ts'

/** @see MCP 2025-11-25 schema `TextContent` */
export function parseText(block: JsonObject, path: string, context: ParseContext): TextBlock {
  const text = required(block, 'text', path, readString)
  context.text.spend(text, pathTo(path, 'text'))
  return present({ type: 'text', text, ...parseExtras(block, path) })
}

/** @see MCP 2025-11-25 schema `ImageContent`, `AudioContent` */
export function parseMedia(block: JsonObject, path: string, type: 'image' | 'audio', context: ParseContext): MediaBlock {
  const data = required(block, 'data', path, readString)
  const mimeType = required(block, 'mimeType', path, readString)
  checkMediaType(mimeType, pathTo(path, 'mimeType'), type)
  if (data === '') throw invalid(pathTo(path, 'data'), 'is empty: send the bytes as base64')
  checkBase64(data, pathTo(path, 'data'), context.blockBytes)
  return present({ type, data, mimeType, ...parseExtras(block, path) })
}

/** Opaque members that nothing of ours looks into. */
export const readMeta: Read<JsonObject> = (value, path) => {
  const object = readObject(value, path)
  checkJson(object, path)
  return object
}

/** @see MCP 2025-11-25 schema `Annotations` */
export const readAnnotations: Read<JsonObject> = (value, path) => {
  const annotations = readMeta(value, path)
  optional(annotations, 'audience', path, readList(readOneOf(['user', 'assistant'])))
  optional(annotations, 'priority', path, readBetween(0, 1))
  optional(annotations, 'lastModified', path, readString)
  return annotations
}

function parseExtras(block: JsonObject, path: string): { annotations: JsonObject | undefined; _meta: JsonObject | undefined } {
  return { annotations: optional(block, 'annotations', path, readAnnotations), _meta: optional(block, '_meta', path, readMeta) }
}

/** @see MCP 2025-11-25 schema `Icons` */
export const readIcons: Read<readonly JsonObject[]> = readList((value, path) => {
  const icon = readObject(value, path)
  required(icon, 'src', path, readString)
  optional(icon, 'mimeType', path, readString)
  optional(icon, 'sizes', path, readList(readString))
  optional(icon, 'theme', path, readOneOf(['light', 'dark']))
  return icon
})
