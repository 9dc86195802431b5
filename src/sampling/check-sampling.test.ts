import { expect, test } from 'vitest'
import { checkModelChoice, checkSamplingMessages } from './check-sampling.ts'

const params = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 1 }
const models = [
  { provider: 'a', model: 'one', cost: { input: 1 }, extra: true },
  { provider: 'a', model: 'two', tools: true },
]

test('a request is judged as a server of the client would be told', async () => {
  expect([
    await checkSamplingMessages({ params }),
    await checkSamplingMessages({ params: { ...params, tools: [] } }),
    await checkSamplingMessages({ params: { ...params, tools: [] }, capabilities: { sampling: {} } }),
    await checkSamplingMessages({ params: { ...params, tools: [] }, capabilities: {} }),
    await checkSamplingMessages({ params: null }),
  ]).toMatchObject([
    { ok: true },
    { ok: true },
    { outcome: 'invalid', path: 'tools' },
    { outcome: 'invalid', path: 'tools' },
    { outcome: 'invalid', path: 'params' },
  ])
})

test('a choice is explained, and so is that there is none', async () => {
  expect([
    await checkModelChoice({ models, modelPreferences: {}, request: { inputTokens: 1, maxTokens: 1 } }),
    await checkModelChoice({ models, modelPreferences: { hints: [{ name: 'two' }] }, request: { needs: ['tools'], inputTokens: 1, maxTokens: 1 } }),
    await checkModelChoice({ models: [], modelPreferences: {}, request: { inputTokens: 1, maxTokens: 1 } }),
    await checkModelChoice({ models, modelPreferences: { costPriority: 2 }, request: { inputTokens: 1, maxTokens: 1 } }),
  ]).toMatchObject([
    { model: 'a:one', why: 'a:one; first in your list' },
    { model: 'a:two', why: 'a:two; 1 of 2 can (tools); hint "two" matches 1' },
    { none: 'no-models' },
    { outcome: 'invalid', path: 'modelPreferences.costPriority' },
  ])
})

test.each([
  () => checkSamplingMessages({}),
  () => checkSamplingMessages({ params, capabilities: 7 }),
  () => checkModelChoice({ models, modelPreferences: {} }),
  () => checkModelChoice({ models, request: { inputTokens: 1, maxTokens: 1 } }),
  () => checkModelChoice({ models: {}, modelPreferences: {}, request: { inputTokens: 1, maxTokens: 1 } }),
  () => checkModelChoice({ models: [{ provider: 'a' }], modelPreferences: {}, request: { inputTokens: 1, maxTokens: 1 } }),
  () => checkModelChoice({ models, modelPreferences: {}, request: { maxTokens: 1 } }),
  () => checkModelChoice({ models, modelPreferences: {}, request: { needs: ['video'], inputTokens: 1, maxTokens: 1 } }),
])('a case that cannot be read is a fault of the case', async (check) => {
  await expect(check()).rejects.toMatchObject({ code: 'USAGE' })
})
