import { describe, expect, test } from 'vitest'
import { Policy } from '../../src/policy/index.ts'
import type { JsonObject, SamplingRequest } from '../../src/protocol/index.ts'
import { createModels, createScriptedProvider, type Models } from '../../src/sampling/index.ts'
import { formQuestion, modelQuestion, urlQuestion, type Script, type ScriptedQuestion } from '../../src/testing/index.ts'
import { answersOf, eras, faultOf, receivedOf, withAnswers, withPerson } from '../fixtures/setting.ts'

function recordingModel(): { readonly models: Models; readonly asked: SamplingRequest[] } {
  const asked: SamplingRequest[] = []
  const provider = createScriptedProvider((request) => {
    asked.push(request)
    return { content: [{ type: 'text', text: `answer ${asked.length}` }], model: 'sage', stopReason: 'endTurn' }
  })
  return { asked, models: createModels({ entries: [{ provider: 'lab', model: 'sage' }], providers: new Map([['lab', provider]]) }) }
}

const allowing = (limits?: { readonly requestsPerMinute: number }): Policy =>
  new Policy({ rules: [{ request: 'sampling', decision: 'allow', ...(limits && { limits }) }] })

/** What a legacy server is told of a question that must not be asked, or why a modern call ended. */
async function refusalOf(era: (typeof eras)[number], question: ScriptedQuestion): Promise<readonly [unknown, number]> {
  const setting = await withPerson({ era, server: { tools: { ask: [question] } }, decide: [] })
  const { data } = await faultOf(setting.call('ask'))
  const refusal = era === 'legacy' ? setting.server.answers.map(({ answer }) => answer)[0] : data
  return [(refusal as { error?: { code: number } }).error?.code, setting.person.reviews.length]
}

describe('elicitation', () => {
  test('R33: an elicitation without a mode is a form', async () => {
    const { params: { mode: _, ...params } = {}, method } = formQuestion('Who?', { name: { type: 'string' } })
    const setting = await withPerson({
      era: 'legacy',
      server: { tools: { ask: [{ method, params }] } },
      decide: [{ action: 'accept', content: { name: 'Ada' } }],
    })
    await setting.call('ask')

    expect([setting.person.reviews.map(({ kind }) => kind), answersOf(setting)]).toEqual([['form'], [{ action: 'accept', content: { name: 'Ada' } }]])
  })

  test.each(eras)('R32: without a message, or without a schema, it is refused unseen (%s era)', async (era) => {
    const requestedSchema = { type: 'object', properties: {} }

    expect(await refusalOf(era, { method: 'elicitation/create', params: { requestedSchema } })).toEqual([-32602, 0])
    expect(await refusalOf(era, { method: 'elicitation/create', params: { message: 'Who?' } })).toEqual([-32602, 0])
  })

  test('R48: a visit has an id of its own in the legacy era, and none in the modern one', async () => {
    const visit = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://a.example/' } } as const
    const modern = await withPerson({ era: 'modern', server: { tools: { ask: [visit] } }, decide: [{ action: 'accept' }] })
    await modern.call('ask')

    expect(await refusalOf('legacy', visit)).toEqual([-32602, 0])
    expect(answersOf(modern)).toEqual([{ action: 'accept' }])
  })

  test('R53: ids that are unknown, or complete already, change nothing and are no error', async () => {
    const setting = await withPerson({
      era: 'legacy',
      server: { tools: { ask: [urlQuestion('Go', 'https://a.example/', 'e-1')], echo: () => 'hello' } },
      decide: [{ action: 'accept' }],
    })
    await setting.call('ask')
    for (const elicitationId of ['unknown', 'e-1', 'e-1', '', '__proto__']) setting.server.notify('notifications/elicitation/complete', { elicitationId })

    expect(await setting.call('echo')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    expect(setting.ends).toHaveLength(1)
  })

  test('R58: in the modern era the error -32042 is an error like any other: nobody is sent anywhere', async () => {
    const elicitations = [{ mode: 'url', elicitationId: 'e-1', url: 'https://a.example/', message: 'Go' }]
    const fly: Script = () => ({ error: { code: -32042, message: 'visit', data: { elicitations } } })
    const setting = await withPerson({ era: 'modern', server: { tools: { fly } }, decide: () => ({ action: 'accept', content: {} }) })

    expect(await faultOf(setting.call('fly'))).toMatchObject({ code: 'SERVER_ERROR', data: { code: -32042, data: { elicitations } } })
    expect(setting.person.reviews).toEqual([])
  })

  test('R63: what stands in an address, or is typed into a form, is in no log', async () => {
    const secrets = ['hunter2-in-the-url', 'typed-into-the-form']
    const setting = await withPerson({
      era: 'legacy',
      server: { tools: { ask: [urlQuestion('Go', `https://a.example/cb?token=${secrets[0]}`), formQuestion('Who?', { name: { type: 'string' } })] } },
      decide: ({ kind }) => (kind === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: secrets[1] } }),
    })
    await setting.call('ask')

    for (const secret of secrets) expect(JSON.stringify(setting.audit.entries)).not.toContain(secret)
    expect(setting.audit.entries.find(({ event, mode }) => event === 'answered' && mode === 'url')).toMatchObject({ facts: { host: 'a.example' } })
  })

  test.each(eras)('R68: a hundred questions at once are a hundred reviews at most, and past the limit cancel (%s era)', async (era) => {
    const flood: Script = async ({ askAll }) => {
      const questions = Array.from({ length: 100 }, (_, number): [string, ScriptedQuestion] => [`q${number}`, formQuestion(`Number ${number}`, {})])
      return JSON.stringify(Object.values(await askAll(Object.fromEntries(questions))))
    }
    const setting = await withPerson({ era, inbox: { maximumWaiting: 5 }, server: { tools: { flood } }, decide: () => undefined })
    const ends = new Promise<void>((resolve) => setting.host.on('input-answered', () => setting.ends.length === 80 && resolve()))
    const result = setting.call('flood')
    await ends
    const waiting = setting.inbox.size
    setting.person.leave()
    await result

    expect(waiting).toBeLessThanOrEqual(5)
    expect(new Set(setting.ends.map(({ response }) => (response.outcome === 'answered' ? response.unanswered : response.outcome)))).toEqual(
      new Set(['too-many-waiting', 'no-one-to-ask']),
    )
  })
})

