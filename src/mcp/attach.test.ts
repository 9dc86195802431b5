import { Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test, vi } from 'vitest'
import { connected } from '../../test/fixtures/connected.ts'
import { answered, FakeClock, FakeSession } from '../../test/fixtures/fake-session.ts'
import { RawPeer, settled, type RawMessage } from '../../test/fixtures/raw-peer.ts'
import { ConsentryError } from '../errors.ts'
import type { InputRequest, InputResponse } from '../protocol/index.ts'
import { attach } from './attach.ts'

afterEach(() => {
  vi.useRealTimers()
})

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const done = { result: { content: [{ type: 'text', text: 'done' }] } }
const isAnswer = ({ method }: RawMessage): boolean => method === undefined
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

/** Asks in the middle of each call, and ends the call when the answer is there. */
function asksDuringCall(question: RawMessage): (message: RawMessage, peer: RawPeer) => unknown {
  return ({ id, method }, peer) => {
    if (method !== 'tools/call') return undefined
    peer.send(question)
    void peer.next((message) => isAnswer(message) && message.id === question.id).then((answer) => peer.send({ id, result: { content: [], answer } }))
    return undefined
  }
}

test('attach comes before connect', async () => {
  const { client, session } = await connected()

  expect(() => attach(client, session)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([true, false])('a question comes through raw, and its answer goes back raw (strict transport: %s)', async (strict) => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'string', pattern: '^a', const: 'a', format: 'password', writeOnly: true, 'x-vendor': [null] } },
    'x-top': 1,
  }
  const question = { id: 0, method: 'elicitation/create', params: { message: 'm', requestedSchema: schema, vendor: { deep: [] } } }
  const { attached, session, peer } = await connected({ strict, onRequest: asksDuringCall(question) })
  session.onAnswer = () => answered({ action: 'accept', content: { n: 'a' }, vendor: true })
  await attached.callTool({ name: 'run' })

  expect(session.asked).toEqual([{ kind: 'elicitation', params: question.params, revision: '2025-11-25', call: { kind: 'tool', name: 'run' } }])
  expect(peer.answersTo(0)).toEqual([{ jsonrpc: '2.0', id: 0, result: { action: 'accept', content: { n: 'a' }, vendor: true } }])
})

test('what can be answered is declared in the handshake, the rest is absent and unknown', async () => {
  const session = Object.assign(new FakeSession(), { can: { roots: false, form: true, url: false, sampling: false, samplingTools: false } })
  const { peer } = await connected({ session })
  for (const [index, method] of ['roots/list', 'sampling/createMessage', 'elicitation/create'].entries())
    peer.send({ id: index, method, params: { ...form, mode: 'url' } })
  await settled()

  expect(peer.received[0]?.params?.['capabilities']).toEqual({ elicitation: { form: {} } })
  expect([0, 1, 2].map((id) => peer.answersTo(id).map(({ error }) => error?.code))).toEqual([[-32601], [-32601], [-32602]])
  expect(session.asked).toEqual([])
})

test('an older revision is held to what it knows, in what is accepted too', async () => {
  const { peer, session } = await connected({ agreed: '2025-03-26' })
  session.onAnswer = () => answered({ roots: [] })
  peer.send({ id: 1, method: 'elicitation/create', params: form })
  peer.send({ id: 2, method: 'roots/list' })
  await settled()

  expect([peer.answersTo(1)[0]?.error?.code, peer.answersTo(2)[0]?.result]).toEqual([-32601, { roots: [] }])
  expect(session.asked.map(({ revision }) => revision)).toEqual(['2025-03-26'])
})

test('ping is answered, and a method that nobody knows is not found', async () => {
  const { peer } = await connected()
  for (const [id, method] of ['ping', 'vendor/theirs'].entries()) peer.send({ id, method })
  await settled()

  expect([peer.answersTo(0), peer.answersTo(1)]).toEqual([
    [{ jsonrpc: '2.0', id: 0, result: {} }],
    [{ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }],
  ])
})

test('a fallback that the embedder set before still gets what is not ours, and typed handlers of the three give way', async () => {
  const peer = new RawPeer()
  peer.onRequest = ({ method }) =>
    method === 'initialize' ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } } : undefined
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: {}, experimental: { mine: {} } } })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///typed' }] }))
  client.fallbackRequestHandler = ({ method }) => Promise.resolve({ from: method })
  const session = Object.assign(new FakeSession(), { onAnswer: () => answered({ roots: [] }) })
  attach(client, session)
  await client.connect(peer.client)
  peer.send({ id: 1, method: 'vendor/mine' })
  peer.send({ id: 2, method: 'roots/list' })
  await settled()

  expect([peer.answersTo(1)[0]?.result, peer.answersTo(2)[0]?.result]).toEqual([{ from: 'vendor/mine' }, { roots: [] }])
  expect(peer.received[0]?.params?.['capabilities']).toMatchObject({ experimental: { mine: {} }, roots: { listChanged: true }, sampling: { tools: {} } })
})

