import { describe, expect, test } from 'vitest'
import { startModelServer, status, stream, type ModelServer, type Reply } from '../../test/fixtures/model-server.ts'
import { wires, type WireName } from '../../test/fixtures/model-wire.ts'
import { ConsentryError } from '../errors.ts'
import type { ModelEntry } from '../policy/index.ts'
import type { Completion, SamplingMessage, SamplingRequest } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import type { PartialAnswer, ProviderAnswer } from './model-provider.ts'

const forms = Object.keys(wires) as readonly WireName[]
const version: Readonly<Record<WireName, string>> = { anthropic: '/v1', openai: '/v1', google: '/v1beta', 'openai-compatible': '/v1' }
const KEY = 'sk-secret-0123456789abcdef'

const user = (...content: SamplingMessage['content']): SamplingMessage => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words }) as const
const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const
const hello: SamplingRequest = { messages: [user(text('hi'))], maxTokens: 50 }
const tool = { name: 'get_weather', description: 'Weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } } as const

interface Asking {
  readonly signal?: AbortSignal
  readonly onPart?: (soFar: PartialAnswer) => void
  readonly timeoutMs?: number
  readonly entry?: Partial<ModelEntry>
}

function ask(form: WireName, { origin }: ModelServer, request: SamplingRequest, { signal, onPart, timeoutMs, entry }: Asking = {}): Promise<ProviderAnswer> {
  const models = createModels({
    entries: [{ provider: 'lab', model: 'tiny', api: form, baseUrl: origin + version[form], apiKey: KEY, ...entry }],
    timeoutMs,
    pauseMs: 1,
  })
  return models.complete('lab:tiny', request, signal ?? new AbortController().signal, onPart)
}

async function failure(asked: Promise<unknown>): Promise<ConsentryError> {
  const error: unknown = await asked.then(
    (answer) => answer,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ConsentryError)) throw new Error('expected a failure', { cause: error })
  return error
}