describe('sampling', () => {
  test.each(eras)('R93: a model is asked what this request says, and nothing of the requests before (%s era)', async (era) => {
    const { models, asked } = recordingModel()
    const setting = await withPerson({
      era,
      models,
      policy: allowing(),
      server: { tools: { ask: [modelQuestion('My secret is 42', { systemPrompt: 'one' }), modelQuestion('What is it?')] } },
      decide: [],
    })
    await setting.call('ask')

    expect(asked.map(({ messages, systemPrompt }) => [messages.map(({ content }) => content), systemPrompt])).toEqual([
      [[[{ type: 'text', text: 'My secret is 42' }]], 'one'],
      [[[{ type: 'text', text: 'What is it?' }]], undefined],
    ])
  })

  test.each(eras)('R94: a model is never asked for more tokens than the server allows (%s era)', async (era) => {
    const { models, asked } = recordingModel()
    const limits = [1, 50, 1_000_000_000]
    const setting = await withPerson({
      era,
      models,
      policy: allowing(),
      server: { tools: { ask: limits.map((maxTokens) => modelQuestion('Well?', { maxTokens })) } },
      decide: [],
    })
    await setting.call('ask')

    expect(asked.map(({ maxTokens }, index) => maxTokens > 0 && maxTokens <= limits[index]!)).toEqual([true, true, true])
  })

  const use = (...ids: readonly string[]): JsonObject => ({ role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })) })
  const results = (...ids: readonly string[]): JsonObject => ({
    role: 'user',
    content: ids.map((toolUseId) => ({ type: 'tool_result', toolUseId, content: [] })),
  })
  const text = { type: 'text', text: 'and?' }
  const user = { role: 'user', content: text }

  test.each<[string, readonly JsonObject[]]>([
    ['an unanswered use in the middle', [user, use('a', 'b'), results('a'), user]],
    ['an unanswered use at the end', [user, use('a')]],
    ['a result for nothing', [user, results('z')]],
    ['a result twice', [user, use('a'), results('a', 'a')]],
    ['text beside a result', [user, use('a'), { role: 'user', content: [text, { type: 'tool_result', toolUseId: 'a', content: [] }] }]],
  ])('R100: %s is -32602, before anybody sees it', async (_, messages) => {
    const question = modelQuestion('', { messages: messages as unknown as JsonObject[string], tools: [{ name: 'look', inputSchema: { type: 'object' } }] })

    expect(await refusalOf('legacy', question)).toEqual([-32602, 0])
    expect(await refusalOf('modern', question)).toEqual([-32602, 0])
  })

  test('R99: a refusal of the user is exactly -1 in the legacy era, and no message at all in the modern one', async () => {
    const server = { tools: { ask: [modelQuestion('Well?')] } }
    const legacy = await withAnswers({ era: 'legacy', server, answers: [{ when: { request: 'sampling' }, then: { action: 'deny' } }] })
    const modern = await withAnswers({ era: 'modern', server, answers: [{ when: { request: 'sampling' }, then: { action: 'deny' } }] })
    await legacy.call('ask')
    await faultOf(modern.call('ask'))

    expect(answersOf(legacy)).toEqual([-1])
    expect([receivedOf(modern, 'tools/call').length, modern.server.received.filter(({ method }) => method === undefined)]).toEqual([1, []])
  })

  test.each(eras)('R106: a tool loop that never ends is ended: by the user’s limit, and by the number of rounds (%s era)', async (era) => {
    const { models, asked } = recordingModel()
    const loop: Script = async ({ ask, signal }) => {
      for (let round = 0; round < 1000 && !signal.aborted; round += 1) if ('error' in (await ask(modelQuestion('Again?')))) break
      return 'gave up'
    }
    const limited = await withPerson({ era, models, policy: allowing({ requestsPerMinute: 5 }), server: { tools: { loop } }, decide: [] })
    const { code } = await faultOf(limited.call('loop'))
    const timesLimited = asked.length
    const free = era === 'modern' ? await withPerson({ era, models, policy: allowing(), server: { tools: { loop } }, decide: [] }) : undefined
    const unbounded = free && (await faultOf(free.call('loop')))

    expect([timesLimited, code]).toEqual([5, era === 'legacy' ? 'resolved' : 'INPUT_REFUSED'])
    expect([unbounded?.code, asked.length]).toEqual(era === 'legacy' ? [undefined, 5] : ['TOO_MANY_ROUNDS', 15])
  })
})

test.each(eras)('R88: a request for context is answered without any: nothing of other servers reaches the model (%s era)', async (era) => {
  const { models, asked } = recordingModel()
  const setting = await withPerson({
    era,
    models,
    policy: allowing(),
    server: { tools: { ask: [modelQuestion('Well?', { includeContext: 'allServers' })] } },
    decide: [],
  })
  await setting.call('ask')

  expect(asked).toEqual([expect.objectContaining({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Well?' }] }] })])
  expect(JSON.stringify(asked)).not.toContain('allServers')
})
