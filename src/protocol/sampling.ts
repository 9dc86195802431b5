import type { JsonObject } from './json.ts'

interface BlockBase {
  readonly annotations?: JsonObject | undefined
  readonly _meta?: JsonObject | undefined
}

export interface TextBlock extends BlockBase {
  readonly type: 'text'
  readonly text: string
}

export interface MediaBlock extends BlockBase {
  readonly type: 'image' | 'audio'
  /** Base64, standard alphabet, padded. */
  readonly data: string
  readonly mimeType: string
}

export interface ToolUseBlock extends BlockBase {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface ToolResultBlock extends BlockBase {
  readonly type: 'tool_result'
  readonly toolUseId: string
  /** Text, images, audio, resource links and resources, as the server sent them. */
  readonly content: readonly JsonObject[]
  readonly isError?: boolean | undefined
  readonly structuredContent?: unknown
}

export type ContentBlock = TextBlock | MediaBlock | ToolUseBlock | ToolResultBlock

export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  /** Always a list here, whichever spelling the server used. */
  readonly content: readonly ContentBlock[]
}

export interface SamplingTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
}

export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string | undefined }[] | undefined
  readonly costPriority?: number | undefined
  readonly speedPriority?: number | undefined
  readonly intelligencePriority?: number | undefined
}

/**
 * A checked `sampling/createMessage`. `includeContext` is not carried: we never add context, so that it always means `none`.
 * @see MCP 2025-11-25 client/sampling "Creating Messages"
 */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[]
  readonly systemPrompt?: string | undefined
  /** Tokens; 0 means our own limit. */
  readonly maxTokens: number
  readonly temperature?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly modelPreferences?: ModelPreferences | undefined
  readonly tools?: readonly SamplingTool[] | undefined
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined
  readonly metadata?: JsonObject | undefined
}

/** What a model, or a person in its place, says. */
export interface Completion {
  readonly content: readonly ContentBlock[]
  /** The model's own name, or `person`. */
  readonly model: string
  readonly stopReason?: string | undefined
  /** Tokens, where the provider reported them. */
  readonly usage?: { readonly input?: number | undefined; readonly output?: number | undefined } | undefined
}
