import { hasHalfCharacter } from '../protocol/json.ts'
import { isAtLeast, type Completion, type ContentBlock, type Revision, type SamplingRequest } from '../protocol/index.ts'
import { parseBlock } from './parse-blocks.ts'
import { startParsing } from './parse-context.ts'
import { invalid, optional, present, readList, readNumber, readObject, readString, required, type Read } from './read-fields.ts'

/** What an answer is checked against. */
export interface CompletionRules {
  readonly request: SamplingRequest
  /** Of the server that it goes to. */
  readonly revision: Revision
}

const LONGEST_NAME = 200

/**
 * Checks an answer, whoever wrote it, before it leaves: valid blocks that this server knows, tool uses of offered tools only and as `toolChoice` wants them.
 *
 * @throws ConsentryError `SAMPLING_INVALID`
 * @see MCP 2025-11-25 schema `CreateMessageResult`
 */
export function parseCompletion(value: unknown, { request, revision }: CompletionRules): Completion {
  const context = startParsing(revision)
  const completion = readObject(value, 'completion')
  const content = required(completion, 'content', '', (list, path) => readList((block, place) => parseBlock(block, place, 'assistant', context))(list, path))
  if (content.length === 0) throw invalid('content', 'is an empty list: an answer has at least one block')
  const stopReason = optional(completion, 'stopReason', '', readName)
  checkKnown(content, revision)
  checkToolUses(content, request, stopReason)
  return present({
    content,
    model: required(completion, 'model', '', readName),
    stopReason,
    usage: optional(completion, 'usage', '', readUsage),
  })
}

function checkKnown(content: readonly ContentBlock[], revision: Revision): void {
  for (const [index, { type }] of content.entries())
    if (!knows(revision, type)) throw invalid(`content[${index}]`, `is "${type}", which a server of revision ${revision} does not know`)
  for (const [index, block] of content.entries())
    if (block.type === 'text' && hasHalfCharacter(block.text))
      throw invalid(`content[${index}].text`, 'holds half of a character (one part of a surrogate pair): write it again')
  if (content.length > 1 && !isAtLeast(revision, '2025-11-25')) throw invalid('content', `must be a single block for a server of revision ${revision}`)
}

function knows(revision: Revision, type: ContentBlock['type']): boolean {
  if (type === 'text' || type === 'image') return true
  return isAtLeast(revision, type === 'audio' ? '2025-03-26' : '2025-11-25')
}

function checkToolUses(content: readonly ContentBlock[], { messages, tools = [], toolChoice }: SamplingRequest, stopReason: string | undefined): void {
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name))
  const used = new Set(messages.flatMap((message) => idsOf(message.content)))
  for (const [index, block] of content.entries()) {
    if (block.type !== 'tool_use') continue
    if (!offered.has(block.name)) throw invalid(`content[${index}].name`, 'is not one of the tools that were offered')
    if (used.has(block.id)) throw invalid(`content[${index}].id`, 'was used before: give each tool use an id of its own')
    used.add(block.id)
  }
  // Whoever was cut off or refused could not call a tool.
  const ended = stopReason === undefined || ['endTurn', 'stopSequence', 'toolUse'].includes(stopReason)
  if (toolChoice === 'required' && ended && idsOf(content).length === 0) throw invalid('content', 'must use a tool: the server requires it')
}

function idsOf(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

const readName: Read<string> = (value, path) => {
  const name = readString(value, path)
  if (name === '' || name.length > LONGEST_NAME) throw invalid(path, `must be a text of 1 to ${LONGEST_NAME} characters`)
  return name
}

const readUsage: Read<NonNullable<Completion['usage']>> = (value, path) => {
  const usage = readObject(value, path)
  return present({ input: optional(usage, 'input', path, readNumber), output: optional(usage, 'output', path, readNumber) })
}
