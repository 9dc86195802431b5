import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { Completion, SamplingMessage, SamplingRequest } from '../protocol/index.ts'
import { createModels } from './create-models.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

interface Heard {
  readonly path: string | undefined
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

type Reply = (response: ServerResponse, heard: Heard) => void

/** A server on this machine that speaks the chat completions form. */
async function listen(reply: Reply): Promise<{ readonly baseUrl: string; readonly heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = { path: request.url, authorization: request.headers.authorization, body }
      heard.push(one)
      reply(response, one)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
}

function json(value: unknown, status = 200): Reply {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function says(message: object, finish: string | null = 'stop', usage: object | null = { prompt_tokens: 12, completion_tokens: 3 }): Reply {
  return json({ id: 'x', model: 'tiny-2026', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }], usage })
}

const user = (...content: SamplingMessage['content']): SamplingMessage => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words }) as const
const hello: SamplingRequest = { messages: [user(text('hi'))], maxTokens: 50 }
const tool = { name: 'get_weather', inputSchema: { type: 'object' } } as const

async function complete(
  request: SamplingRequest,
  reply: Reply,
  more: { apiKey?: string; timeoutMs?: number; provider?: string; signal?: AbortSignal } = {},
): Promise<{ completion: Completion; heard: Heard[] }> {
  const { baseUrl, heard } = await listen(reply)
  const { apiKey, timeoutMs, provider = 'openai-compatible', signal = new AbortController().signal } = more
  const models = createModels({ entries: [{ provider, model: 'tiny', baseUrl, apiKey }], timeoutMs, pauseMs: 1 })
  return { completion: await models.complete(`${provider}:tiny`, request, signal), heard }
}

async function failure(
  request: SamplingRequest,
  reply: Reply,
  more: { apiKey?: string; timeoutMs?: number } = {},
): Promise<{ message: string; cause: string; data: unknown }> {
  const error: unknown = await complete(request, reply, more).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConsentryError) || error.code !== 'MODEL_FAILED') throw new Error('expected MODEL_FAILED', { cause: error })
  return { message: error.message, cause: error.cause instanceof Error ? error.cause.message : '', data: error.data }
}

test('a text is asked and answered, with the limit, the temperature and the key as they were given', async () => {
  const request = { ...hello, systemPrompt: 'Be brief', temperature: 0, stopSequences: ['END', ''], metadata: { trace: 1 } }

  const { completion, heard } = await complete(request, says({ content: 'Hello.' }), { apiKey: 'key-1' })

  expect(completion).toEqual({ content: [text('Hello.')], model: 'tiny-2026', stopReason: 'endTurn', usage: { input: 12, output: 3 } })
  expect(heard).toEqual([
    {
      path: '/v1/chat/completions',
      authorization: 'Bearer key-1',
      body: {
        model: 'tiny',
        max_tokens: 50,
        temperature: 0,
        stop: ['END'],
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'hi' },
        ],
      },
    },
  ])
})

test('the limit has the name that the service knows', async () => {
  const { heard } = await complete(hello, says({ content: 'a' }), { provider: 'openai' })

  expect(heard[0]?.body).toMatchObject({ max_completion_tokens: 50 })
  expect(heard[0]?.body).not.toHaveProperty('max_tokens')
})

test('images and sound go with the text, in their order', async () => {
  const request = {
    ...hello,
    messages: [user(text('a'), { type: 'image', data: 'AAAA', mimeType: 'IMAGE/PNG; x=1' }, { type: 'audio', data: 'BBBB', mimeType: 'audio/x-wav' })],
  }

  const { heard } = await complete(request, says({ content: 'b' }))

  expect(heard[0]?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
      ],
    },
  ])
})

