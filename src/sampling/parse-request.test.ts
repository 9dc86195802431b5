import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { Revision } from '../protocol/index.ts'
import { parseSamplingRequest } from './parse-request.ts'

const hello = { role: 'user', content: { type: 'text', text: 'Which ferry leaves first?' } }
const plain = { messages: [hello], maxTokens: 200 }
const use = (id: string) => ({ role: 'assistant', content: { type: 'tool_use', id, name: 'look_up', input: {} } })
const result = (id: string, more: object = {}) => ({ role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: [], ...more }] })
const withTool = (tool: unknown) => ({ ...plain, tools: [tool] })
const inResult = (block: unknown) => ({ messages: [use('k'), result('k', { content: [block] })], maxTokens: 1 })
const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }

function pathOf(params: unknown, options: { tools?: boolean; revision?: Revision; limits?: object } = {}): unknown {
  try {
    parseSamplingRequest(params, { tools: true, ...options })
    return 'ok'
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'SAMPLING_INVALID') return error.data?.['path']
    throw error
  }
}

test.each<[string, unknown, string]>([
  ['nothing at all', undefined, 'params'],
  ['a list', [], 'params'],
  ['no messages', { maxTokens: 1 }, 'messages'],
  ['an empty list of messages', { messages: [], maxTokens: 1 }, 'messages'],
  ['messages under inherited names only', { maxTokens: 1, ['__proto__']: plain }, 'messages'],
  ['a message that is null', { messages: [null], maxTokens: 1 }, 'messages[0]'],
  ['content as a bare string', { messages: [hello, { role: 'user', content: 'hi' }], maxTokens: 1 }, 'messages[1].content'],
  ['content as an empty list', { messages: [{ role: 'user', content: [] }], maxTokens: 1 }, 'messages[0].content'],
  ['a role that does not exist', { messages: [{ ...hello, role: 'system' }], maxTokens: 1 }, 'messages[0].role'],
  ['a block of an unknown kind', { messages: [{ role: 'user', content: [{ type: 'video' }] }], maxTokens: 1 }, 'messages[0].content[0].type'],
  ['a kind with an inherited name', { messages: [{ role: 'user', content: { type: 'constructor' } }], maxTokens: 1 }, 'messages[0].content.type'],
  ['a resource link outside a tool result', { messages: [{ role: 'user', content: { type: 'resource_link' } }], maxTokens: 1 }, 'messages[0].content.type'],
  ['annotations that are null', { messages: [{ role: 'user', content: { ...png, annotations: null } }], maxTokens: 1 }, 'messages[0].content.annotations'],
  [
    'an audience of strangers',
    { messages: [{ role: 'user', content: { ...png, annotations: { audience: ['all'] } } }], maxTokens: 1 },
    'messages[0].content.annotations.audience[0]',
  ],
  ['an image that is audio', { messages: [{ role: 'user', content: { ...png, mimeType: 'audio/wav' } }], maxTokens: 1 }, 'messages[0].content.mimeType'],
  ['a tool use of the user', { messages: [{ ...use('k'), role: 'user' }, result('k')], maxTokens: 1 }, 'messages[0].content'],
  ['a tool result of the assistant', { messages: [use('k'), { ...result('k'), role: 'assistant' }], maxTokens: 1 }, 'messages[1].content[0]'],
  ['an empty tool use id', { messages: [use(''), result('')], maxTokens: 1 }, 'messages[0].content.id'],
  [
    'tool input as JSON text',
    { messages: [{ role: 'assistant', content: { type: 'tool_use', id: 'k', name: 'n', input: '{}' } }, result('k')], maxTokens: 1 },
    'messages[0].content.input',
  ],
  ['an unanswered tool use', { messages: [use('k')], maxTokens: 1 }, 'messages[0].content'],
  ['a tool result as a string', { messages: [use('k'), result('k', { content: '7' })], maxTokens: 1 }, 'messages[1].content[0].content'],
  ['isError as a string', { messages: [use('k'), result('k', { isError: 'no' })], maxTokens: 1 }, 'messages[1].content[0].isError'],
  ['a broken image deep in a tool result', inResult({ ...png, data: '????' }), 'messages[1].content[0].content[0].data'],
  ['a tool use in a tool result', inResult({ type: 'tool_use', id: 'x', name: 'n', input: {} }), 'messages[1].content[0].content[0].type'],
  ['a resource without contents', inResult({ type: 'resource', resource: { uri: 'mem://a' } }), 'messages[1].content[0].content[0].resource'],
  ['a resource whose blob is not base64', inResult({ type: 'resource', resource: { uri: 'a', blob: '*' } }), 'messages[1].content[0].content[0].resource.blob'],
  ['a resource link without a name', inResult({ type: 'resource_link', uri: 'a' }), 'messages[1].content[0].content[0].name'],
  ['an icon without a source', inResult({ type: 'resource_link', uri: 'a', name: 'a', icons: [{}] }), 'messages[1].content[0].content[0].icons[0].src'],
  ['a tool without a schema', withTool({ name: 'a' }), 'tools[0].inputSchema'],
  ['a tool whose schema is no object', withTool({ name: 'a', inputSchema: { type: 'string' } }), 'tools[0].inputSchema.type'],
  ['a tool whose required arguments are no list', withTool({ name: 'a', inputSchema: { type: 'object', required: 'b' } }), 'tools[0].inputSchema.required'],
  ['a tool with a control character in its name', withTool({ name: 'a\u0007', inputSchema: { type: 'object' } }), 'tools[0].name'],
  [
    'a hint about a tool that is not yes or no',
    withTool({ name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: 1 } }),
    'tools[0].annotations.readOnlyHint',
  ],
  ['toolChoice as a string', { ...plain, toolChoice: 'auto' }, 'toolChoice'],
  ['a required tool where there is none', { ...plain, tools: [], toolChoice: { mode: 'required' } }, 'toolChoice.mode'],
  ['maxTokens as text', { ...plain, maxTokens: '100' }, 'maxTokens'],
  ['a fraction of a token', { ...plain, maxTokens: 1.5 }, 'maxTokens'],
  ['endless tokens', { ...plain, maxTokens: Infinity }, 'maxTokens'],
  ['a temperature that is null', { ...plain, temperature: null }, 'temperature'],
  ['a stop sequence that is no text', { ...plain, stopSequences: [1] }, 'stopSequences[0]'],
  ['metadata as a list', { ...plain, metadata: [] }, 'metadata'],
  ['an unknown includeContext', { ...plain, includeContext: 'all' }, 'includeContext'],
  ['a priority beyond 1', { ...plain, modelPreferences: { costPriority: 1.01 } }, 'modelPreferences.costPriority'],
  ['a hint as a string', { ...plain, modelPreferences: { hints: ['sonnet'] } }, 'modelPreferences.hints[0]'],
  ['a progress token that is an object', { ...plain, _meta: { progressToken: {} } }, '_meta.progressToken'],
])('%s is refused, with its path', (_, params, path) => {
  expect(pathOf(params)).toBe(path)
})

