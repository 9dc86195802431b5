import { expect, test } from 'vitest'
import type { ContentBlock, SamplingRequest } from '../protocol/index.ts'
import { estimateAnswer, estimateTokens } from './estimate-tokens.ts'

const ask = (...content: readonly ContentBlock[]): SamplingRequest => ({ messages: [{ role: 'user', content }], maxTokens: 1 })
const image = { type: 'image', data: 'A'.repeat(4000), mimeType: 'image/png' } as const

test('everything that a model reads counts, an image as an image wherever it stands', () => {
  expect([
    estimateTokens(ask({ type: 'text', text: 'a'.repeat(400) })),
    estimateTokens(ask({ type: 'text', text: '七'.repeat(400) })),
    estimateTokens(ask(image)),
    estimateTokens(ask({ type: 'tool_result', toolUseId: 'a', content: [image] })),
    estimateTokens(ask({ type: 'audio', data: 'A'.repeat(8000), mimeType: 'audio/mpeg' })),
    estimateTokens({ ...ask(), systemPrompt: 'a'.repeat(40), tools: [{ name: 'four', description: 'four', inputSchema: { type: 'object' } }] }),
  ]).toEqual([104, 338, 1504, 1504, 14, 21])
})

test('an answer is estimated the same way', () => {
  expect(
    estimateAnswer([
      { type: 'text', text: 'abcdefgh' },
      { type: 'tool_use', id: 'a', name: 'four', input: { a: 1 } },
    ]),
  ).toBe(8)
})