test('the same id in both directions is no deadlock (B10)', async () => {
  const { attached, session, calls } = await connected({
    onRequest: (message, peer) => {
      if (message.method !== 'tools/call') return undefined
      return asksDuringCall({ id: message.id, method: 'elicitation/create', params: form })(message, peer)
    },
  })
  session.onAnswer = () => answered({ action: 'accept', content: {} })

  expect(await attached.callTool({ name: 'run' })).toMatchObject({ answer: { id: calls()[0]?.id, result: { action: 'accept' } } })
})

test('a question that comes before the handshake is over is answered, and the handshake completes (B14)', async () => {
  const session = Object.assign(new FakeSession(), { onAnswer: () => answered({ roots: [] }) })
  const peer = new RawPeer()
  peer.onRequest = ({ id, method }) => {
    if (method !== 'initialize') return undefined
    peer.send({ id: 'early', method: 'roots/list' })
    void peer
      .next((message) => message.id === 'early')
      .then(() => peer.send({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }))
    return undefined
  }
  const client = new Client({ name: 'c', version: '1' })
  attach(client, session)
  await client.connect(peer.client)

  expect(peer.answersTo('early')[0]?.result).toEqual({ roots: [] })
})

test('a question in the very tick of initialized is answered (B13)', async () => {
  const session = Object.assign(new FakeSession(), { onAnswer: () => answered({ roots: [] }) })
  const { peer } = await connected({
    session,
    beforeConnect: (peer) => void peer.next(({ method }) => method === 'notifications/initialized').then(() => peer.send({ id: 0, method: 'roots/list' })),
  })

  expect((await peer.next(isAnswer)).result).toEqual({ roots: [] })
})

test('a question that the server takes back is withdrawn and not answered, the next one is (B16)', async () => {
  const { peer, session } = await connected()
  peer.send({ id: 5, method: 'elicitation/create', params: form })
  await session.questions(1)
  peer.send({ method: 'notifications/cancelled', params: { requestId: 5, reason: 'late' } })
  await settled()
  const taken = session.waiting[0]!.signal.aborted
  session.waiting[0]!.settle(answered({ action: 'accept', content: {} }))
  peer.send({ id: 6, method: 'elicitation/create', params: form })
  await session.questions(2)
  session.waiting[1]!.settle(answered({ action: 'decline' }))
  await settled()

  expect({ taken, five: peer.answersTo(5), six: peer.answersTo(6)[0]?.result }).toEqual({ taken: true, five: [], six: { action: 'decline' } })
})

test('a cancelled call is told to the server once, its question ends with cancel, and what is typed later goes nowhere (B68)', async () => {
  const { attached, session, peer, calls } = await connected({ onRequest: asksDuringCall({ id: 3, method: 'elicitation/create', params: form }) })
  const controller = new AbortController()
  const outcome = outcomeOf(attached.callTool({ name: 'run' }, { signal: controller.signal }))
  await session.questions(1)
  controller.abort()
  controller.abort()
  const error = await outcome
  session.waiting[0]!.settle(answered({ action: 'accept', content: { name: 'late' } }))
  await settled()

  expect(error).toMatchObject({ code: 'CALL_CANCELLED' })
  expect(peer.answersTo(3)).toEqual([{ jsonrpc: '2.0', id: 3, result: { action: 'cancel' } }])
  expect(peer.received.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params?.['requestId'])).toEqual([calls()[0]?.id])
})

test('a sampling request of a cancelled call ends with an error', async () => {
  const { attached, session, peer } = await connected({ onRequest: asksDuringCall({ id: 3, method: 'sampling/createMessage', params: {} }) })
  const controller = new AbortController()
  const outcome = outcomeOf(attached.callTool({ name: 'run' }, { signal: controller.signal }))
  await session.questions(1)
  controller.abort()
  await outcome

  expect((await peer.next(({ id }) => id === 3)).error).toEqual({
    code: -32603,
    message: 'The call that this belonged to was cancelled',
    data: { reason: 'call-ended' },
  })
})

test('somebody who thinks for 75 seconds costs the call nothing (B01)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { attached, session } = await connected({ onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }) })
  const result = attached.callTool({ name: 'run' })
  await session.questions(1)
  await vi.advanceTimersByTimeAsync(75_000)
  session.waiting[0]!.settle(answered({ action: 'accept', content: {} }))
  await vi.advanceTimersByTimeAsync(1000)

  expect(await result).toMatchObject({ answer: { result: { action: 'accept' } } })
})

