import { redact } from '../audit/index.ts'
import type { Completion, ContentBlock, JsonObject, SamplingRequest } from '../protocol/index.ts'

const LONGEST = 8000

/** What was asked and answered, for a log whose user wants it so: texts only, capped, and never what looks like a secret. */
export function keptText({ systemPrompt, messages }: SamplingRequest, completion: Completion | undefined): JsonObject {
  const prompt = [...(systemPrompt === undefined ? [] : [`[system] ${systemPrompt}`]), ...messages.map(({ role, content }) => `[${role}] ${textOf(content)}`)]
  return { prompt: fit(prompt.join('\n')), ...(completion && { answer: fit(textOf(completion.content)) }) }
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n')
}

/** Redacted before it is cut: half a secret looks like none. */
function fit(text: string): string {
  const safe = redact(text.slice(0, 4 * LONGEST))
  return safe.length > LONGEST ? `${safe.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : safe
}
