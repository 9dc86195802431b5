import { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { asksDuringCall, connected, form, isAnswer, outcomeOf } from '../../test/fixtures/connected.ts'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { RawPeer, settled } from '../../test/fixtures/raw-peer.ts'
import { attach } from './attach.ts'

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

test('folders that are asked for while a call is open are not said to be for that call', async () => {
  const { attached, session } = await connected({ onRequest: asksDuringCall({ id: 0, method: 'roots/list' }) })
  session.onAnswer = () => answered({ roots: [] })
  await attached.callTool({ name: 'run' })

  expect(session.asked.map(({ kind, call }) => [kind, call])).toEqual([['roots', undefined]])
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
