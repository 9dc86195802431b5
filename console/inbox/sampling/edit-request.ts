import type { RedactedPart, ShownBlock, ShownCompletionDraft, ShownRequest } from '../../../src/console-api/contract.ts'

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

const MARK = '[redacted:'

/** True where something that was taken out is in it again; in doubt too. */
export function hasPutBack(request: ShownRequest, parts: readonly RedactedPart[]): boolean {
  return parts.some(({ path }) => {
    const text = path.split(/[.[\]]+/u).reduce<unknown>((found, key) => (key === '' ? found : (found as Record<string, unknown> | undefined)?.[key]), request)
    return typeof text === 'string' && !text.includes(MARK)
  })
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
