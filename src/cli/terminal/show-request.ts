import type { ContentBlock, SamplingRequest } from '../../protocol/index.ts'
import type { Asking } from './asking.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import { words } from './words.ts'

/** Everything that a model would read, as it came. */
export function showRequest({ systemPrompt, messages, tools }: SamplingRequest, { prompts, server }: Asking): void {
  const system = systemPrompt === undefined ? [] : [`[system] ${safeText(systemPrompt, { lines: true, maximum: MOST_READ })}`]
  const turns = messages.map(({ role, content }) => `[${role}] ${content.map(describeBlock).join('\n')}`)
  prompts.quote([...system, ...turns].join('\n\n'), words.serverSays(server), 'beginning')
  if (!tools || tools.length === 0) return
  prompts.say(words.toolsOffered(tools.map(({ name }) => safeText(name, { maximum: 80 })).join(', ')))
  prompts.quote(tools.map(describeTool).join('\n'), words.serverSays(server), 'beginning')
}

function describeTool({ name, description = '', inputSchema }: NonNullable<SamplingRequest['tools']>[number]): string {
  const about = description === '' ? '' : ` ${safeText(description, { lines: true, maximum: MOST_READ })}`
  return `[${safeText(name, { maximum: 80 })}]${about}\n${safeText(JSON.stringify(inputSchema), { maximum: MOST_READ })}`
}

/** A content block in words; media by kind and size. */
export function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return safeText(block.text, { lines: true, maximum: MOST_READ })
    case 'image':
    case 'audio':
      return `(${block.type}, ${safeText(block.mimeType, { maximum: 80 })}, ${Math.ceil((block.data.length * 3) / 4 / 1024)} KB)`
    case 'tool_use':
      return `(calls ${safeText(block.name, { maximum: 80 })}: ${safeText(JSON.stringify(block.input), { maximum: MOST_READ })})`
    case 'tool_result':
      return `(result of a tool: ${safeText(JSON.stringify(block.content), { maximum: MOST_READ })})`
    default:
      return block satisfies never
  }
}
