import { redact } from '../audit/index.ts'
import { isJsonObject, type ContentBlock, type Json, type JsonObject, type RedactedPart, type SamplingRequest } from '../protocol/index.ts'

/** A request without what looks like a secret, and where something was taken out. */
export interface RedactedRequest {
  readonly request: SamplingRequest
  readonly parts: readonly RedactedPart[]
}

const MARK = /\[redacted:([a-z0-9-]+)\]/g
/** Names that can stand before a value on one line, as they do in a file. */
const PLAIN_NAME = /^[\w-]{1,100}$/

/** Takes secrets out of every text that a model would read: prompts, messages, arguments and results of tools. Media stay as they are, uncopied. */
export function redactRequest(request: SamplingRequest): RedactedRequest {
  const redactor = new Redactor()
  const { systemPrompt, messages, tools } = request
  const cleaned: SamplingRequest = {
    ...request,
    ...(systemPrompt !== undefined && { systemPrompt: redactor.text(systemPrompt, 'systemPrompt') }),
    messages: messages.map((message, index) => ({
      ...message,
      content: message.content.map((block, place) => redactor.block(block, `messages[${index}].content[${place}]`)),
    })),
    ...(tools && {
      tools: tools.map((tool, index) => ({
        ...tool,
        ...(tool.description !== undefined && { description: redactor.text(tool.description, `tools[${index}].description`) }),
        inputSchema: redactor.schema(tool.inputSchema, `tools[${index}].inputSchema`),
      })),
    }),
  }
  return redactor.parts.length === 0 ? { request, parts: [] } : { request: cleaned, parts: redactor.parts }
}

class Redactor {
  readonly parts: RedactedPart[] = []

  text(text: string, path: string): string {
    return this.#keep(text, redact(text), path)
  }

  block(block: ContentBlock, path: string): ContentBlock {
    switch (block.type) {
      case 'text':
        return { ...block, text: this.text(block.text, `${path}.text`) }
      case 'image':
      case 'audio':
        return block
      case 'tool_use':
        return { ...block, input: this.#object(block.input, `${path}.input`) }
      case 'tool_result':
        return {
          ...block,
          content: block.content.map((inner, index) => this.#result(inner, `${path}.content[${index}]`)),
          ...(block.structuredContent !== undefined && { structuredContent: this.#json(block.structuredContent as Json, `${path}.structuredContent`) }),
        }
      default:
        return block satisfies never
    }
  }

  /** A name in a schema names no value: what stands below `password` there is none. */
  schema<Value extends Json | undefined>(value: Value, path: string): Value {
    if (typeof value === 'string') return this.text(value, path) as Value
    if (Array.isArray(value)) return value.map((element: Json, index) => this.schema(element, `${path}[${index}]`)) as unknown as Value
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.schema(member, `${path}.${key}`)])) as Value
  }

  /** Bytes are nothing that a model reads as text. */
  #result(block: JsonObject, path: string): JsonObject {
    if (block['type'] === 'image' || block['type'] === 'audio') return block
    const { resource, ...rest } = block
    if (!isJsonObject(resource)) return this.#object(block, path)
    const { blob, ...readable } = resource
    const redacted = this.#object(readable, `${path}.resource`)
    return { ...this.#object(rest, path), resource: blob === undefined ? redacted : { ...redacted, blob } }
  }

  #object(object: JsonObject, path: string): JsonObject {
    return this.#json(object, path) as JsonObject
  }

  /** Values only: a name is what a program looks for. */
  #json(value: Json, path: string, name?: string): Json {
    if (typeof value === 'string') return this.#keep(value, redactNamed(value, name), path)
    if (Array.isArray(value)) return value.map((element: Json, index) => this.#json(element, `${path}[${index}]`, name))
    if (!isJsonObject(value)) return value
    const members = Object.entries(value).map(([key, member]) => [key, member === undefined ? undefined : this.#json(member, `${path}.${key}`, key)] as const)
    return Object.fromEntries(members)
  }

  #keep(before: string, after: string, path: string): string {
    if (after !== before) this.parts.push({ path, kinds: newKinds(before, after) })
    return after
  }
}

/** `"password": "hunter2"` is a password, though neither half looks like one by itself. */
function redactNamed(value: string, name: string | undefined): string {
  if (name === undefined || !PLAIN_NAME.test(name)) return redact(value)
  const prefix = `${name}=`
  const redacted = redact(`${prefix}${value}`)
  return redacted.startsWith(prefix) ? redacted.slice(prefix.length) : redact(value)
}

/** The kinds of the marks that were not there before. */
function newKinds(before: string, after: string): readonly string[] {
  const old = [...before.matchAll(MARK)].map((match) => match[1]!)
  return [...after.matchAll(MARK)].flatMap((match) => {
    const known = old.indexOf(match[1]!)
    if (known < 0) return [match[1]!]
    old.splice(known, 1)
    return []
  })
}
