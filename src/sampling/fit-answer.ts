import type { ContentBlock, Phrase, SamplingRequest } from '../protocol/index.ts'
import { estimateAnswer } from './estimate-tokens.ts'
import { tokensOfText } from './estimate-text.ts'
import type { ProviderAnswer } from './model-provider.ts'
import { phrase } from './phrases.ts'

/** An estimate may be wrong by so much: an answer that nobody counted is cut only beyond that. */
const DOUBT = 2

/**
 * Holds a model to its limit: what a server of models wrote beyond `maxTokens` is cut, and it is said. Thinking, which nobody is sent, is not counted.
 *
 * @see MCP 2026-07-28 client/sampling "Sampling Parameters": `maxTokens` must be respected
 */
export function fitAnswer(answer: ProviderAnswer, { maxTokens }: Pick<SamplingRequest, 'maxTokens'>): ProviderAnswer {
  const { content, usage, notes = [] } = answer
  const estimate = estimateAnswer(content)
  const isOver = usage?.output === undefined ? estimate > maxTokens * DOUBT : usage.output > maxTokens && estimate > maxTokens
  return isOver ? { ...answer, content: cutTo(maxTokens, content), stopReason: 'maxTokens', notes: [...notes, overLimit(maxTokens)] } : answer
}

/** Whole blocks as far as they go, then as much of a text as fits: half a tool call is none. */
function cutTo(maxTokens: number, content: readonly ContentBlock[]): readonly ContentBlock[] {
  const kept: ContentBlock[] = []
  let left = maxTokens
  for (const block of content) {
    const tokens = estimateAnswer([block])
    if (tokens > left) {
      if (block.type === 'text' || kept.length === 0) kept.push({ type: 'text', text: block.type === 'text' ? cutText(block.text, left) : '' })
      break
    }
    kept.push(block)
    left -= tokens
  }
  return kept
}

function cutText(text: string, most: number): string {
  let cut = text
  for (let tokens = tokensOfText(cut); tokens > most; tokens = tokensOfText(cut))
    cut = cut.slice(0, Math.floor(Math.min((cut.length * most) / tokens, cut.length - 1)))
  // The first half of a character is none.
  return cut.replace(/[\uD800-\uDBFF]$/, '')
}

function overLimit(tokens: number): Phrase {
  return phrase('answer-over-limit', `The model wrote more than the ${tokens} tokens that it was allowed; the rest is cut off`, { tokens })
}