describe.each(forms)('a provider that speaks the form of %s', (form) => {
  const { ends } = wires[form]

  test('answers in one go and bit by bit alike, and what has come grows', async () => {
    const server = await startModelServer(form, { text: ['Take ', 'the ', '10:05.'] })
    const parts: string[] = []

    const whole = await ask(form, server, hello)
    const streamed = await ask(form, server, hello, {
      onPart: ({ completion: { content } }) => parts.push(content.map((block) => (block.type === 'text' ? block.text : '')).join('')),
    })

    const expected: Completion = { content: [text('Take the 10:05.')], model: 'tiny-2026', stopReason: 'endTurn', usage: { input: 12, output: 3 } }
    // The form of Google does not say which model answered in one go.
    expect([
      { ...whole, model: 'tiny-2026' },
      { ...streamed, model: 'tiny-2026' },
    ]).toEqual([expected, expected])
    expect(parts).toEqual(['', 'Take ', 'Take the ', 'Take the 10:05.'])
  })

  test('is given the system prompt, the limit, temperature 0, stop sequences and tools, each in its place', async () => {
    const server = await startModelServer(form, { text: ['a'] })

    await ask(form, server, { ...hello, systemPrompt: 'Be brief', temperature: 0, stopSequences: ['END', ''], tools: [tool], toolChoice: 'auto' })

    expect(wires[form].read(server.heard[0]!.body)).toEqual({
      system: 'Be brief',
      maxTokens: 50,
      temperature: 0,
      stops: ['END'],
      tools: ['get_weather'],
      toolChoice: form === 'google' ? 'AUTO' : 'auto',
    })
  })

  test('required means one of the tools, and none means none', async () => {
    const server = await startModelServer(form, { tools: [{ id: 'c1', name: 'get_weather', input: {} }] })

    await ask(form, server, { ...hello, tools: [tool], toolChoice: 'required' })
    await ask(form, server, { ...hello, tools: [tool], toolChoice: 'none' })

    const [must, mustNot] = server.heard.map(({ body }) => wires[form].read(body).toolChoice)
    expect(must).toBe({ anthropic: 'any', openai: 'required', google: 'ANY', 'openai-compatible': 'required' }[form])
    expect(mustNot).toBe({ anthropic: 'none', openai: 'none', google: 'NONE', 'openai-compatible': 'none' }[form])
  })

  test('runs a tool loop of several rounds: calls come back as they are, and results go in as they came', async () => {
    const server = await startModelServer(
      form,
      {
        text: ['Looking.'],
        tools: [
          { id: 'c1', name: 'get_weather', input: { city: 'Paris' } },
          { id: 'c2', name: 'get_weather', input: { city: 'Rome' } },
        ],
      },
      { tools: [{ id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }] },
      { text: ['Rome is warmest.'] },
    )
    let messages = hello.messages
    const answers: ProviderAnswer[] = []
    for (let round = 0; round < 3; round += 1) {
      const answer = await ask(form, server, { ...hello, messages, tools: [tool] }, round === 0 ? { onPart: () => undefined } : {})
      answers.push(answer)
      const calls = answer.content.filter((block) => block.type === 'tool_use')
      const results = calls.map(({ id, input }) => ({ type: 'tool_result', toolUseId: id, content: [text(`${JSON.stringify(input).length} °C`)] }) as const)
      if (results.length > 0) messages = [...messages, { role: 'assistant', content: answer.content }, { role: 'user', content: results }]
    }

    expect(answers).toMatchObject([
      { stopReason: 'toolUse', content: [text('Looking.'), { name: 'get_weather', input: { city: 'Paris' } }, { input: { city: 'Rome' } }] },
      { stopReason: 'toolUse', content: [{ name: 'get_weather', input: { city: 'Oslo' } }] },
      { stopReason: 'endTurn', content: [text('Rome is warmest.')] },
    ])
    // One server of models numbers its calls anew in each answer.
    const ids = answers.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))
    expect(new Set(ids).size).toBe(3)
    const sent = JSON.stringify(server.heard[2]!.body)
    const places = ['Looking.', 'Paris', 'Rome', '16 °C', '15 °C', 'Oslo', '15 °C'].reduce<number[]>(
      (found, words) => [...found, sent.indexOf(words, (found.at(-1) ?? -1) + 1)],
      [],
    )
    expect(places.every((place, index) => place > (places[index - 1] ?? -1))).toBe(true)
  })

  test('keeps its reasons to stop apart', async () => {
    const odd = form === 'anthropic' ? 'refusal' : form === 'google' ? 'SAFETY' : 'content_filter'
    const reasons = []
    for (const finish of [ends.plain, ends.limit, odd]) {
      const server = await startModelServer(form, { text: ['a'], finish })
      reasons.push([(await ask(form, server, hello)).stopReason, (await ask(form, server, hello, { onPart: () => undefined })).stopReason])
    }

    expect(reasons).toEqual([
      ['endTurn', 'endTurn'],
      ['maxTokens', 'maxTokens'],
      [odd, odd],
    ])
  })

  test('sees an image, and is never asked about what it cannot be given', async () => {
    const server = await startModelServer(form, { text: ['a cat'] })

    await ask(form, server, { ...hello, messages: [user(text('what is it?'), image)] })
    const refused = await failure(ask(form, server, { ...hello, messages: [{ role: 'assistant', content: [image] }, user(text('?'))] }))

    expect(JSON.stringify(server.heard[0]!.body)).toContain(image.data)
    expect([refused.message, refused.data, server.heard.length]).toEqual(['lab:tiny cannot be given image in an assistant message', { spent: 'nothing' }, 1])
  })

  test('is sent large media whole, in their order, among text of every script', async () => {
    const server = await startModelServer(form, { text: ['seen'] })
    const [one, two] = ['AAAA', 'BBBB'].map((piece) => ({ ...image, data: piece.repeat(30_000) }))
    const content = [text('一 "1"'), one!, text('🙂 \\ 2'), two!]

    await ask(form, server, { ...hello, messages: [user(...content)] })

    const sent = JSON.stringify(server.heard[0]!.body)
    const places = content.map((block) => sent.indexOf(block.type === 'text' ? JSON.stringify(block.text).slice(1, -1) : block.data))
    expect(places.map((place, index) => place > (places[index - 1] ?? 0))).toEqual([true, true, true, true])
    expect(sent).not.toContain('held-')
  })

  test.each([429, 500, 503])('tries again after a status %d, when and as long as there is time', async (code) => {
    const server = await startModelServer(form, status(code, { 'retry-after': '0' }), status(code), { text: ['at last'] })
    const tired = await startModelServer(form, status(code))
    const late = await startModelServer(form, status(code, { 'retry-after': '3600' }))

    expect(await ask(form, server, hello)).toMatchObject({ content: [text('at last')] })
    const given = [await failure(ask(form, tired, hello, { onPart: () => undefined })), await failure(ask(form, late, hello))]

    expect([server, tired, late].map(({ heard }) => heard.length)).toEqual([3, 4, 1])
    expect(given.map((error) => error.data)).toMatchObject([{ spent: 'nothing' }, { spent: 'nothing' }])
  })

  test('does not try again what waiting cannot mend', async () => {
    const server = await startModelServer(form, status(401))

    const refused = await failure(ask(form, server, hello))

    expect([refused.code, refused.message, server.heard.length]).toEqual([
      'MODEL_FAILED',
      'lab:tiny did not accept the key: check "apiKey" of this model in the config (HTTP 401)',
      1,
    ])
  })

  test('never tells its key, whatever the provider says', async () => {
    const server = await startModelServer(
      form,
      status(400, {}, JSON.stringify({ error: { message: `bad key ${KEY}`, type: KEY } })),
      status(200, {}, `{"oops": "${KEY}"}`),
    )

    const errors = [
      await failure(ask(form, server, hello)),
      await failure(ask(form, server, hello)),
      await failure(ask(form, server, hello, { onPart: () => undefined })),
    ]

    const told = errors.flatMap((error) => [error.message, JSON.stringify(error.data ?? {}), String(error.cause), error.stack])
    expect(told.filter((words) => words?.includes(KEY))).toEqual([])
    expect(JSON.stringify(server.heard[0]!.headers)).toContain(KEY)
  })

  test('is let go at once when the request is taken back, in the middle of its answer', async () => {
    const stop = new AbortController()
    const server = await startModelServer(
      form,
      stream({ text: ['one', 'two'] }, ({ go }) => {
        for (let count = 0; count < 3; count += 1) go()
      }),
    )

    const asked = ask(form, server, hello, {
      signal: stop.signal,
      onPart: ({ completion }) => completion.content.length > 0 && stop.abort(new Error('taken back')),
    })

    await expect(asked).rejects.toThrow()
    await server.heard[0]!.left
  })

  test.each<[string, Reply]>([
    ['a connection that is torn', stream({ text: ['one', 'two', 'three', 'four'] }, ({ go, cut }) => (go(), go(), go(), setTimeout(cut, 20)))],
    ['a stream that ends before its end', stream({ text: ['one', 'two', 'three', 'four'] }, ({ go, end }) => (go(), go(), go(), end()))],
    ['an event that is no JSON', (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"oops\n\n')],
    ['a page in place of events', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['nothing at all', (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end()],
  ])('fails, and does not pass as whole: %s', async (_, reply) => {
    const server = await startModelServer(form, reply)

    const error = await failure(ask(form, server, hello, { onPart: () => undefined }))

    expect([error.code, error.data?.['spent'], server.heard.length]).toEqual(['MODEL_FAILED', undefined, 1])
  })

  test('is not waited for without end, before its answer and in the middle of it', async () => {
    const silent = await startModelServer(form, () => undefined)
    const slow = await startModelServer(
      form,
      stream({ text: ['one', 'two'] }, ({ go }) => (go(), go())),
    )

    const errors = [
      await failure(ask(form, silent, hello, { timeoutMs: 500 })),
      await failure(ask(form, slow, hello, { timeoutMs: 500, onPart: () => undefined })),
    ]

    expect(errors.map(({ message }) => message)).toEqual(['lab:tiny did not answer within 0.5 seconds', 'lab:tiny did not answer within 0.5 seconds'])
    await Promise.all([silent.heard[0]?.left, slow.heard[0]?.left])
  })

  test('is let go when it goes on far over its limit, and its answer ends there', async () => {
    const server = await startModelServer(
      form,
      stream({ text: Array.from({ length: 1000 }, () => 'another word '.repeat(10)) }, ({ go }) => {
        for (let count = 0; count < 500; count += 1) go()
      }),
    )

    const { content, stopReason, usage } = await ask(form, server, hello, { onPart: () => undefined })

    const [answer] = content
    expect([stopReason, usage?.input, content.length]).toEqual(['maxTokens', undefined, 1])
    expect(usage?.output).toBeGreaterThan(50)
    expect(answer?.type === 'text' && answer.text.length).toBeLessThan(4000)
    await server.heard[0]!.left
  })
})

test('no answer is read without end', async () => {
  const flood = 'x'.repeat(1024 * 1024)
  const server = await startModelServer(
    'openai-compatible',
    stream({ text: Array.from({ length: 40 }, () => flood) }, ({ go, end }) => {
      while (go());
      end()
    }),
  )

  expect((await failure(ask('openai-compatible', server, { ...hello, maxTokens: 1e9 }, { onPart: () => undefined }))).code).toBe('MODEL_FAILED')
})

test('what a provider does not take is said: in the review before, and by the provider after', async () => {
  const models = createModels({
    entries: forms.map((api) => ({
      provider: api,
      model: api === 'openai' ? 'o3' : 'tiny',
      api,
      baseUrl: 'http://127.0.0.1:1',
      metadata: ['user_id', 'trace'],
    })),
  })
  const request: SamplingRequest = {
    ...hello,
    temperature: 1.5,
    stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'],
    metadata: { user_id: 'u1', trace: 7, secret: 'x' },
    tools: [tool],
  }
  const said = models.list().map(({ provider, model }) => models.leavesOut(`${provider}:${model}`, request).map(({ sentence }) => sentence))

  expect(said).toEqual([
    ['temperature 1.5 (sent as 1)', 'metadata'],
    ['temperature', '6 of 6 stop sequences', 'metadata'],
    ['1 of 6 stop sequences', 'metadata', 'what its dialect of tool schemas does not know'],
    ['metadata'],
  ])
})

test('metadata passes under the keys that the user named, and under no others', async () => {
  const metadata = { user_id: 'u1', trace: 't1', secret: 'x', nested: { a: 1 } }
  const bodies = []
  for (const form of forms) {
    const server = await startModelServer(form, { text: ['a'] })
    await ask(form, server, { ...hello, metadata }, { entry: { metadata: ['user_id', 'trace', 'nested'] } })
    bodies.push(server.heard[0]!.body['metadata'])
  }

  expect(bodies).toEqual([{ user_id: 'u1' }, { user_id: 'u1', trace: 't1' }, undefined, { user_id: 'u1', trace: 't1' }])
})

test('a result of a tool with an image goes to models that can see it, and is refused by name by the others', async () => {
  const messages: SamplingMessage[] = [
    user(text('look')),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: {} }] },
    user({ type: 'tool_result', toolUseId: 'c1', content: [text('here'), image], isError: true }),
  ]
  const seen = []
  for (const form of forms) {
    const server = await startModelServer(form, { text: ['a'] })
    const answer: unknown = await ask(form, server, { ...hello, messages, tools: [tool] }).catch((error: unknown) => error)
    const sent = JSON.stringify(server.heard[0]?.body ?? '')
    seen.push(answer instanceof ConsentryError ? answer.message : [sent.includes(image.data), sent.includes('isError')])
  }

  expect(seen).toEqual([[true, true], 'lab:tiny cannot be given image in a tool result', [true, true], 'lab:tiny cannot be given image in a tool result'])
})

