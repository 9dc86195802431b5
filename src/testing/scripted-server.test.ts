import { Client, type ClientCapabilities } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import type { Era, JsonObject } from '../protocol/index.ts'
import { formQuestion, modelQuestion, rootsQuestion, urlQuestion } from './questions.ts'
import { createScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server.ts'

const eras: readonly Era[] = ['legacy', 'modern']
const everything: ClientCapabilities = { roots: {}, elicitation: { form: {}, url: {} }, sampling: {} }
const closing: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()))
})

function create(options: ScriptedServerOptions): ScriptedServer {
  const server = createScriptedServer(options)
  closing.push(server)
  return server
}

/** An SDK client that accepts everything it is asked. */
async function connect(server: ScriptedServer, era: Era): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'test', version: '1' }, { capabilities: everything, versionNegotiation: { mode } })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///trip' }] }))
  client.setRequestHandler('elicitation/create', ({ params }) => ({ action: 'accept', ...(params.mode !== 'url' && { content: { seat: 'aisle' } }) }))
  client.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Lisbon' } }))
  await client.connect(server.connect())
  return client
}

const seat = formQuestion('Window or aisle?', { seat: { type: 'string', enum: ['window', 'aisle'] } }, ['seat'])

test.each(eras)('asks the questions of a list one after the other, and records the answers (%s era)', async (era) => {
  const server = create({ tools: { book: [rootsQuestion(), seat, urlQuestion('Please pay', 'https://pay.example/1'), modelQuestion('Where to?')] } })
  const client = await connect(server, era)

  await client.callTool({ name: 'book', arguments: {} })

  expect(server.answers.map(({ question, answer, during }) => [question.method, (answer as { result: JsonObject }).result, during])).toEqual([
    ['roots/list', { roots: [{ uri: 'file:///trip' }] }, 'book'],
    ['elicitation/create', { action: 'accept', content: { seat: 'aisle' } }, 'book'],
    ['elicitation/create', { action: 'accept' }, 'book'],
    ['sampling/createMessage', { role: 'assistant', model: 'm', content: { type: 'text', text: 'Lisbon' } }, 'book'],
  ])
  expect(new Set(server.answers.map((answer) => answer.era))).toEqual(new Set([era]))
})

test.each(eras)('a function decides what to ask, and what the call ends with (%s era)', async (era) => {
  const server = create({
    tools: {
      greet: async ({ input, ask }) => {
        const answer = await ask(seat)
        return { result: { content: [{ type: 'text', text: `${JSON.stringify(input)}: ${JSON.stringify(answer)}` }], isError: true } }
      },
    },
  })
  const client = await connect(server, era)

  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })

  expect(result).toMatchObject({ isError: true, content: [{ text: '{"name":"Ada"}: {"result":{"action":"accept","content":{"seat":"aisle"}}}' }] })
})

test.each(eras)('several questions go out at once (%s era)', async (era) => {
  const server = create({ tools: { both: async ({ askAll }) => JSON.stringify(Object.keys(await askAll({ where: rootsQuestion(), seat }))) } })
  const client = await connect(server, era)

  const result = await client.callTool({ name: 'both', arguments: {} })

  expect(result.content).toEqual([{ type: 'text', text: '["where","seat"]' }])
})

test.each(eras)('prompts and resources may ask too (%s era)', async (era) => {
  const server = create({ prompts: { plan: async ({ ask }) => JSON.stringify(await ask(seat)) }, resources: { 'trip://1': [seat] } })
  const client = await connect(server, era)

  const prompt = await client.getPrompt({ name: 'plan' })
  const resource = await client.readResource({ uri: 'trip://1' })

  expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringContaining('aisle') })
  expect(resource.contents[0]).toMatchObject({ uri: 'trip://1', text: expect.stringContaining('aisle') })
  expect(server.answers.map(({ during }) => during)).toEqual(['plan', 'trip://1'])
})

test.each(eras)('lists what there is, and promises nothing else (%s era)', async (era) => {
  const server = create({
    name: 'travel',
    instructions: 'Be kind.',
    tools: { book: { run: [], description: 'Books', inputSchema: { type: 'object', required: ['a'] } } },
  })
  const client = await connect(server, era)

  const { tools } = await client.listTools()

  expect(tools).toMatchObject([{ name: 'book', description: 'Books', inputSchema: { type: 'object', required: ['a'] } }])
  expect([Object.keys(client.getServerCapabilities() ?? {}), client.getServerVersion()?.name, client.getInstructions()]).toEqual([
    ['tools'],
    'travel',
    'Be kind.',
  ])
})

