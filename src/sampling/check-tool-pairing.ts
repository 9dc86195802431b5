import type { SamplingMessage } from '../protocol/index.ts'
import { invalid } from './read-fields.ts'

/**
 * Refuses a history in which a tool use is not answered, by its id and exactly once, in the one message that follows it.
 * Each message holds either tool results only or none at all.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 client/sampling "Tool Use and Result Balance"
 */
export function checkToolPairing(messages: readonly SamplingMessage[]): void {
  const seen = new Set<string>()
  const open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}].content`
    answer(open, message, path)
    for (const block of message.content) {
      if (block.type !== 'tool_use') continue
      if (seen.has(block.id)) throw invalid(path, 'uses the id of an earlier tool use again: give each tool use an id of its own')
      seen.add(block.id)
      open.add(block.id)
    }
  }
  if (open.size > 0)
    throw invalid(`messages[${messages.length - 1}].content`, 'ends with a tool use that nobody answered: add a user message with its tool results')
}

function answer(open: Set<string>, message: SamplingMessage, path: string): void {
  for (const block of message.content) {
    if (block.type === 'tool_result' && !open.delete(block.toolUseId))
      throw invalid(path, 'has a tool result that answers no tool use of the message before it, or answers one twice')
  }
  if (open.size > 0) throw invalid(path, 'must answer every tool use of the message before it, all in this one message')
}