test('when the cap on human time ends, the question ends with cancel and the call is cancelled once (B01)', async () => {
  const clock = new FakeClock()
  const { attached, session, peer } = await connected({ clock, onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }) })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await session.questions(1)
  await clock.pass(1_800_000)

  expect(await outcome).toMatchObject({ code: 'CALL_TIMED_OUT', data: { clock: 'human' } })
  expect({
    signal: session.waiting[0]!.signal.aborted,
    answer: peer.answersTo(0),
    cancelled: peer.methods.filter((method) => method === 'notifications/cancelled'),
  }).toEqual({
    signal: true,
    answer: [{ jsonrpc: '2.0', id: 0, result: { action: 'cancel' } }],
    cancelled: ['notifications/cancelled'],
  })
  expect(clock.pending).toBe(0)
})

test('a server that says nothing for 60 seconds is given up, one that reports progress is not', async () => {
  const clock = new FakeClock()
  const heard: number[] = []
  const { attached, peer, calls } = await connected({ clock })
  const silent = outcomeOf(attached.callTool({ name: 'silent' }))
  const busy = attached.callTool({ name: 'busy' }, { onProgress: ({ progress }) => heard.push(progress) })
  await settled()
  const progressToken = (calls()[1]!.params!['_meta'] as { progressToken: number }).progressToken
  for (let progress = 1; progress <= 3; progress += 1) {
    await clock.pass(50_000)
    peer.send({ method: 'notifications/progress', params: { progressToken, progress } })
  }
  await clock.pass(10)
  peer.send({ id: calls()[1]!.id, ...done })

  expect(await silent).toMatchObject({ code: 'CALL_TIMED_OUT', data: { clock: 'machine' } })
  expect({ result: await busy, heard }).toEqual({ result: done.result, heard: [1, 2, 3] })
})

test("a server's own request is kept alive with progress while somebody thinks, where it asked for that", async () => {
  const clock = new FakeClock()
  const { peer, session } = await connected({ clock })
  peer.send({ id: 1, method: 'elicitation/create', params: { ...form, _meta: { progressToken: 0 } } })
  peer.send({ id: 2, method: 'elicitation/create', params: form })
  await session.questions(2)
  await clock.pass(12_000)
  for (const { settle } of session.waiting) settle(answered({ action: 'decline' }))
  await clock.pass(60_000)

  expect(peer.received.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params)).toEqual([
    { progressToken: 0, progress: 1, message: 'Waiting for an answer' },
    { progressToken: 0, progress: 2, message: 'Waiting for an answer' },
  ])
  expect(clock.pending).toBe(0)
})

test('a connection that ends rejects the call at once and withdraws what waits', async () => {
  const { attached, session, peer } = await connected({
    onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }),
    describeLoss: () => new ConsentryError('CONNECTION_LOST', 'exit 7'),
  })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await session.questions(1)
  await peer.close()

  expect(await outcome).toMatchObject({ code: 'CONNECTION_LOST', message: 'exit 7' })
  expect(session.waiting[0]!.signal.aborted).toBe(true)
  await expect(attached.callTool({ name: 'again' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
})

test.each([
  { code: -32002, message: 'gone', data: { uri: 'file:///a' } },
  { code: -32042, message: 'm', data: { elicitations: 'none', vendor: 1 } },
  { code: -32022, message: 'm', data: { supported: ['x'], requested: 'y', vendor: [null] } },
  { code: -32021, message: 'm', data: { requiredCapabilities: {}, vendor: 1 } },
  { code: -1, message: 'User rejected sampling request' },
])("a server's error comes out as it went in: $code (the SDK rewrites some)", async (error) => {
  const { attached } = await connected({ onRequest: () => ({ error }) })

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'SERVER_ERROR', data: error })
})

test('a result that the SDK would check away comes out as it is', async () => {
  const result = { content: 'no list', structuredContent: [1], vendor: null }

  expect(await (await connected({ onRequest: () => ({ result }) })).attached.callTool({ name: 'run' })).toEqual(result)
})

test('a broken response is PROTOCOL_VIOLATION, not silence', async () => {
  await expect((await connected({ onRequest: () => ({ result: 'text' }) })).attached.callTool({ name: 'run' })).rejects.toMatchObject({
    code: 'PROTOCOL_VIOLATION',
  })
})

test('folders that change are told to a server that was promised so, after the handshake, once a tick', async () => {
  const session = new FakeSession()
  const { peer, attached } = await connected({
    session,
    beforeConnect: (peer) => void peer.next(({ method }) => method === 'initialize').then(() => session.emit('roots-changed')),
  })
  await settled()
  for (let times = 0; times < 3; times += 1) session.emit('roots-changed')
  await settled()
  attached.close()
  session.emit('roots-changed')
  await settled()

  expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'notifications/roots/list_changed', 'notifications/roots/list_changed'])
  expect(session.listeners).toBe(0)
})

