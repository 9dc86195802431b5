import type { JSONValue, LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import {
  isJsonObject,
  type ContentBlock,
  type JsonObject,
  type MediaBlock,
  type SamplingMessage,
  type SamplingRequest,
  type ToolResultBlock,
} from '../protocol/index.ts'
import { modelFailed } from './model-failure.ts'
import { memberOf, present } from './read-fields.ts'
import type { ToolNames } from './tool-names.ts'

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type ResultPart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]

const HOTTEST = 2
const audioTypes: Readonly<Record<string, string>> = {
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg': 'audio/mpeg',
}

/**
 * A request in the terms of the chat completions form. Every part of it is carried, or the whole is refused by name.
 *
 * @throws ConsentryError `MODEL_FAILED`
 */
export function toCall(request: SamplingRequest, model: string, names: ToolNames): LanguageModelV3CallOptions {
  const { systemPrompt, messages, maxTokens, temperature, stopSequences, tools = [], toolChoice } = request
  const toolOf = new Map(
    messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, names.toProvider(block.name)]] : []))),
  )
  const system: LanguageModelV3Prompt = systemPrompt ? [{ role: 'system', content: systemPrompt }] : []
  const stops = stopSequences?.filter((sequence) => sequence !== '')
  return present({
    prompt: [...system, ...messages.map((message) => toMessage(message, model, toolOf, names))],
    maxOutputTokens: maxTokens > 0 ? maxTokens : undefined,
    temperature: temperature === undefined ? undefined : fitTemperature(temperature),
    stopSequences: stops && stops.length > 0 ? stops : undefined,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, inputSchema }) => present({ type: 'function' as const, name: names.toProvider(name), description, inputSchema })),
    toolChoice: tools.length === 0 || toolChoice === undefined ? undefined : { type: toolChoice },
  }) as LanguageModelV3CallOptions
}

/** What does not go out, though the request is answered. */
export function leavesOut({ metadata, temperature, stopSequences = [] }: SamplingRequest): readonly string[] {
  const left: string[] = []
  if (metadata && Object.keys(metadata).length > 0) left.push('metadata')
  if (temperature !== undefined && fitTemperature(temperature) !== temperature) left.push(`temperature ${temperature} (sent as ${fitTemperature(temperature)})`)
  if (stopSequences.includes('')) left.push('an empty stop sequence')
  return left
}

function fitTemperature(temperature: number): number {
  return Math.min(Math.max(temperature, 0), HOTTEST)
}

function toMessage({ role, content }: SamplingMessage, model: string, toolOf: ReadonlyMap<string, string>, names: ToolNames): LanguageModelV3Message {
  if (role === 'assistant') return { role, content: content.map((block) => toAssistantPart(block, model, names)) }
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length > 0) return { role: 'tool', content: results.map((block) => toResultPart(block, model, toolOf)) }
  return { role, content: content.map((block) => toUserPart(block, model)) }
}

function toUserPart(block: ContentBlock, model: string): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: 'file', data: block.data, mediaType: mediaTypeOf(block, model) }
    case 'tool_use':
    case 'tool_result':
      throw cannotCarry(model, `a ${block.type} here`)
    default:
      return block satisfies never
  }
}

function toAssistantPart(block: ContentBlock, model: string, names: ToolNames): AssistantPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'tool_use':
      return { type: 'tool-call', toolCallId: block.id, toolName: names.toProvider(block.name), input: block.input }
    case 'image':
    case 'audio':
    case 'tool_result':
      throw cannotCarry(model, `${block.type === 'tool_result' ? 'a tool result' : block.type} in an assistant message`)
    default:
      return block satisfies never
  }
}

/** One text goes as it is. Whatever says more than that, an error or several blocks, goes as JSON, so that none of it is lost. */
function toResultPart({ toolUseId, content, isError, structuredContent }: ToolResultBlock, model: string, toolOf: ReadonlyMap<string, string>): ResultPart {
  const part = { type: 'tool-result', toolCallId: toolUseId, toolName: toolOf.get(toolUseId) ?? '' } as const
  const [first, ...rest] = content
  if (first?.['type'] === 'text' && rest.length === 0 && isError !== true && structuredContent === undefined)
    return { ...part, output: { type: 'text', value: first['text'] as string } }
  const value = present({ content: content.map((block) => toResultContent(block, model)), structuredContent, isError: isError || undefined })
  return { ...part, output: { type: 'json', value: value as unknown as JSONValue } }
}

function toResultContent({ annotations: _annotations, _meta, ...block }: JsonObject, model: string): JsonObject {
  const { type, resource } = block
  if (type === 'image' || type === 'audio') throw cannotCarry(model, `${type} in a tool result`)
  if (isJsonObject(resource) && memberOf(resource, 'blob') !== undefined) throw cannotCarry(model, 'a binary resource in a tool result')
  return block
}

function mediaTypeOf({ type, mimeType }: MediaBlock, model: string): string {
  const mediaType = mimeType.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'image') return mediaType
  if (Object.hasOwn(audioTypes, mediaType)) return audioTypes[mediaType]!
  throw cannotCarry(model, `${mediaType}: it takes audio as WAV or MP3`)
}

function cannotCarry(model: string, what: string): Error {
  return modelFailed(model, `cannot be given ${what}`, { spent: 'nothing' })
}
