import type { CallToolResult, ClientCapabilities, InputRequiredResult, StandardSchemaWithJSON, Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Conversation } from './conversation.ts'

/** A finished result, or (modern era only) a question that has to be answered first. */
export type ToolResult = CallToolResult | InputRequiredResult

export interface TravelTool {
  /** What `tools/list` says about it. */
  readonly definition: Tool
  /** What the client must be able to do, or the tool is not started at all. */
  readonly requires: ClientCapabilities
  run(input: unknown, conversation: Conversation): Promise<ToolResult>
}

export interface ToolPlan<Input> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: StandardSchemaWithJSON<Input, Input>
  readonly annotations: ToolAnnotations
  readonly requires: ClientCapabilities
  run(input: Input, conversation: Conversation): Promise<ToolResult>
}

/** A tool whose arguments are checked against the very schema that it announces. */
export function defineTool<Input>({ input, requires, annotations, ...plan }: ToolPlan<Input>): TravelTool {
  const { name, title, description } = plan
  const inputSchema = input['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as Tool['inputSchema']

  return {
    definition: { name, title, description, inputSchema, annotations },
    requires,
    async run(given, conversation) {
      const checked = await input['~standard'].validate(given)
      if (checked.issues !== undefined) return failure(`These arguments do not fit ${name}: ${listIssues(checked.issues)}.`)
      return plan.run(checked.value, conversation)
    },
  }
}

/** What a tool says when it did its work, or when a person decided that it should not. */
export function say(text: string, structuredContent?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], ...(structuredContent && { structuredContent }) }
}

/** What a tool says when it could not do its work. */
export function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The messages of a validator, in one line. */
export function listIssues(issues: readonly { readonly message: string }[]): string {
  return issues.map((issue) => issue.message).join('; ')
}
