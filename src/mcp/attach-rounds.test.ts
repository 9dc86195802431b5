import { expect, test } from 'vitest'
import { connected, form, outcomeOf } from '../../test/fixtures/connected.ts'
import { answered, FakeClock, FakeSession } from '../../test/fixtures/fake-session.ts'
import type { InputRequest, InputResponse } from '../protocol/index.ts'

const done = { result: { content: [{ type: 'text', text: 'done' }] } }

const inputRequired = (inputRequests: object, requestState?: string) => ({
  result: { resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) },
})
const complete = { result: { resultType: 'complete', ...done.result } }

test.each([true, false])(
  '2026-07-28: rounds are driven raw, each request under a new id, with what can be answered then (strict transport: %s)',
  async (strict) => {
    const schema = { type: 'object', properties: { n: { type: 'string', pattern: '^a', 'x-vendor': 1 } } }
    const session = new FakeSession()
    const { attached, calls } = await connected({
      era: 'modern',
      strict,
      session,
      onRequest: ({ params }) => {
        if (params?.['inputResponses']) return complete
        session.can = { ...session.can, url: false }
        return inputRequired({ k: { method: 'elicitation/create', params: { message: 'm', requestedSchema: schema } } }, ' odd "state" ')
      },
    })
    session.onAnswer = () => answered({ action: 'accept', content: { n: 'a' } })
    const result = await attached.callTool({ name: 'run', arguments: { a: 1 } })

    expect(result).toEqual(done.result)
    expect(session.asked).toEqual([
      { kind: 'elicitation', params: { message: 'm', requestedSchema: schema }, revision: '2026-07-28', call: { kind: 'tool', name: 'run' }, key: 'k' },
    ])
    expect(calls().map(({ params }) => [params?.['arguments'], params?.['requestState'], params?.['inputResponses']])).toEqual([
      [{ a: 1 }, undefined, undefined],
      [{ a: 1 }, ' odd "state" ', { k: { action: 'accept', content: { n: 'a' } } }],
    ])
    expect(new Set(calls().map(({ id }) => id)).size).toBe(2)
    const declared = calls().map(({ params }) => (params!['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/clientCapabilities'])
    expect(declared.map((capabilities) => (capabilities as { elicitation: unknown }).elicitation)).toEqual([{ form: {}, url: {} }, { form: {} }])
  },
)

test('2026-07-28: prompts and resources may ask too, nothing else', async () => {
  const { attached, session } = await connected({
    era: 'modern',
    onRequest: ({ params }) => (params?.['inputResponses'] ? complete : inputRequired({ k: { method: 'roots/list' } })),
  })
  session.onAnswer = () => answered({ roots: [] })
  await attached.getPrompt({ name: 'p' })
  await attached.readResource({ uri: 'file:///r' })

  await expect(attached.request('tools/list')).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' })
  expect(session.asked.map(({ call }) => call)).toEqual([
    { kind: 'prompt', name: 'p' },
    { kind: 'resource', name: 'file:///r' },
  ])
})

test('2026-07-28: a kind that was not declared in this very request ends the call', async () => {
  const session = Object.assign(new FakeSession(), { can: { roots: true, form: false, url: false, sampling: false, samplingTools: false } })
  const { attached } = await connected({ era: 'modern', session, onRequest: () => inputRequired({ k: { method: 'elicitation/create', params: form } }) })

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({
    code: 'INPUT_REFUSED',
    data: { key: 'k', request: 'elicitation', cause: 'FEATURE_NOT_DECLARED' },
  })
  expect(session.asked).toEqual([])
})

test('2026-07-28: a server that dies while somebody thinks ends the call (with the SDK alone it hangs for ever)', async () => {
  const { attached, session, peer } = await connected({ era: 'modern', onRequest: () => inputRequired({ k: { method: 'elicitation/create', params: form } }) })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await session.questions(1)
  await peer.close()

  expect(await outcome).toMatchObject({ code: 'CONNECTION_LOST' })
  expect(session.waiting[0]!.signal.aborted).toBe(true)
})

test('2026-07-28: cancelling ends the call even if the session ignores its signal (with the SDK alone it never settles)', async () => {
  const session = Object.assign(new FakeSession(), { answer: () => new Promise<InputResponse>(() => {}) })
  const observed = new Promise<InputRequest>((requested) => Object.assign(session, { requested }))
  const { attached } = await connected({
    era: 'modern',
    session,
    observer: { requested: (request) => (session as unknown as { requested: (request: InputRequest) => void }).requested(request) },
    onRequest: () => inputRequired({ k: { method: 'elicitation/create', params: form } }),
  })
  const controller = new AbortController()
  const outcome = outcomeOf(attached.callTool({ name: 'run' }, { signal: controller.signal }))
  await observed
  controller.abort()

  expect(await outcome).toMatchObject({ code: 'CALL_CANCELLED' })
})

test('2026-07-28: questions of one call do not stop the clock of another', async () => {
  const clock = new FakeClock()
  const { attached, session } = await connected({
    era: 'modern',
    clock,
    onRequest: ({ params }) => (params?.['name'] === 'asks' ? inputRequired({ k: { method: 'elicitation/create', params: form } }) : undefined),
  })
  const asks = outcomeOf(attached.callTool({ name: 'asks' }))
  const silent = outcomeOf(attached.callTool({ name: 'silent' }))
  await session.questions(1)
  await clock.pass(60_000)
  const first = await silent
  await clock.pass(1_740_000)

  expect([first, await asks]).toMatchObject([{ data: { clock: 'machine' } }, { data: { clock: 'human' } }])
})