test.each<[string, unknown]>([
  ['one block outside a list', plain],
  ['unknown fields everywhere', { messages: [{ ...hello, index: 0, content: { type: 'text', text: '', lang: 'en' } }], maxTokens: 5, seed: 7, task: 'x' }],
  ['the assistant speaking first and last', { messages: [{ ...hello, role: 'assistant' }], maxTokens: 1 }],
  ['no limit of its own', { ...plain, maxTokens: 0 }],
  ['a limit beyond every model', { ...plain, maxTokens: 1e300 }],
  ['temperature zero', { ...plain, temperature: 0 }],
  ['a wish for context, which we never add', { ...plain, includeContext: 'allServers' }],
  ['a whole tool loop without tools on offer', { messages: [hello, use('k'), result('k', { isError: true, structuredContent: { a: 1 } })], maxTokens: 1 }],
  ['a tool name that only breaks a recommendation', withTool({ name: 'look up! '.repeat(20), inputSchema: { type: 'object' } })],
  [
    'every optional field of a tool',
    withTool({
      name: 'a',
      title: 'A',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      icons: [{ src: 'a' }],
      execution: { taskSupport: 'optional' },
    }),
  ],
])('%s is accepted', (_, params) => {
  expect(pathOf(params)).toBe('ok')
})

test("a refusal says what the server's author should change", () => {
  const refuse = (): unknown => parseSamplingRequest({ messages: [{ role: 'user', content: 'Hello' }], maxTokens: 1 }, { tools: true })

  expect(refuse).toThrow('messages[0].content must be a content block or a list of them, not a string: send {"type": "text", "text": "…"}')
})

test('tools and toolChoice are refused in whatever form where sampling.tools was not declared', () => {
  const paths = [{ tools: [] }, { tools: null }, { toolChoice: { mode: 'none' } }, {}].map((more) => pathOf({ ...plain, ...more }, { tools: false }))

  expect(paths).toEqual(['tools', 'tools', 'toolChoice', 'ok'])
})

