import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import type { Completion } from '../protocol/index.ts'
import type { Models } from '../sampling/index.ts'
import { CallBody } from './call-body.ts'
import type { Caller } from './call.ts'
import { testModel } from './calls/models-test.ts'
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
  ['an address with a fragment', { provider: 'mine', model: 'x', baseUrl: 'https://x.example/v1#a' }],
  ['an address with a key', { provider: 'mine', model: 'x', baseUrl: 'https://x.example/v1?key=${KEY}' }],
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

test.each([
  ['http://10.0.0.7:8000/v1', { kind: 'variable', name: 'LAB' }, true],
  ['https://lab.example/v1', { kind: 'variable', name: 'LAB' }, undefined],
  ['http://127.0.0.1:8000/v1', { kind: 'keyring', name: 'lab' }, undefined],
  ['http://10.0.0.7:8000/v1', { kind: 'none' }, undefined],
] as const)('whether a key goes to %s in clear (%j) is said before it is written, and after', async (baseUrl, key, inPlain) => {
  const { enter } = await openConsole()
  const browser = await enter()
  const entry = { provider: 'lab', model: 'm1', baseUrl, key }
  const preview = await browser.call('models/add', { entry, preview: true })
  await browser.call('models/add', { entry, preview: false })
  const { models } = await browser.call('models/list', {})

  expect([preview, models[0]!.keyInPlain]).toMatchObject([inPlain ? { keyInPlain: true } : { status: 'preview' }, inPlain ?? false])
})

test('a key that an endpoint says back when it is tested is not shown', async () => {
  const complete = (): Promise<Completion> => Promise.resolve({ content: [{ type: 'text', text: `ready, ${secret}` }], model: 'm1', stopReason: 'endTurn' })
  const secret = 'lab_0123456789abcdef'
  const models = (): Models => ({ complete }) as unknown as Models

  const test = await testModel({ models, now: () => 0 })(new CallBody({ id: 'lab:m1' }), { signal: new AbortController().signal } as Caller)

  expect(test).toEqual({ ok: true, milliseconds: 0, text: 'ready, …' })
})
