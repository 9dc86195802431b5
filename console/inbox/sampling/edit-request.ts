import type { ShownBlock, ShownCompletionDraft, ShownRequest } from '../../../src/console-api/contract.ts'

/** An empty system prompt is none. */
export function withSystem(request: ShownRequest, text: string): ShownRequest {
  return { ...request, systemPrompt: text === '' ? undefined : text }
}

export function withText(request: ShownRequest, message: number, position: number, text: string): ShownRequest {
  return {
    ...request,
    messages: request.messages.map((one, index) => (index === message ? { ...one, content: replaceText(one.content, position, text) } : one)),
  }
}

/** The limit may be lowered, never raised: the server asked for that many. 0 asked for: no limit. */
export function withMaxTokens(request: ShownRequest, typed: string, asked: number): ShownRequest {
  const tokens = Number(typed)
  return Number.isInteger(tokens) && tokens > 0 && (asked === 0 || tokens <= asked) ? { ...request, maxTokens: tokens } : request
}

export function withAnswerText(draft: ShownCompletionDraft, position: number, text: string): ShownCompletionDraft {
  return { ...draft, content: replaceText(draft.content, position, text) }
}

function replaceText(content: readonly ShownBlock[], position: number, text: string): readonly ShownBlock[] {
  return content.map((block, index) => (index === position && block.type === 'text' ? { ...block, text } : block))
}
