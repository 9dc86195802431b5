import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasHalfCharacter } from '../protocol/json.ts'
import type { ContentBlock } from '../protocol/index.ts'
import { estimateAnswer } from './estimate-tokens.ts'
import { fitAnswer } from './fit-answer.ts'

const request = { maxTokens: 10 }
const model = 'tiny'
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = { type: 'tool_use', id: 'c1', name: 'look', input: {} } as const
const long = 'The ferry leaves at ten past eight, and the next one at nine. '.repeat(20)

test('an answer that its provider counts as longer than allowed is cut, and it is said', () => {
  const { content, stopReason, notes = [] } = fitAnswer({ model, content: [text(long)], stopReason: 'endTurn', usage: { output: 280 } }, request)

  expect([long.startsWith((content[0] as { text: string }).text), estimateAnswer(content) <= 10, stopReason]).toEqual([true, true, 'maxTokens'])
  expect(notes).toMatchObject([{ key: 'answer-over-limit', facts: { tokens: 10 } }])
})

test('where nobody counts, an answer is cut only where there is no doubt', () => {
  const lengths = [10, 15, 60].map((tokens) => text('word '.repeat(tokens)))

  expect(lengths.map((block) => fitAnswer({ model, content: [block] }, request).stopReason)).toEqual([undefined, undefined, 'maxTokens'])
})

test('thinking that is counted and never sent makes no answer too long', () => {
  const answer = { model, content: [text('The 8:10.')], stopReason: 'endTurn', usage: { output: 5000 } }

  expect(fitAnswer(answer, request)).toBe(answer)
})

test('what stands behind the cut is gone: half a tool call is none', () => {
  const cut = (...content: ContentBlock[]): readonly string[] => fitAnswer({ model, content, usage: { output: 99 } }, request).content.map(({ type }) => type)
  const large = { ...call, input: { text: long } }

  expect([cut(text('ok'), large), cut(text(long), call), cut(call, text(long)), cut(large)]).toEqual([['text'], ['text'], ['tool_use', 'text'], ['text']])
})

test('a text of any script is cut between characters, within the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 30 }), (words, maxTokens) => {
      const { content } = fitAnswer({ model, content: [text(words)], usage: { output: 1000 } }, { maxTokens })
      const { text: cut } = content[0] as { text: string }
      expect([words.startsWith(cut), hasHalfCharacter(cut), estimateAnswer(content) <= maxTokens]).toEqual([true, false, true])
    }),
  )
})