test('a whole tool loop goes out, and a tool call comes back unexecuted', async () => {
  const link = { type: 'resource_link', uri: 'https://a.example', name: 'a' } as const
  const request: SamplingRequest = {
    messages: [
      user(text('Weather?')),
      {
        role: 'assistant',
        content: [
          text('Let me see.'),
          { type: 'tool_use', id: 'c1', name: 'get weather!', input: { city: 'Paris' } },
          { type: 'tool_use', id: 'c2', name: 'get_weather', input: {} },
        ],
      },
      user(
        { type: 'tool_result', toolUseId: 'c1', content: [text('18')] },
        { type: 'tool_result', toolUseId: 'c2', content: [{ ...text('no'), _meta: { a: 1 } }, link], isError: true },
      ),
    ],
    tools: [{ name: 'get weather!', description: 'd', inputSchema: { type: 'object' } }, tool],
    toolChoice: 'required',
    maxTokens: 9,
  }

  const { completion, heard } = await complete(
    request,
    says({ content: null, tool_calls: [{ id: 'c1', function: { name: 'get_weather_', arguments: '{"city":"Rome"}' } }] }, 'tool_calls'),
  )

  expect(heard[0]?.body).toMatchObject({
    tool_choice: 'required',
    tools: [
      { type: 'function', function: { name: 'get_weather_', description: 'd', parameters: { type: 'object' } } },
      { type: 'function', function: { name: 'get_weather' } },
    ],
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'c1', function: { name: 'get_weather_', arguments: '{"city":"Paris"}' } },
          { id: 'c2', function: { name: 'get_weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '18' },
      { role: 'tool', tool_call_id: 'c2', content: JSON.stringify({ content: [text('no'), link], isError: true }) },
    ],
  })
  expect(completion).toMatchObject({ content: [{ type: 'tool_use', id: 'c1-2', name: 'get weather!', input: { city: 'Rome' } }], stopReason: 'toolUse' })
})

test.each<[string | null, string | undefined]>([
  ['stop', 'endTurn'],
  ['STOP', 'endTurn'],
  ['end_turn', 'endTurn'],
  ['stop_sequence', 'stopSequence'],
  ['length', 'maxTokens'],
  ['max_tokens', 'maxTokens'],
  ['MAX_TOKENS', 'maxTokens'],
  ['tool_use', 'toolUse'],
  ['tool_calls', 'toolUse'],
  ['content_filter', 'content_filter'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause_turn'],
  [null, undefined],
])('finish reason %s ends as %s', async (finish, stopReason) => {
  const { completion } = await complete(hello, says({ content: 'a' }, finish))

  expect(completion.stopReason).toBe(stopReason)
  expect('stopReason' in completion).toBe(stopReason !== undefined)
})

test('a refusal is not disguised as the end of an answer', async () => {
  expect((await complete(hello, says({ content: null, refusal: 'I cannot.' }))).completion).toMatchObject({
    content: [text('I cannot.')],
    stopReason: 'refusal',
  })
})

test('a tool call that was cut off is no call, and the answer ends as maxTokens', async () => {
  const half = { content: 'So:', tool_calls: [{ id: 'a', function: { name: 'get_weather', arguments: '{"city":"Pa' } }] }
  const request = { ...hello, tools: [tool] }

  const atLimit = await complete(request, says(half, 'tool_calls', { prompt_tokens: 1, completion_tokens: 50 }))

  expect(atLimit.completion).toMatchObject({ content: [text('So:')], stopReason: 'maxTokens' })
  expect((await failure(request, says(half, 'tool_calls'))).message).toBe('openai-compatible:tiny called a tool with arguments that are no JSON object')
})

test('a server that calls a tool and says "stop" is understood, and calls without an id get one', async () => {
  const calls = [
    { id: '', function: { name: 'get_weather', arguments: '' } },
    { id: '', function: { name: 'get_weather', arguments: '{}' } },
  ]

  const { completion } = await complete({ ...hello, tools: [tool] }, says({ content: '', tool_calls: calls }, 'stop', null))

  expect(completion).toEqual({
    content: [
      { type: 'tool_use', id: 'call', name: 'get_weather', input: {} },
      { type: 'tool_use', id: 'call-2', name: 'get_weather', input: {} },
    ],
    model: 'tiny-2026',
    stopReason: 'toolUse',
    usage: {},
  })
})

test('thinking stays with the model, parts of text are one text, and silence is an empty text', async () => {
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]

  const answers = [await complete(hello, says({ content: parts, reasoning_content: 'hm' })), await complete(hello, says({ content: null }))]

  expect(answers.map(({ completion }) => completion.content)).toEqual([[text('ab')], [text('')]])
})