test.each(eras)('an error of a script is the error of the call (%s era)', async (era) => {
  const server = create({
    tools: {
      pay: () => ({ error: { code: -32042, message: 'Go there first', data: { elicitations: [] } } }),
      broken: () => {
        throw new Error('oops')
      },
    },
  })
  const client = await connect(server, era)

  const failures = await Promise.all(['pay', 'broken', 'absent'].map((name) => client.callTool({ name, arguments: {} }).catch((error: unknown) => error)))

  expect(failures).toMatchObject([{ code: -32042 }, { code: -32603, message: expect.stringContaining('oops') }, { code: -32602 }])
  expect(server.faults).toEqual([new Error('oops')])
})

test('a legacy client that refuses is an answer with an error', async () => {
  const server = create({ tools: { ask: [modelQuestion('Where to?')] } })
  const client = await connect(server, 'legacy')
  client.setRequestHandler('sampling/createMessage', () => Promise.reject(Object.assign(new Error('User rejected sampling request'), { code: -1 })))

  await client.callTool({ name: 'ask', arguments: {} })

  expect(server.answers).toMatchObject([{ answer: { error: { code: -1, message: 'User rejected sampling request' } } }])
})

test('a round of the modern era may carry nothing but state', async () => {
  const server = create({
    tools: {
      slow: async ({ pause }) => {
        await pause()
        await pause()
        return 'done'
      },
    },
  })
  const client = await connect(server, 'modern')

  const result = await client.callTool({ name: 'slow', arguments: {} })

  expect(result.content).toEqual([{ type: 'text', text: 'done' }])
  expect(server.received.filter(({ method }) => method === 'tools/call').map(({ params }) => (params as JsonObject)['requestState'])).toEqual([
    undefined,
    'state-1',
    'state-2',
  ])
})

test.each(eras)('progress goes to whoever gave a token (%s era)', async (era) => {
  const seen: number[] = []
  const server = create({
    tools: {
      work: ({ reportProgress }) => {
        reportProgress(1, 2)
        return 'done'
      },
    },
  })
  const client = await connect(server, era)

  await client.callTool({ name: 'work', arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) })
  await client.callTool({ name: 'work', arguments: {} })

  expect(seen).toEqual([1])
})

test('a cancelled call takes its question back, and gets no answer', async () => {
  const server = create({ tools: { ask: [seat] } })
  const client = await connect(server, 'legacy')
  const withdrawn = new Promise<void>((resolve) => {
    client.setRequestHandler('elicitation/create', (_request, context) => {
      context.mcpReq.signal.addEventListener('abort', () => resolve())
      stop.abort()
      return new Promise(() => {})
    })
  })
  const stop = new AbortController()

  const call = client.callTool({ name: 'ask', arguments: {} }, { signal: stop.signal })

  await expect(call).rejects.toThrow()
  await withdrawn
  expect([server.answers, server.faults]).toEqual([[], []])
})

test('asks and tells outside any call, in the legacy era', async () => {
  const server = create({ tools: { none: [] } })
  const client = await connect(server, 'legacy')
  const told = new Promise<void>((resolve) => client.setNotificationHandler('notifications/tools/list_changed', () => resolve()))

  const answer = await server.ask(rootsQuestion())
  server.notify('notifications/tools/list_changed')

  await told
  expect(answer).toEqual({ result: { roots: [{ uri: 'file:///trip' }] } })
})

test('a message can be waited for before and after it comes', async () => {
  const server = create({ tools: { none: [] } })
  const early = server.waitFor('notifications/initialized')
  await connect(server, 'legacy')

  const messages = [await early, await server.waitFor('notifications/initialized')]
  const stopped = server.waitFor('notifications/never', AbortSignal.abort(new Error('enough')))

  expect(messages).toMatchObject([{ method: 'notifications/initialized' }, { method: 'notifications/initialized' }])
  await expect(stopped).rejects.toThrow('enough')
})

