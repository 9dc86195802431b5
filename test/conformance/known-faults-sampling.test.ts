import { describe, expect, test } from 'vitest'
import type { Decision, JsonObject, Review, SamplingRequest } from '../../src/protocol/index.ts'
import { createModels, createScriptedProvider } from '../../src/sampling/index.ts'
import { modelQuestion } from '../../src/testing/index.ts'
import { startModelServer } from '../fixtures/model-server.ts'
import { wires, type Says, type WireName } from '../fixtures/model-wire.ts'
import { answersOf, eras, faultOf, receivedOf, withPerson, type SettingWithPerson } from '../fixtures/setting.ts'

/*
 * Faults of hosts that ask models for servers, each as a kind. Consent, media that no model takes, refusals and budgets (B23, B64, B65, B67) stand in
 * `test/scenarios/sampling-faults.test.ts`, B22 through a gateway in `known-faults-gateway.test.ts`.
 */

const text = (words: string) => ({ type: 'text', text: words }) as const
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const uses = (...ids: readonly string[]): JsonObject => ({ role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })) })
const result = (toolUseId: string): JsonObject => ({ type: 'tool_result', toolUseId, content: [] })
const yes = ({ kind }: Review): Decision | undefined => (kind === 'prompt' || kind === 'completion' ? { action: 'approve' } : undefined)
const version: Readonly<Record<WireName, string>> = { anthropic: '/v1', openai: '/v1', google: '/v1beta', 'openai-compatible': '/v1' }

/** What the server was promised, when it was greeted or with its last call. */
function promised(setting: SettingWithPerson): unknown {
  const { params } = receivedOf(setting, 'initialize')[0] ?? receivedOf(setting, 'tools/call').at(-1)!
  const { capabilities, _meta } = params as { readonly capabilities?: JsonObject; readonly _meta?: JsonObject }
  return Object.keys((capabilities ?? _meta?.['io.modelcontextprotocol/clientCapabilities'] ?? {}) as JsonObject)
}

describe.each(eras)('in the %s era', (era) => {
  const ask = async (params: JsonObject, says?: Says): Promise<SettingWithPerson & { readonly asked: readonly SamplingRequest[] }> => {
    const asked: SamplingRequest[] = []
    const provider = createScriptedProvider((request) => {
      asked.push(request)
      const calls = (says?.tools ?? []).map((tool) => ({ type: 'tool_use', ...tool, input: {} }) as const)
      return { content: [...(says?.text ?? []).map(text), ...calls], model: 'sage', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' }
    })
    const entries = [{ provider: 'lab', model: 'sage', tools: true, modalities: ['text', 'image'] as const }]
    const models = createModels({ entries, providers: new Map([['lab', provider]]) })
    const setting = await withPerson({ era, models, decide: yes, server: { tools: { ask: [modelQuestion('?', params)] } } })
    await setting.call('ask').catch(() => undefined)
    return { ...setting, asked }
  }

  test('B22: a host in which nobody can answer for a model promises none, and says so to whoever asks all the same', async () => {
    const server = { tools: { ask: [modelQuestion('Which?')] } }
    const nobody = await withPerson({ era, server, kinds: [], decide: [] })
    const { code } = await faultOf(nobody.call('ask'))
    const somebody = await withPerson({ era, server, decide: [{ action: 'write', completion: { content: [text('This.')], model: 'person' } }] })
    await somebody.call('ask')

    expect([promised(nobody), promised(somebody)]).toEqual([['roots'], ['roots', 'elicitation', 'sampling']])
    if (era === 'legacy') expect([answersOf(nobody), nobody.person.reviews]).toEqual([[-32601], []])
    else expect(code).toBe('INPUT_REFUSED')
    expect(answersOf(somebody)).toMatchObject([{ role: 'assistant', content: text('This.') }])
  })

  test('B58: one block or a list is read alike; one block stands alone where no tools were offered, several in a list', async () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
    const messages = [user(text('a'), image), { role: 'assistant', content: text('b') }, { role: 'user', content: text('c') }]
    const one = await ask({ messages }, { text: ['d'] })
    const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
    const calls = { tools: ['c1', 'c2'].map((id) => ({ id, name: 'look', input: {} })) }
    const two = await ask({ messages, tools }, calls)
    const unknown = []
    for (const content of [{ type: 'video' }, {}, 7, []] as const) {
      const { asked, person, ends } = await ask({ messages: [{ role: 'user', content: content as unknown as JsonObject }] })
      unknown.push([asked.length, person.reviews.length, ends.map(({ response }) => response.outcome === 'refused' && response.error.code)])
    }

    expect(one.asked[0]?.messages.map(({ content }) => content.length)).toEqual([2, 1, 1])
    expect([answersOf(one), answersOf(two)]).toMatchObject([[{ content: text('d') }], [{ content: [{ id: 'c1' }, { id: 'c2' }] }]])
    expect(unknown).toEqual(Array.from({ length: 4 }, () => [0, 0, ['SAMPLING_INVALID']]))
  })

  test.each<[string, readonly JsonObject[]]>([
    ['a result among other things', [user(text('?')), uses('c1'), user(text('here'), result('c1'))]],
    ['a use that has no result', [user(text('?')), uses('c1', 'c2'), user(result('c1'))]],
    ['a result of what was never used', [user(text('?')), uses('c1'), user(result('c1'), result('c9'))]],
    ['two results of one use', [user(text('?')), uses('c1'), user(result('c1'), result('c1'))]],
    ['two uses of one id', [user(text('?')), uses('c1', 'c1'), user(result('c1'))]],
    ['a use at the end', [user(text('?')), uses('c1')]],
  ])('B59: %s is answered as invalid, and reaches neither a person nor a model', async (_, messages) => {
    const setting = await ask({ messages, tools: [{ name: 'look', inputSchema: { type: 'object' } }] }, { text: ['x'] })

    expect([setting.asked.length, setting.person.reviews.length]).toEqual([0, 0])
    expect(setting.ends.map(({ response }) => response.outcome === 'refused' && [response.error.code, response.error.message])).toEqual([
      ['SAMPLING_INVALID', expect.stringMatching(/messages\[\d\]/)],
    ])
    if (era === 'legacy') expect(answersOf(setting)).toEqual([-32602])
  })

  test.each([undefined, -5, '100', null])('B62: maxTokens %j is answered as invalid, unseen', async (maxTokens) => {
    const setting = await ask({ messages: [user(text('?'))], maxTokens })

    expect([setting.asked.length, setting.person.reviews.length, setting.ends.length]).toEqual([0, 0, 1])
    if (era === 'legacy') expect(answersOf(setting)).toEqual([-32602])
  })

  test('B62: maxTokens 0, which older servers send where they set nothing, means our own limit, and a person sees it; a huge one is cut, and it is said', async () => {
    const none = await ask({ messages: [user(text('?'))], maxTokens: 0 }, { text: ['a'] })
    const huge = await ask({ messages: [user(text('?'))], maxTokens: 1e9 }, { text: ['a'] })
    const shown = [none, huge].map(({ person }) => (person.reviews[0]!.subject as { request: SamplingRequest }).request.maxTokens)

    expect(shown).toEqual([none, huge].map(({ asked }) => asked[0]?.maxTokens))
    expect([shown[0]! > 0, shown[1]! < 1e9, JSON.stringify(huge.person.reviews[0]?.subject).includes('cut')]).toEqual([true, true, true])
  })
})

