import type {
  LanguageModelV3Content,
  LanguageModelV3File,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider'
import { isJsonObject, type Completion, type ContentBlock, type JsonObject, type MediaBlock, type Phrase, type SamplingRequest } from '../protocol/index.ts'
import { modelFailed } from './model-failure.ts'
import type { ProviderAnswer } from './model-provider.ts'
import { phrase } from './phrases.ts'
import { present } from './read-fields.ts'
import type { ToolNames } from './tool-names.ts'
import { createUniqueNames } from './unique-names.ts'

const stopReasons = new Map([
  ['stop', 'endTurn'],
  ['end_turn', 'endTurn'],
  ['stop_sequence', 'stopSequence'],
  ['length', 'maxTokens'],
  ['max_tokens', 'maxTokens'],
  ['tool_calls', 'toolUse'],
  ['tool_use', 'toolUse'],
  ['function_call', 'toolUse'],
])

const LONGEST_NAME = 200

/**
 * What a provider answered, as a completion. Thinking stays with the model; a tool call that was cut off half-way is no call, and the answer ends as `maxTokens`.
 *
 * @throws ConsentryError `MODEL_FAILED` for what a completion cannot carry
 * @see MCP 2026-07-28 client/sampling "Result Fields"
 */
export function toCompletion(result: LanguageModelV3GenerateResult, request: SamplingRequest, model: string, names: ToolNames): ProviderAnswer {
  refuseUnread(result.response?.body, model)
  const usage = readUsage(result.usage)
  let stopReason = stopReasonOf(result.finishReason)
  const atLimit = stopReason === 'maxTokens' || (request.maxTokens > 0 && (usage.output ?? 0) >= request.maxTokens)
  const content: ContentBlock[] = []
  // Some servers number their calls anew in each answer.
  const uniqueId = createUniqueNames(request.messages.flatMap((message) => message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))))
  for (const part of result.content) {
    if (part.type === 'tool-call') {
      const input = readInput(part)
      if (input !== undefined) content.push({ type: 'tool_use', id: uniqueId(part.toolCallId || 'call'), name: names.fromProvider(part.toolName), input })
      else if (atLimit) stopReason = 'maxTokens'
      else throw modelFailed(model, 'called a tool with arguments that are no JSON object')
    } else addPart(content, part, model)
  }
  if (stopReason === 'endTurn' && content.some(({ type }) => type === 'tool_use')) stopReason = 'toolUse'
  return present({
    content: content.length > 0 ? content : [{ type: 'text', text: '' }],
    model: nameIn(result.response?.modelId) ?? model.slice(model.indexOf(':') + 1),
    stopReason,
    usage,
    notes: result.warnings.length > 0 ? result.warnings.map(describeWarning) : undefined,
  })
}

/** What was not taken, in the words of the client: names of parameters, never words of a server. */
function describeWarning(warning: SharedV3Warning): Phrase {
  if (warning.type === 'other') return phrase('provider-says', warning.message.slice(0, 300), { message: warning.message.slice(0, 300) })
  const { feature, details } = warning
  return phrase('provider-left-out', details?.slice(0, 300) ?? `${feature} was not taken`, { feature })
}

/** The client passes over what it does not know; an image or sound that was answered is not lost without a word. */
function refuseUnread(body: unknown, model: string): void {
  const choices = isJsonObject(body) ? body['choices'] : undefined
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isJsonObject(choice) ? choice['message'] : undefined
  if (!isJsonObject(message)) return
  const parts: readonly unknown[] = Array.isArray(message['content']) ? message['content'] : []
  const unread = parts.some((part) => !isJsonObject(part) || (part['type'] !== 'text' && part['type'] !== 'thinking'))
  if (unread || isJsonObject(message['audio']) || (Array.isArray(message['images']) && message['images'].length > 0))
    throw modelFailed(model, 'answered with more than text and tool calls, which cannot be sent on')
}

/** The four values of the protocol in every provider's spelling; what is none of them keeps its own name, what is unknown is left out. */
function stopReasonOf({ raw, unified }: LanguageModelV3FinishReason): string | undefined {
  const reason = nameIn(raw)
  // The form says "stop" also where the model refused to answer.
  if (reason === 'stop' && unified === 'content-filter') return 'refusal'
  return reason === undefined ? undefined : (stopReasons.get(reason.toLowerCase()) ?? reason)
}

function addPart(content: ContentBlock[], part: Exclude<LanguageModelV3Content, LanguageModelV3ToolCall>, model: string): void {
  const last = content.at(-1)
  switch (part.type) {
    case 'text':
      if (last?.type === 'text') content[content.length - 1] = { type: 'text', text: last.text + part.text }
      else content.push({ type: 'text', text: part.text })
      return
    case 'reasoning':
      return
    case 'file':
      content.push(toMedia(part, model))
      return
    case 'source':
    case 'tool-approval-request':
    case 'tool-result':
      throw modelFailed(model, `answered with a ${part.type}, which cannot be sent on`)
    default:
      return part satisfies never
  }
}

function toMedia({ mediaType, data }: LanguageModelV3File, model: string): MediaBlock {
  const type = (['image', 'audio'] as const).find((kind) => mediaType.toLowerCase().startsWith(`${kind}/`))
  if (type === undefined || typeof data !== 'string') throw modelFailed(model, 'answered with a file, which cannot be sent on')
  return { type, data, mimeType: mediaType }
}

/** Arguments of a call; a model that gives none means none. */
function readInput({ input }: LanguageModelV3ToolCall): JsonObject | undefined {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** From what the provider sent: a count that it did not give is unknown, never 0. */
function readUsage({ raw, inputTokens, outputTokens }: LanguageModelV3Usage): NonNullable<Completion['usage']> {
  if (!isJsonObject(raw)) return {}
  const count = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined)
  const isChat = ['prompt_tokens', 'completion_tokens'].some((key) => Object.hasOwn(raw, key)) || Object.keys(raw).length === 0
  if (isChat) return present({ input: count(raw['prompt_tokens']), output: count(raw['completion_tokens']) })
  return present({ input: count(inputTokens.total), output: count(outputTokens.total) })
}

function nameIn(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value.length > LONGEST_NAME ? undefined : value
}