test('folders are no news to a server that was not promised any, nor to one of the modern era', async () => {
  const withoutRoots = Object.assign(new FakeSession(), { can: { roots: false, form: true, url: false, sampling: false, samplingTools: false } })
  const [legacy, modern] = await Promise.all([connected({ session: withoutRoots }), connected({ era: 'modern' })])
  for (const { session } of [legacy, modern]) session.emit('roots-changed')
  await settled()

  expect([...legacy.peer.methods, ...modern.peer.methods].filter((method) => method.includes('roots'))).toEqual([])
})

test('the end of a visit is told to the session', async () => {
  const { peer, session } = await connected()
  peer.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-3' } })
  peer.send({ method: 'notifications/elicitation/complete', params: {} })
  await settled()

  expect(session.completed).toEqual(['e-3'])
})

const required = {
  code: -32042,
  message: 'need auth',
  data: { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://x.example/', message: 'Sign in' }] },
}

test('a call that needs a visit is asked for, and sent again under a new id when the visit is over', async () => {
  let attempts = 0
  const { attached, session, calls } = await connected({ onRequest: () => ((attempts += 1) === 1 ? { error: required } : done) })
  session.onAnswer = () => answered({ action: 'accept' })
  session.onWait = () => 'completed'
  const result = await attached.callTool({ name: 'run', arguments: { a: 1 } })

  expect(result).toEqual(done.result)
  expect(session.asked).toEqual([{ kind: 'elicitation', params: required.data.elicitations[0], revision: '2025-11-25', call: { kind: 'tool', name: 'run' } }])
  expect(new Set(calls().map(({ id }) => id)).size).toBe(2)
  expect(calls().map(({ params }) => params?.['arguments'])).toEqual([{ a: 1 }, { a: 1 }])
})

test.each([
  ['declined', 'decline', 1],
  ['accepted by a script, and required again', 'accept', 2],
])('a visit that is %s ends the call with that error', async (_, action, times) => {
  const { attached, session, calls } = await connected({ onRequest: () => ({ error: required }) })
  session.onAnswer = () => answered({ action }, 'script')

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'SERVER_ERROR', data: required })
  expect(calls()).toHaveLength(times)
})

test('2025-06-18 knows no visits: the error is just an error', async () => {
  const { attached, session } = await connected({ agreed: '2025-06-18', onRequest: () => ({ error: required }) })

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ data: required })
  expect(session.asked).toEqual([])
})

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

test('everybody who watches is told of each question and of its end, refused ones included', async () => {
  const told: unknown[] = []
  const { peer, session } = await connected({
    observer: {
      requested: ({ kind }) => told.push(kind),
      answered: ({ kind }, response) => told.push([kind, response.outcome, 'by' in response ? response.by : undefined]),
    },
    session: Object.assign(new FakeSession(), { can: { roots: true, form: true, url: true, sampling: false, samplingTools: false } }),
  })
  session.onAnswer = () => answered({ roots: [] }, 'rule')
  peer.send({ id: 1, method: 'roots/list' })
  peer.send({ id: 2, method: 'sampling/createMessage' })
  await settled()

  expect(told).toEqual(['roots', 'sampling', ['sampling', 'refused', 'none'], ['roots', 'answered', 'rule']])
})

test('the end of the connection is heard by both, whoever sets onclose when', async () => {
  const heard: string[] = []
  const { attached, client, peer } = await connected({ beforeConnect: (_, client) => Object.assign(client, { onclose: () => heard.push('early') }) })
  Object.assign(client, { onclose: () => heard.push('late') })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await peer.close()

  expect(await outcome).toMatchObject({ code: 'CONNECTION_LOST' })
  expect(heard).toEqual(['late'])
})

test('after close nothing is asked and nothing is called', async () => {
  const { attached, session, peer } = await connected()
  attached.close()
  peer.send({ id: 1, method: 'elicitation/create', params: form })
  peer.send({ id: 2, method: 'roots/list' })
  await settled()

  expect([peer.answersTo(1)[0]?.result, peer.answersTo(2)[0]?.error?.data]).toEqual([{ action: 'cancel' }, { reason: 'call-ended' }])
  expect(session.asked).toEqual([])
  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
})

test('whoever watches and fails keeps no server from its answer', async () => {
  const fail = (): never => {
    throw new Error('watcher')
  }
  const { peer, session } = await connected({ observer: { requested: fail, answered: fail } })
  session.onAnswer = () => answered({ roots: [] })
  peer.send({ id: 1, method: 'roots/list' })

  expect((await peer.next(isAnswer)).result).toEqual({ roots: [] })
})