const ends: Readonly<Record<WireName, readonly (readonly [said: string, told: string])[]>> = {
  anthropic: [
    ['end_turn', 'endTurn'],
    ['stop_sequence', 'stopSequence'],
    ['max_tokens', 'maxTokens'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
  ],
  openai: [
    ['stop', 'endTurn'],
    ['length', 'maxTokens'],
    ['content_filter', 'content_filter'],
  ],
  google: [
    ['STOP', 'endTurn'],
    ['MAX_TOKENS', 'maxTokens'],
    ['SAFETY', 'SAFETY'],
  ],
  'openai-compatible': [
    ['stop', 'endTurn'],
    ['length', 'maxTokens'],
    ['content_filter', 'content_filter'],
  ],
}

describe.each(Object.keys(wires) as readonly WireName[])('a model that speaks the form of %s', (form) => {
  const completions = async (
    says: Says,
    request: Partial<SamplingRequest> = {},
  ): Promise<{ readonly answers: readonly unknown[]; readonly bodies: unknown }> => {
    const { origin, heard } = await startModelServer(form, says)
    const models = createModels({
      entries: [{ provider: 'lab', model: 'm', api: form, baseUrl: origin + version[form], apiKey: 'k', tools: true }],
      pauseMs: 1,
    })
    const whole: SamplingRequest = { messages: [{ role: 'user', content: [text('?')] }], maxTokens: 50, ...request }
    const answers = []
    for (const onPart of [undefined, () => undefined])
      answers.push(await models.complete('lab:m', whole, new AbortController().signal, onPart).catch((error: unknown) => (error as { code: unknown }).code))
    return { answers, bodies: heard.map(({ body }) => wires[form].read(body)) }
  }

  test.each(ends[form])('B61: the end %s is told as %s', async (finish, told) => {
    const { answers } = await completions({ text: ['a'], finish })

    expect(answers).toMatchObject([{ stopReason: told }, { stopReason: told }])
  })

  test('B61: calls of tools are told as such', async () => {
    const { answers } = await completions({ tools: [{ id: 'c1', name: 'look', input: {} }] }, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] })

    expect(answers).toMatchObject([{ stopReason: 'toolUse' }, { stopReason: 'toolUse' }])
  })

  test('B62: limit, stop sequence, temperature 0 and system prompt reach the model under the names that it knows', async () => {
    const { bodies } = await completions({ text: ['a'] }, { maxTokens: 50, stopSequences: ['END'], temperature: 0, systemPrompt: 'S' })
    const told = { system: 'S', maxTokens: 50, temperature: 0, stops: ['END'] }

    expect(bodies).toMatchObject([told, told])
  })
})
