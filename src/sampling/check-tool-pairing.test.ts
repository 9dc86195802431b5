import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { ContentBlock, SamplingMessage } from '../protocol/index.ts'
import { checkToolPairing } from './check-tool-pairing.ts'

const use = (...ids: readonly string[]): SamplingMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'look_up', input: {} })),
})
const results = (...ids: readonly string[]): SamplingMessage => ({
  role: 'user',
  content: ids.map((toolUseId) => ({ type: 'tool_result', toolUseId, content: [] })),
})
const say = (role: SamplingMessage['role']): SamplingMessage => ({ role, content: [{ type: 'text', text: 'hi' }] })

function isBalanced(messages: readonly SamplingMessage[]): boolean {
  try {
    checkToolPairing(messages)
    return true
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'SAMPLING_INVALID') return false
    throw error
  }
}

test.each<[string, readonly SamplingMessage[], boolean]>([
  ['every tool use answered in the next message', [say('user'), use('a', 'b'), results('b', 'a'), say('assistant')], true],
  ['two rounds', [use('a'), results('a'), use('b'), results('b')], true],
  ['an answer left out', [use('a', 'b'), results('a')], false],
  ['an answer too many', [use('a'), results('a', 'b')], false],
  ['the same answer twice', [use('a'), results('a', 'a')], false],
  ['answers spread over two messages', [use('a', 'b'), results('a'), results('b')], false],
  ['another message in between', [use('a'), say('user'), results('a')], false],
  ['a tool use at the end', [say('user'), use('a')], false],
  ['an answer to nothing', [results('a')], false],
  ['an id used again later', [use('a'), results('a'), use('a'), results('a')], false],
  ['an id that is a name of every object', [use('__proto__'), results('__proto__')], true],
])('%s', (_, messages, balanced) => {
  expect(isBalanced(messages)).toBe(balanced)
})

test('it agrees with the rule as the specification words it', () => {
  const id = fc.constantFrom('a', 'b', 'c')
  const message = fc.oneof(
    fc.uniqueArray(id, { maxLength: 3 }).map((ids) => (ids.length > 0 ? use(...ids) : say('assistant'))),
    fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => use(...ids)),
    fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => results(...ids)),
    fc.constant(say('user')),
  )

  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      expect(isBalanced(messages)).toBe(isBalancedByTheLetter(messages))
    }),
    { numRuns: 5000 },
  )
})

/** Slow and plain: every result right after its use, every use right before its results, no id twice. */
function isBalancedByTheLetter(messages: readonly SamplingMessage[]): boolean {
  const uses = (message: SamplingMessage | undefined): string[] => idsOf(message, (block) => (block.type === 'tool_use' ? block.id : undefined))
  const answers = (message: SamplingMessage | undefined): string[] => idsOf(message, (block) => (block.type === 'tool_result' ? block.toolUseId : undefined))
  const all = messages.flatMap(uses)
  if (all.length !== new Set(all).size) return false
  return messages.every((message, index) => {
    const answersAsked =
      answers(message).toSorted().join() ===
      uses(messages[index - 1])
        .toSorted()
        .join()
    const usesAnswered =
      uses(message).toSorted().join() ===
      answers(messages[index + 1])
        .toSorted()
        .join()
    return answersAsked && usesAnswered
  })
}

function idsOf(message: SamplingMessage | undefined, idOf: (block: ContentBlock) => string | undefined): string[] {
  return (message?.content ?? []).map(idOf).filter((id) => id !== undefined)
}
