import type { ContentBlock, JsonObject, SamplingRequest } from '../protocol/index.ts'
import { decodedLength } from './check-media.ts'
import { tokensOfText } from './estimate-text.ts'

const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_IMAGE = 1500
/** About 25 tokens a second of compressed speech. */
const AUDIO_BYTES_PER_TOKEN = 600

/** What a request will cost a model to read, in tokens, roughly: for room, prices and budgets before the provider says the real number. */
export function estimateTokens({ messages, systemPrompt = '', tools = [] }: SamplingRequest): number {
  const spoken = messages.reduce((sum, { content }) => sum + TOKENS_PER_MESSAGE + sumOf(content, tokensOfBlock), 0)
  return (
    spoken +
    tokensOfText(systemPrompt) +
    sumOf(tools, ({ name, description = '', inputSchema }) => tokensOfText(name + description) + tokensOfJson(inputSchema))
  )
}

/** The same for what a model wrote, where it did not say. */
export function estimateAnswer(content: readonly ContentBlock[]): number {
  return sumOf(content, tokensOfBlock)
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return tokensOfText(block.text)
    case 'image':
      return TOKENS_PER_IMAGE
    case 'audio':
      return Math.ceil(decodedLength(block.data) / AUDIO_BYTES_PER_TOKEN)
    case 'tool_use':
      return tokensOfText(block.name) + tokensOfJson(block.input)
    case 'tool_result':
      return sumOf(block.content, tokensOfResult) + (block.structuredContent === undefined ? 0 : tokensOfJson(block.structuredContent))
    default:
      return block satisfies never
  }
}

function tokensOfResult(block: JsonObject): number {
  if (block['type'] === 'image' || block['type'] === 'audio') return tokensOfBlock(block as unknown as ContentBlock)
  return tokensOfJson(block)
}

function tokensOfJson(value: unknown): number {
  return tokensOfText(JSON.stringify(value))
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}
