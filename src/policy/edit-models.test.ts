import { expect, test } from 'vitest'
import { addModel, removeModel } from './edit-models.ts'

const file = { file: 'config.jsonc', home: '/home/ada', directory: '/home/ada/.config/consentry', platform: 'posix' } as const

test('models are added at the end and taken off, and the comments stay', () => {
  const first = addModel('{\n  // mine\n}\n', { provider: 'ollama', model: 'qwen3:4b' }, file)
  const second = addModel(first, { provider: 'anthropic', model: 'claude', apiKey: { keyring: 'work' } }, file)
  const again = addModel(second, { provider: 'anthropic', model: 'claude' }, file)
  const without = removeModel(again, { provider: 'ollama', model: 'qwen3:4b' }, file)

  expect(again).toBe(second)
  expect(second).toContain('{ "provider": "anthropic", "model": "claude", "apiKey": { "keyring": "work" } }')
  expect([second, without].map((text) => [text.includes('// mine'), text.includes('qwen3'), text.includes('claude')])).toEqual([
    [true, true, true],
    [true, false, true],
  ])
})

test('a model that is not on the list cannot be taken off: nothing changes', () => {
  const text = addModel(undefined, { provider: 'ollama', model: 'a' }, file)

  expect(removeModel(text, { provider: 'ollama', model: 'b' }, file)).toBe(text)
})

test('a place for a key that the config does not know is refused', () => {
  expect(() => addModel(undefined, { provider: 'ollama', model: 'a', apiKey: { keychain: 'x' } }, file)).toThrow('keychain')
})
