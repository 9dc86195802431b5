import type { JSONValue, LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import {
  isJsonObject,
  type ContentBlock,
  type JsonObject,
  type MediaBlock,
  type SamplingMessage,
  type SamplingRequest,
  type ToolResultBlock,
} from '../protocol/index.ts'
import type { HeldMedia } from './held-media.ts'
import { fitParameters, type CallTerms } from './leaves-out.ts'
import { modelFailed } from './model-failure.ts'
import { memberOf, present } from './read-fields.ts'
import type { ToolNames } from './tool-names.ts'

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type ResultPart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]
type ResultContent = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

/** What the parts of one call are written with. */
interface Writing {
  /** `provider:model`, for faults. */
  readonly name: string
  readonly terms: CallTerms
  readonly names: ToolNames
  readonly toolOf: ReadonlyMap<string, string>
  readonly media: HeldMedia
}

/**
 * A request in the terms of a provider. Every part of it is carried, or the whole is refused by name.
 *
 * @throws ConsentryError `MODEL_FAILED`
 */
export function toCall(request: SamplingRequest, name: string, names: ToolNames, terms: CallTerms, media: HeldMedia): LanguageModelV3CallOptions {
  const { systemPrompt, messages, maxTokens, tools = [], toolChoice } = request
  const toolOf = new Map(
    messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, names.toProvider(block.name)]] : []))),
  )
  const writing: Writing = { name, terms, names, toolOf, media }
  const system: LanguageModelV3Prompt = systemPrompt ? [{ role: 'system', content: systemPrompt }] : []
  const { temperature, stopSequences, metadata } = fitParameters(request, terms)
  return present({
    prompt: [...system, ...messages.map((message) => toMessage(message, writing))],
    maxOutputTokens: maxTokens > 0 ? maxTokens : undefined,
    temperature,
    stopSequences,
    tools:
      tools.length === 0
        ? undefined
        : tools.map((tool) =>
            present({ type: 'function' as const, name: names.toProvider(tool.name), description: tool.description, inputSchema: tool.inputSchema }),
          ),
    toolChoice: tools.length === 0 || toolChoice === undefined ? undefined : { type: toolChoice },
    providerOptions: metadata && terms.traits.metadata(metadata),
  }) as LanguageModelV3CallOptions
}

function toMessage({ role, content }: SamplingMessage, writing: Writing): LanguageModelV3Message {
  if (role === 'assistant') return { role, content: content.map((block) => toAssistantPart(block, writing)) }
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length > 0) return { role: 'tool', content: results.map((block) => toResultPart(block, writing)) }
  return { role, content: content.map((block) => toUserPart(block, writing)) }
}

function toUserPart(block: ContentBlock, writing: Writing): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: 'file', data: writing.media.hold(block.data), mediaType: mediaTypeOf(block, writing) }
    case 'tool_use':
    case 'tool_result':
      throw cannotCarry(writing, `a ${block.type} here`)
    default:
      return block satisfies never
  }
}

function toAssistantPart(block: ContentBlock, writing: Writing): AssistantPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'tool_use':
      return { type: 'tool-call', toolCallId: block.id, toolName: writing.names.toProvider(block.name), input: block.input }
    case 'image':
    case 'audio':
    case 'tool_result':
      throw cannotCarry(writing, `${block.type === 'tool_result' ? 'a tool result' : block.type} in an assistant message`)
    default:
      return block satisfies never
  }
}

/** One text goes as it is. Whatever says more than that, an error or several blocks, goes as JSON or block by block, so that none of it is lost. */
function toResultPart({ toolUseId, content, isError, structuredContent }: ToolResultBlock, writing: Writing): ResultPart {
  const part = { type: 'tool-result', toolCallId: toolUseId, toolName: writing.toolOf.get(toolUseId) ?? '' } as const
  const [first, ...rest] = content
  if (first?.['type'] === 'text' && rest.length === 0 && isError !== true && structuredContent === undefined)
    return { ...part, output: { type: 'text', value: first['text'] as string } }
  const blocks = content.map(({ annotations: _annotations, _meta, ...block }: JsonObject) => block)
  if (blocks.some(isMedia)) {
    const said = present({ structuredContent, isError: isError || undefined })
    const more: ResultContent[] = Object.keys(said).length > 0 ? [{ type: 'text', text: JSON.stringify(said) }] : []
    return { ...part, output: { type: 'content', value: [...more, ...blocks.map((block) => toResultContent(block, writing))] } }
  }
  if (blocks.some(({ resource }) => isJsonObject(resource) && memberOf(resource, 'blob') !== undefined))
    throw cannotCarry(writing, 'a binary resource in a tool result')
  const value = present({ content: blocks, structuredContent, isError: isError || undefined })
  return { ...part, output: { type: isError === true && writing.terms.traits.seesResults ? 'error-json' : 'json', value: value as unknown as JSONValue } }
}

function isMedia({ type }: JsonObject): boolean {
  return type === 'image' || type === 'audio'
}

function toResultContent(block: JsonObject, writing: Writing): ResultContent {
  if (!isMedia(block)) {
    if (isJsonObject(block['resource']) && memberOf(block['resource'], 'blob') !== undefined) throw cannotCarry(writing, 'a binary resource in a tool result')
    return { type: 'text', text: block['type'] === 'text' ? (block['text'] as string) : JSON.stringify(block) }
  }
  const media = block as unknown as MediaBlock
  if (media.type === 'audio' || !writing.terms.traits.seesResults) throw cannotCarry(writing, `${media.type} in a tool result`)
  return { type: 'image-data', data: writing.media.hold(media.data), mediaType: mediaTypeOf(media, writing) }
}

function mediaTypeOf({ type, mimeType }: MediaBlock, writing: Writing): string {
  const mediaType = mimeType.split(';', 1)[0]!.trim().toLowerCase()
  const { images, audio } = writing.terms.traits
  if (type === 'image') {
    if (images === undefined || images.has(mediaType)) return mediaType
    throw cannotCarry(writing, `${mediaType}: it takes ${[...images].join(', ')}`)
  }
  if (audio === 'any') return mediaType
  if (audio === 'none') throw cannotCarry(writing, 'audio')
  if (Object.hasOwn(audio, mediaType)) return audio[mediaType]!
  throw cannotCarry(writing, `${mediaType}: it takes audio as WAV or MP3`)
}

function cannotCarry({ name }: Writing, what: string): Error {
  return modelFailed(name, `cannot be given ${what}`, { spent: 'nothing' })
}