test('a package that is not installed, and a key that is not there, are named, and nothing is sent', async () => {
  const { signal } = new AbortController()
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const without = createModels({ entries: [{ provider: 'anthropic', model: 'claude-sonnet-5' }], load: () => Promise.reject(missing) })
  const keyless = createModels({ entries: [{ provider: 'google', model: 'gemini-3.1-pro' }], environment: { GOOGLE_GENERATIVE_AI_API_KEY: '' } })

  const errors = [
    await failure(without.complete('anthropic:claude-sonnet-5', hello, signal)),
    await failure(keyless.complete('google:gemini-3.1-pro', hello, signal)),
  ]

  expect(errors.map(({ message, data }) => [message, data])).toEqual([
    [
      'anthropic:claude-sonnet-5 needs the package @ai-sdk/anthropic: run "npm install @ai-sdk/anthropic", or give the model "api": "openai-compatible" in the config',
      { spent: 'nothing' },
    ],
    [
      'google:gemini-3.1-pro has no key: give it an "apiKey" in the config, or set the variable of its provider',
      { spent: 'nothing', why: 'model-key-missing' },
    ],
  ])
})

test('keys come from the environment where the config names none, but only to the provider itself', async () => {
  const server = await startModelServer('openai-compatible', { text: ['a'] })
  const baseUrl = `${server.origin}/v1`
  const environment = { OPENAI_API_KEY: 'from-environment' }
  const models = createModels({
    entries: [
      { provider: 'openai', model: 'elsewhere', baseUrl },
      { provider: 'lab', model: 'kept', baseUrl, apiKey: { kind: 'keyring', name: 'lab' } },
    ],
    environment,
    readKey: ({ kind }) => Promise.resolve(`from-${kind}`),
  })

  for (const name of ['openai:elsewhere', 'lab:kept']) await models.complete(name, hello, new AbortController().signal)

  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer from-keyring'])
})
