import { expect, test } from 'vitest'
import type { Completion, SamplingRequest } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { createScriptedProvider } from './scripted-provider.ts'

const request: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], maxTokens: 5 }
const said: Completion = { content: [{ type: 'text', text: 'hello' }], model: 'echo-1' }

test("the user's models keep their order, get what the catalogue knows, and never show a key", () => {
  const models = createModels({
    entries: [
      { provider: 'anthropic', model: 'claude-haiku-4-5', apiKey: 'secret', speed: 99 },
      { provider: 'ollama', model: 'qwen3:4b' },
      { provider: 'ollama', model: 'far', baseUrl: 'http://192.168.0.9:11434/v1' },
      { provider: 'anthropic', model: 'claude-haiku-4-5-20251001', cost: { input: 2, output: 3 } },
    ],
  })

  expect(models.list()).toStrictEqual([
    {
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      cost: { input: 1, output: 5 },
      priceAsOf: '2026-11-01',
      speed: 99,
      intelligence: 0.65,
      modalities: ['text', 'image'],
      tools: true,
      contextTokens: 200_000,
    },
    { provider: 'ollama', model: 'qwen3:4b', local: true },
    { provider: 'ollama', model: 'far' },
    {
      provider: 'anthropic',
      model: 'claude-haiku-4-5-20251001',
      cost: { input: 2, output: 3 },
      speed: 150,
      intelligence: 0.65,
      modalities: ['text', 'image'],
      tools: true,
      contextTokens: 200_000,
    },
  ])
  expect(models.size).toBe(4)
})

test('a provider that is neither known nor has an address is refused, and so is a model that stands twice', () => {
  expect(() => createModels({ entries: [{ provider: 'nowhere', model: 'x' }] })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(() =>
    createModels({
      entries: [
        { provider: 'ollama', model: 'x' },
        { provider: 'ollama', model: 'x' },
      ],
    }),
  ).toThrow('ollama:x stands twice')
})

test("a provider of one's own answers, and a model that is not configured is never asked", async () => {
  const asked: string[] = []
  const scripted = createScriptedProvider((_, model) => {
    asked.push(model)
    return said
  })
  const models = createModels({ entries: [{ provider: 'scripted', model: 'echo' }], providers: new Map([['scripted', scripted]]) })
  const { signal } = new AbortController()

  expect(await models.complete('scripted:echo', request, signal)).toEqual(said)
  await expect(models.complete('scripted:other', request, signal)).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' })
  expect(asked).toEqual(['echo'])
})

test('what a provider leaves out is said', () => {
  const models = createModels({ entries: [{ provider: 'ollama', model: 'x' }] })

  expect(models.leavesOut('ollama:x', { ...request, metadata: { a: 1 }, temperature: 3, stopSequences: [''] }).map(({ sentence }) => sentence)).toEqual([
    'temperature 3 (sent as 2)',
    'an empty stop sequence',
    'metadata',
  ])
  expect(models.leavesOut('ollama:x', { ...request, metadata: {}, temperature: 0 })).toEqual([])
})
