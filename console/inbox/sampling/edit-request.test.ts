import { expect, test } from 'vitest'
import type { ShownRequest } from '../../../src/console-api/contract.ts'
import { withMaxTokens } from './edit-request.ts'

const asked: ShownRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], maxTokens: 100 }

test('the limit of an answer is lowered, never raised', () => {
  expect(['50', '101', '0', '-1', '1.5', 'many'].map((typed) => withMaxTokens(asked, typed, 100).maxTokens)).toEqual([50, 100, 100, 100, 100, 100])
})
