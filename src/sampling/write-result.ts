import type { Completion, JsonObject, SamplingRequest } from '../protocol/index.ts'

/**
 * Writes a checked answer as the result of `sampling/createMessage`: one block stands alone where the server offered no tools, as older peers expect it.
 *
 * @see MCP 2025-11-25 schema `CreateMessageResult`
 */
export function writeResult({ content, model, stopReason }: Completion, { tools = [] }: SamplingRequest): JsonObject {
  const blocks = content as unknown as readonly JsonObject[]
  const written = blocks.length === 1 && tools.length === 0 ? blocks[0]! : blocks
  return { role: 'assistant', content: written, model, ...(stopReason !== undefined && { stopReason }) }
}