test('structured content and schemas may be any JSON from 2026-07-28 on', () => {
  const later = {
    messages: [use('k'), result('k', { structuredContent: [1] })],
    maxTokens: 1,
    tools: [{ name: 'a', inputSchema: { type: 'object', properties: { b: true } } }],
  }

  expect([pathOf(later), pathOf(later, { revision: '2026-07-28' })]).toEqual(['messages[1].content[0].structuredContent', 'ok'])
})

test('all text together and each block have a limit', () => {
  const limits = { textBytes: 10, blockBytes: 3 }
  const ask = (content: unknown, more: object = {}): unknown => pathOf({ messages: [{ role: 'user', content }], maxTokens: 1, ...more }, { limits })

  expect([
    ask({ type: 'text', text: 'ten bytes!' }),
    ask({ type: 'text', text: 'ten bytes!' }, { systemPrompt: 'x' }),
    ask([
      { type: 'text', text: '七七' },
      { type: 'text', text: '七七' },
    ]),
    ask({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
    ask({ type: 'image', data: 'AAAAAA==', mimeType: 'image/png' }),
  ]).toEqual(['ok', 'systemPrompt', 'messages[0].content[1].text', 'ok', 'messages[0].content.data'])
})

test('nesting that nothing could follow is refused', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`) as unknown

  expect([pathOf({ ...plain, metadata: deep }), pathOf({ ...plain, _meta: deep })]).toEqual(['metadata', '_meta'])
})

test('a request of 12 MB is judged in time that grows with its size only', () => {
  const image = { type: 'image', data: 'AAAA'.repeat(750_000), mimeType: 'image/png' }
  const messages = [
    { role: 'user', content: [image, image, image] },
    ...Array.from({ length: 20_000 }, () => ({ role: 'user', content: { type: 'text', text: 'x'.repeat(150) } })),
  ]
  const start = process.cpuUsage()

  expect(pathOf({ messages, maxTokens: 1 })).toBe('ok')
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
})

test('whatever is sent, nothing but SAMPLING_INVALID is thrown', () => {
  const block = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: fc.constantFrom('text', 'image', 'audio', 'tool_use', 'tool_result', 'resource'),
        text: fc.anything(),
        data: fc.anything(),
        content: fc.anything(),
        id: fc.anything(),
        toolUseId: fc.anything(),
      },
      { requiredKeys: ['type'] },
    ),
  )
  const message = fc.oneof(fc.anything(), fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: fc.oneof(block, fc.array(block)) }))
  const params = fc.oneof(
    fc.anything(),
    fc.record(
      {
        messages: fc.oneof(fc.array(message), fc.sparseArray(message)),
        maxTokens: fc.oneof(fc.nat(), fc.anything()),
        tools: fc.anything(),
        modelPreferences: fc.anything(),
        metadata: fc.anything(),
      },
      { requiredKeys: ['messages'] },
    ),
  )

  fc.assert(
    fc.property(params, (value) => void pathOf(value)),
    { numRuns: 2000 },
  )
})

test('a valid request is never changed', () => {
  const text = fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) })
  const media = fc.uint8Array({ minLength: 1 }).map((bytes) => ({ ...png, data: Buffer.from(bytes).toString('base64') }))
  const blocks = fc.array(fc.oneof(text, media), { minLength: 1 })
  const request = fc.record(
    {
      messages: fc.array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: blocks }), { minLength: 1 }),
      maxTokens: fc.nat(),
      systemPrompt: fc.string(),
      temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
      stopSequences: fc.array(fc.string()),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()),
      modelPreferences: fc.record(
        { hints: fc.array(fc.record({ name: fc.string() }, { requiredKeys: [] })), speedPriority: fc.double({ min: 0, max: 1, noNaN: true }) },
        { requiredKeys: [] },
      ),
      tools: fc.constant([{ name: 'a', inputSchema: { type: 'object' } }]),
    },
    { requiredKeys: ['messages', 'maxTokens'] },
  )

  fc.assert(
    fc.property(request, (generated) => {
      const params = JSON.parse(JSON.stringify(generated)) as typeof generated
      const before = structuredClone(params)
      expect(parseSamplingRequest(params, { tools: true })).toStrictEqual(before)
      expect(params).toStrictEqual(before)
    }),
  )
})
