import { ConsentryError } from '../errors.ts'
import type { SamplingRequest } from '../protocol/index.ts'

/** Rounds of tool use that a conversation has behind it. */
export function countToolRounds({ messages }: SamplingRequest): number {
  return messages.filter(({ role, content }) => role === 'assistant' && content.some(({ type }) => type === 'tool_use')).length
}

/** @throws ConsentryError `LIMIT_REACHED` when a loop has had all its rounds. @see MCP 2025-11-25 client/sampling "Security Considerations" */
export function refuseEndlessLoop(rounds: number, allowed: number): void {
  if (rounds < allowed || rounds === 0) return
  throw new ConsentryError(
    'LIMIT_REACHED',
    `This conversation has had its ${allowed} rounds of tool use: answer with what is there, or raise "toolRounds" in the config`,
    {
      data: { limit: 'toolRounds', allowed, remaining: 0 },
    },
  )
}