test('closing ends what waits, on both sides', async () => {
  const server = create({ tools: { ask: [seat] } })
  const client = await connect(server, 'legacy')
  client.setRequestHandler('elicitation/create', () => new Promise(() => {}))
  const call = client.callTool({ name: 'ask', arguments: {} })
  const message = server.waitFor('notifications/never')
  await server.waitFor('tools/call')

  await server.close()
  await server.close()

  await expect(call).rejects.toThrow()
  await expect(message).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  await expect(server.ask(seat)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
})

test('a server of one era says so to clients of the other', async () => {
  const [old, young] = [create({ era: 'legacy', tools: {} }), create({ era: 'modern', tools: {} })]

  await expect(connect(old, 'modern')).rejects.toThrow()
  await expect(connect(young, 'legacy')).rejects.toMatchObject({ code: -32022 })
})

test('an older server negotiates its own revision', async () => {
  const server = create({ era: 'legacy', revision: '2025-06-18', tools: {} })
  const client = await connect(server, 'legacy')

  expect(client.getNegotiatedProtocolVersion()).toBe('2025-06-18')
})

test('serves a client over streams, one message a line, however the bytes are cut, and skips what is no message', async () => {
  const written: string[] = []
  const server = create({ tools: { book: [seat] } })
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
  const call = (id: number, params: JsonObject): JsonObject => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'book', arguments: {}, _meta: meta, ...params },
  })
  const answers = { inputResponses: { question: { action: 'accept', content: { seat: 'Fenster ü' } } }, requestState: 'state-1' }

  async function* input(): AsyncGenerator<Uint8Array | string> {
    const bytes = new TextEncoder().encode(`Hello!\r\n\n${JSON.stringify(call(1, {}))}\n`)
    for (const byte of bytes) yield Uint8Array.of(byte)
    while (written.length < 1) await Promise.resolve()
    yield JSON.stringify(call(2, answers))
  }
  await server.serve({ input: input(), output: { write: (text) => written.push(text) } })
  await server.waitFor('tools/call')

  expect(written.map((line) => JSON.parse(line) as JsonObject)).toEqual([
    { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests: { question: seat }, requestState: 'state-1' } },
  ])
  expect(server.answers).toEqual([{ question: seat, answer: { result: answers.inputResponses.question }, era: 'modern', during: 'book' }])
})

test('closing the server ends serving, also while the client is silent', async () => {
  const server = create({})
  async function* silence(): AsyncGenerator<string> {
    yield '\n'
    await new Promise(() => {})
  }
  const served = server.serve({ input: silence(), output: { write: () => true } })

  await server.close()

  await expect(served).resolves.toBeUndefined()
})

test.each([
  { params: { requestState: 'state-9' }, why: 'a state that was never given' },
  { params: { requestState: 7 }, why: 'a state that is no text' },
  { params: { requestState: 'state-1', arguments: { other: true } }, why: 'a state with other arguments' },
])('refuses $why', async ({ params }) => {
  const server = create({ era: 'modern', tools: { book: [seat] } })
  const written: JsonObject[] = []
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const call = (id: number, more: JsonObject): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'book', arguments: {}, ...more, _meta } })
  async function* input(): AsyncGenerator<string> {
    yield `${call(1, {})}\n`
    while (written.length < 1) await Promise.resolve()
    yield `${call(2, params)}\n`
    while (written.length < 2) await Promise.resolve()
  }

  await server.serve({ input: input(), output: { write: (text) => written.push(JSON.parse(text) as JsonObject) } })

  expect(written[1]).toMatchObject({ id: 2, error: { code: -32602 } })
})

test('answers that are missing are asked for again', async () => {
  const server = create({ era: 'modern', tools: { both: async ({ askAll }) => Object.keys(await askAll({ a: seat, b: seat })).join() } })
  const written: JsonObject[] = []
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const call = (id: number, more: JsonObject): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'both', arguments: {}, ...more, _meta } })}\n`
  async function* input(): AsyncGenerator<string> {
    yield call(1, {})
    while (written.length < 1) await Promise.resolve()
    yield call(2, { requestState: 'state-1', inputResponses: { a: { action: 'cancel' } } })
    while (written.length < 2) await Promise.resolve()
    yield call(3, { requestState: 'state-2', inputResponses: { b: { action: 'decline' } } })
    while (written.length < 3) await Promise.resolve()
  }

  await server.serve({ input: input(), output: { write: (text) => written.push(JSON.parse(text) as JsonObject) } })

  expect(written.map(({ result }) => Object.keys(((result as JsonObject)['inputRequests'] as JsonObject | undefined) ?? {}))).toEqual([['a', 'b'], ['b'], []])
  expect(written[2]).toMatchObject({ result: { resultType: 'complete', content: [{ text: 'a,b' }] } })
})

test('names that every object inherits are names like any other', async () => {
  const server = create({ tools: JSON.parse('{"__proto__": []}') as Record<string, []> })
  const client = await connect(server, 'legacy')

  const results = await Promise.all(
    ['__proto__', 'constructor', 'toString'].map((name) => client.callTool({ name, arguments: {} }).catch((error: unknown) => error)),
  )

  expect(results).toMatchObject([{ content: [{ text: '[]' }] }, { code: -32602 }, { code: -32602 }])
})
