import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import type { ModelKey } from './contract.ts'

const qwen = { provider: 'ollama', model: 'qwen3:4b', key: { kind: 'none' } } as const

test('a model is shown as it will be written, added once, and taken out; comments stay', async () => {
  const { enter, config, edited } = await openConsole({ config: '{\n  // mine\n}\n' })
  const browser = await enter()

  const preview = await browser.call('models/add', { entry: qwen, preview: true })
  const before = config.current.models.length
  const added = await browser.call('models/add', { entry: qwen, preview: false })
  const twice = await browser.call('models/add', { entry: qwen, preview: false })
  const written = await readFile(edited.file, 'utf8')
  const { mark } = (await browser.call('models/list', {})).models[0]!
  const removed = await browser.call('models/remove', { id: 'ollama:qwen3:4b', before: mark })
  const gone = await browser.call('models/remove', { id: 'ollama:qwen3:4b', before: mark })

  expect([preview.status, before, added.status, twice.status, removed.status, gone.status]).toEqual(['preview', 0, 'changed', 'refused', 'changed', 'stale'])
  expect(preview).toEqual({ status: 'preview', text: JSON.stringify({ provider: 'ollama', model: 'qwen3:4b' }, undefined, 2) })
  expect(written).toContain('// mine')
  expect([config.current.models, await readFile(edited.file, 'utf8')]).toEqual([[], expect.stringContaining('// mine')])
})

const ways: readonly (readonly [ModelKey, unknown])[] = [
  [{ kind: 'variable', name: 'MY_KEY' }, '${MY_KEY}'],
  [{ kind: 'variable', name: 'OPENAI_API_KEY', usual: true }, undefined],
  [{ kind: 'keyring', name: 'work' }, { keyring: 'work' }],
  [{ kind: 'command', program: 'op', args: ['read', 'op://a/b'] }, { command: ['op', 'read', 'op://a/b'] }],
]

test.each(ways)('a key that is found by %j is told where it is, and comes back the same', async (key, apiKey) => {
  const { enter, edited } = await openConsole()
  const browser = await enter()

  await browser.call('models/add', { entry: { provider: 'openai', model: 'gpt-5', key }, preview: false })

  const { models } = await browser.call('models/list', {})
  const [entry] = (JSON.parse(await readFile(edited.file, 'utf8')) as { models: readonly { apiKey?: unknown }[] }).models
  expect([entry!.apiKey, models[0]!.key]).toEqual([apiKey, key])
})

test('a key that was pasted where a variable belongs is neither written nor repeated', async () => {
  const { enter, config } = await openConsole()
  const browser = await enter()
  const entry = { provider: 'openai', model: 'gpt-5', key: { kind: 'variable', name: 'sk-proj-hunter2' } } as const

  const refused = await browser.call('models/add', { entry, preview: false }).catch((error: Error) => error)

  expect(refused).toMatchObject({ code: 'USAGE', message: expect.not.stringContaining('hunter2') as string })
  expect(config.current.models).toEqual([])
})

test.each([
  ['a provider that nobody knows, without an address', { provider: 'nobody', model: 'x' }],
  ['an address that is none', { provider: 'mine', model: 'x', baseUrl: 'ftp://x' }],
  ['a provider with a colon', { provider: 'a:b', model: 'x', baseUrl: 'http://127.0.0.1:1/v1' }],
])('%s is refused with the reason, and nothing is written', async (_, entry) => {
  const { enter, config } = await openConsole()
  const browser = await enter()

  const refused = await browser.call('models/add', { entry: { ...entry, key: { kind: 'none' } }, preview: true })

  expect(refused.status).toBe('refused')
  expect(config.current.models).toEqual([])
})

test('a desk looks for models on its machine only when somebody says so, and says which it has', async () => {
  const { enter } = await openConsole()
  const browser = await enter()

  const { found } = await browser.call('models/find', {})

  expect(found.every(({ baseUrl }) => new URL(baseUrl).hostname === '127.0.0.1')).toBe(true)
})
