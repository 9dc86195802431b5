import { isAtLeast, type JsonObject, type SamplingRequest, type SamplingTool } from '../protocol/index.ts'
import { readIcons, readMeta } from './parse-content.ts'
import { invalid, optional, pathTo, present, readBoolean, readList, readObject, readOneOf, readString, required, memberOf, type Read } from './read-fields.ts'
import { checkJson, type ParseContext } from './parse-context.ts'

const CONTROL = /\p{Cc}/u
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/**
 * Parses the tools that a model may use. Names that only break a recommendation (blanks, length) are kept: whoever speaks to the provider maps them.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 schema `Tool`
 */
export function parseTools(value: unknown, path: string, context: ParseContext): readonly SamplingTool[] {
  const names = new Set<string>()
  return readList((item, place) => {
    const tool = parseTool(item, place, context)
    if (names.has(tool.name)) throw invalid(pathTo(place, 'name'), 'stands twice in the list: a call could not be told apart')
    names.add(tool.name)
    return tool
  })(value, path)
}

/** @see MCP 2025-11-25 schema `ToolChoice` */
export const readToolChoice: Read<NonNullable<SamplingRequest['toolChoice']>> = (value, path) => {
  if (typeof value === 'string') throw invalid(path, 'must be an object like {"mode": "auto"}, not a string')
  const mode = readOneOf(['auto', 'required', 'none'], { any: '"any" is another API\'s word for "required"', tool: 'a single tool cannot be named' })
  return optional(readObject(value, path), 'mode', path, mode) ?? 'auto'
}

function parseTool(value: unknown, path: string, context: ParseContext): SamplingTool {
  const tool = readObject(value, path)
  if (memberOf(tool, 'name') === undefined && memberOf(tool, 'function') !== undefined)
    throw invalid(pathTo(path, 'name'), 'is missing: `name` and `inputSchema` stand at the top of a tool, not inside `function`')
  const name = required(tool, 'name', path, readToolName)
  const inputSchema = required(tool, 'inputSchema', path, readSchema(context))
  const description = optional(tool, 'description', path, readString)
  context.text.spend(name, path)
  context.text.spend(description ?? '', path)
  checkJson(inputSchema, pathTo(path, 'inputSchema'), context.text)

  optional(tool, 'title', path, readString)
  optional(tool, 'outputSchema', path, isAtLeast(context.revision, '2026-07-28') ? readObject : readSchema(context))
  optional(tool, 'annotations', path, readToolAnnotations)
  optional(tool, 'execution', path, readExecution)
  optional(tool, 'icons', path, readIcons)
  optional(tool, '_meta', path, readMeta)
  return present({ name, description, inputSchema })
}

const readToolName: Read<string> = (value, path) => {
  const name = readString(value, path)
  if (name === '') throw invalid(path, 'is empty: a tool without a name cannot be called')
  if (CONTROL.test(name)) throw invalid(path, 'holds control characters: use letters, digits, "_", "-" and "."')
  return name
}

function readSchema({ revision }: ParseContext): Read<JsonObject> {
  return (value, path) => {
    const schema = readObject(value, path)
    if (memberOf(schema, 'type') !== 'object') throw invalid(pathTo(path, 'type'), 'must be "object": a tool takes named arguments')
    optional(schema, '$schema', path, readString)
    // Later revisions allow all of JSON Schema here, where a property may also be true or false.
    if (isAtLeast(revision, '2026-07-28')) return schema
    const properties = optional(schema, 'properties', path, readObject)
    if (properties && Object.values(properties).some((property) => typeof property !== 'object' || property === null || Array.isArray(property)))
      throw invalid(pathTo(path, 'properties'), 'must give each argument a schema of its own, as an object')
    optional(schema, 'required', path, readList(readString))
    return schema
  }
}

const readToolAnnotations: Read<JsonObject> = (value, path) => {
  const annotations = readMeta(value, path)
  optional(annotations, 'title', path, readString)
  for (const hint of hints) optional(annotations, hint, path, readBoolean)
  return annotations
}

const readExecution: Read<JsonObject> = (value, path) => {
  const execution = readMeta(value, path)
  optional(execution, 'taskSupport', path, readOneOf(['forbidden', 'optional', 'required']))
  return execution
}
