import { expect, test } from 'vitest'
import type { ShownRequest } from '../../../src/console-api/contract.ts'
import { hasPutBack, withMaxTokens } from './edit-request.ts'

const parts = [
  { path: 'messages[0].content[0].text', kinds: ['password'] },
  { path: 'systemPrompt', kinds: ['card'] },
]
const taken: ShownRequest = {
  systemPrompt: 'pay with [redacted:card]',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'password=[redacted:password]' }] }],
  maxTokens: 100,
}
const saying = (text: string): ShownRequest => ({ ...taken, messages: [{ role: 'user', content: [{ type: 'text', text }] }] })

test('a secret that was put back is in it, whatever was changed around it', () => {
  expect(
    [taken, saying('please: password=[redacted:password]'), saying('password=hunter22'), saying('please: password=hunter22')].map((one) =>
      hasPutBack(one, parts),
    ),
  ).toEqual([false, false, true, true])
})

test('the limit of an answer is lowered, never raised', () => {
  expect(['50', '101', '0', '-1', '1.5', 'many'].map((typed) => withMaxTokens(taken, typed, 100).maxTokens)).toEqual([50, 100, 100, 100, 100, 100])
})
