import type { SamplingRequest } from '../protocol/index.ts'

/** The text of the last user message that has any: what rules and answers files match. */
export function lastUserText({ messages }: SamplingRequest): string | undefined {
  const message = messages.findLast(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'))
  return message?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