test.each<[string, SamplingRequest, string]>([
  ['other sound than WAV and MP3', { ...hello, messages: [user({ type: 'audio', data: 'AAAA', mimeType: 'audio/ogg; codecs=opus' })] }, 'audio/ogg'],
  [
    'an image of the assistant',
    { ...hello, messages: [{ role: 'assistant', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }] },
    'image in an assistant message',
  ],
  [
    'an image in a tool result',
    { ...hello, messages: [user({ type: 'tool_result', toolUseId: 'a', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] })] },
    'image in a tool result',
  ],
  [
    'a binary resource',
    { ...hello, messages: [user({ type: 'tool_result', toolUseId: 'a', content: [{ type: 'resource', resource: { uri: 'a', blob: 'AAAA' } }] })] },
    'a binary resource',
  ],
])('%s is refused by name, before anything is sent', async (_, request, what) => {
  const { message, data } = await failure(request, () => {
    throw new Error('never reached')
  })

  expect(message).toContain(what)
  expect(data).toEqual({ spent: 'nothing' })
})

test('an answer with an image is refused, not cut', async () => {
  expect((await failure(hello, says({ content: [{ type: 'image_url' }] }))).message).toContain('more than text')
  expect((await failure(hello, says({ content: 'see', images: [{}] }))).message).toContain('more than text')
})

test.each<[number, string]>([
  [401, 'check "apiKey"'],
  [404, 'check "model" and "baseUrl"'],
  [429, 'no capacity left'],
  [400, 'did not accept the request'],
  [418, 'did not accept the request'],
  [503, 'failed on its side'],
])('HTTP %i says what to do, and carries neither key nor prompt', async (status, advice) => {
  const secret = 'sk-abc'
  const { message, cause, data } = await failure(
    { ...hello, messages: [user(text('my diary'))] },
    json({ error: { message: `bad key ${secret} and eyJhbGciOiJIUzI1NiJ9.e30` } }, status),
    { apiKey: secret },
  )

  expect(message).toMatch(/^openai-compatible:tiny /)
  expect(message).toContain(advice)
  expect(message).toContain(`(HTTP ${status})`)
  expect({ cause, data }).toMatchObject({ cause: 'bad key … and …', data: { spent: 'nothing' } })
})

test.each<[string, Reply]>([
  ['is not JSON', (response) => void response.end('<html>')],
  ['has no choices', json({ choices: [] })],
  ['is of another form', json({ text: 'hi' })],
  ['breaks off', (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"choices"', () => response.destroy())],
])('an answer that %s is a failure that stays booked', async (_, reply) => {
  expect((await failure(hello, reply)).data).toBeUndefined()
})

test('a redirect is not followed: the prompt goes where the user said', async () => {
  const elsewhere = await listen(says({ content: 'a' }))

  const { message } = await failure(hello, (response) => void response.writeHead(307, { location: `${elsewhere.baseUrl}/chat/completions` }).end())

  expect({ message: message.replace(/:\d+: /, ': '), heard: elsewhere.heard }).toEqual({
    message: 'openai-compatible:tiny could not be reached at 127.0.0.1: is it running, and is "baseUrl" right?',
    heard: [],
  })
})

test('a server that is not there has cost nothing', async () => {
  const { baseUrl } = await listen(says({ content: 'a' }))
  await new Promise((resolve) => servers.pop()!.close(resolve))
  const models = createModels({ entries: [{ provider: 'home', model: 'tiny', baseUrl }] })

  const error: unknown = await models.complete('home:tiny', hello, new AbortController().signal).catch((thrown: unknown) => thrown)

  expect(error).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining('could not be reached') as string, data: { spent: 'nothing' } })
})

test('a server that stays silent is given up after its time', async () => {
  expect((await failure(hello, () => {}, { timeoutMs: 50 })).message).toBe('openai-compatible:tiny did not answer within 0.05 seconds')
})

test('an endless answer is cut off', async () => {
  const { message } = await failure(hello, (response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const more = (): void => void response.write(chunk, (fault) => (fault ? undefined : more()))
    more()
  })

  expect(message).toContain('openai-compatible:tiny')
})

test('an aborted signal stops the request at once', async () => {
  const asker = new AbortController()
  let closed = (): void => {}
  const whenClosed = new Promise<void>((resolve) => (closed = resolve))
  const reply: Reply = (response) => {
    response.on('close', closed)
    asker.abort(new Error('cancelled'))
  }

  await expect(complete(hello, reply, { signal: asker.signal })).rejects.toThrow('cancelled')
  await whenClosed
})
