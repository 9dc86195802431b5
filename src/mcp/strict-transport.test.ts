import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { RawPeer, settled, type RawMessage } from '../../test/fixtures/raw-peer.ts'
import { StrictTransport, type StrictTransportOptions } from './strict-transport.ts'

const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

/** A strict transport with nobody but the test above it. */
async function open(options: StrictTransportOptions = {}): Promise<{ peer: RawPeer; strict: StrictTransport; seen: RawMessage[]; faults: string[] }> {
  const peer = new RawPeer()
  const faults: string[] = []
  const seen: RawMessage[] = []
  const strict = new StrictTransport(peer.client, { onFault: (fault) => faults.push(fault), ...options })
  Object.assign(strict, { onmessage: (message: RawMessage) => seen.push(message) })
  await strict.start()
  return { peer, strict, seen, faults }
}

const reply = (id: unknown, result = {}): JSONRPCMessage => ({ jsonrpc: '2.0', id, result }) as JSONRPCMessage
const errorCodes = (messages: readonly RawMessage[]): readonly unknown[] => messages.map(({ error }) => error?.code)

test('a response "1" does not settle request 1 (the SDK takes one for the other)', async () => {
  const { peer, strict, seen, faults } = await open()
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  peer.send({ id: '1', result: { wrong: true } })
  peer.send({ id: 1, result: { right: true } })
  await settled()

  expect(seen).toEqual([{ jsonrpc: '2.0', id: 1, result: { right: true } }])
  expect(faults).toEqual([expect.stringContaining('"1", which nobody asked')])
})

test('the SDK alone does take it for that: this is why', async () => {
  const peer = new RawPeer()
  peer.onRequest = ({ id, method }) => {
    if (method === 'initialize') return { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }
    peer.send({ id: String(id), result: {} })
    return undefined
  }
  const client = new Client({ name: 'c', version: '1' })
  await client.connect(peer.client)

  await expect(client.ping()).resolves.toEqual({})
})

test('a second response, and one to nothing, are dropped', async () => {
  const { peer, strict, seen } = await open()
  await strict.send({ jsonrpc: '2.0', id: 0, method: 'ping' })
  for (const id of [7, 0, 0]) peer.send({ id, result: {} })
  await settled()

  expect(seen).toEqual([{ jsonrpc: '2.0', id: 0, result: {} }])
})

test('an id that is still open is refused, and the first request is answered undisturbed', async () => {
  const { peer, strict, seen } = await open()
  peer.send({ id: 0, method: 'roots/list' })
  peer.send({ id: '0', method: 'roots/list' })
  peer.send({ id: 0, method: 'sampling/createMessage', params: {} })
  await settled()
  await strict.send(reply(0, { roots: [] }))
  await strict.send(reply('0', { roots: [] }))

  expect(seen.map(({ id, method }) => [id, method])).toEqual([
    [0, 'roots/list'],
    ['0', 'roots/list'],
  ])
  expect(peer.answersTo(0)).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) as unknown }),
    expect.objectContaining({ result: { roots: [] } }),
  ])
  expect(peer.answersTo('0')).toHaveLength(1)
})

test('each request gets at most one response, and none after it was taken back', async () => {
  const { peer, strict } = await open()
  peer.send({ id: 1, method: 'roots/list' })
  peer.send({ id: 2, method: 'roots/list' })
  peer.send({ method: 'notifications/cancelled', params: { requestId: 2 } })
  await settled()
  await strict.send(reply(1))
  await strict.send(reply(1))
  await strict.send(reply(2))
  await strict.send(reply(3))

  expect(peer.received.map(({ id }) => id)).toEqual([1])
})

test('an id can be used again at once after its request was taken back', async () => {
  const { peer, strict, seen } = await open()
  peer.send({ id: 5, method: 'elicitation/create', params: { message: 'first' } })
  peer.send({ method: 'notifications/cancelled', params: { requestId: 5 } })
  peer.send({ id: 5, method: 'elicitation/create', params: { message: 'second' } })
  await settled()
  await strict.send(reply(5, { action: 'decline' }))

  expect(seen.map(({ method }) => method)).toEqual(['elicitation/create', 'notifications/cancelled', 'elicitation/create'])
  expect(peer.answersTo(5)).toEqual([{ jsonrpc: '2.0', id: 5, result: { action: 'decline' } }])
})

test('no more than so many requests of a kind are handled at once, the rest wait, nothing is lost', async () => {
  const { peer, strict, seen } = await open({ requestsAtOnce: 3 })
  for (let id = 0; id < 10; id += 1) peer.send({ id, method: 'elicitation/create' })
  peer.send({ id: 'r', method: 'roots/list' })
  peer.send({ id: 'p', method: 'ping' })
  peer.send({ method: 'notifications/cancelled', params: { requestId: 4 } })
  await settled()
  const atFirst = seen.map(({ id }) => id).filter((id) => id !== undefined)
  for (const id of [0, 1, 2, 3, 5, 6, 7, 8, 9]) {
    await strict.send(reply(id))
    await settled()
  }

  expect(atFirst).toEqual([0, 1, 2, 'r', 'p'])
  expect(peer.received.map(({ id }) => id)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9])
})

test('a flood beyond all measure is refused one by one, and what was let in is still answered', async () => {
  const { peer, strict } = await open({ requestsAtOnce: 1, requestsWaiting: 2 })
  for (let id = 0; id < 6; id += 1) peer.send({ id, method: 'elicitation/create' })
  await settled()
  for (const id of [0, 1, 2]) {
    await strict.send(reply(id))
    await settled()
  }

  expect([0, 1, 2, 3, 4, 5].map((id) => peer.answersTo(id).map(({ error }) => error?.code))).toEqual([
    [undefined],
    [undefined],
    [undefined],
    [-32600],
    [-32600],
    [-32600],
  ])
})

test.each([
  ['a null id', { id: null, method: 'roots/list' }, []],
  ['a fractional id', { id: 1.5, method: 'roots/list' }, []],
  ['params that are a list', { id: 1, method: 'roots/list', params: [1] }, [-32600]],
  ['a method that is no text', { id: 1, method: 5 }, [-32600]],
  ['no "jsonrpc"', { jsonrpc: undefined, id: 1, method: 'ping' }, [-32600]],
  ['a malformed progress token (the SDK never answers this one)', { id: 1, method: 'roots/list', params: { _meta: { progressToken: {} } } }, [-32600]],
  ['an error with a null id', { id: null, error: { code: -32601, message: 'x' } }, []],
  ['no object at all', [], []],
])('%s crashes nothing and is answered where it can be', async (_, message, codes) => {
  const { peer, strict, seen, faults } = await open()
  peer.send(message)
  peer.send({ id: 'after', method: 'ping' })
  await settled()
  await strict.send(reply('after'))

  expect(errorCodes(peer.received)).toEqual([...codes, undefined])
  expect(seen.map(({ id }) => id)).toEqual(['after'])
  expect(faults).toHaveLength(1)
})

test('members that JSON-RPC does not know make no request vanish (the SDK drops it)', async () => {
  const { peer, seen } = await open()
  peer.send({ id: 1, method: 'roots/list', vendor: true })
  await settled()

  expect(seen).toEqual([{ jsonrpc: '2.0', id: 1, method: 'roots/list' }])
})

test.each([
  ['both a result and an error', { result: {}, error: { code: 1, message: 'm' } }],
  ['a result that is no object', { result: 'x' }],
  ['an error without a message', { error: { code: 1 } }],
  ['neither', {}],
  ['_meta that is a text', { result: { _meta: 'x' } }],
  ['no "jsonrpc"', { jsonrpc: '1.0', result: {} }],
])('a response with %s becomes an error to its asker', async (_, broken) => {
  const { peer, strict, seen } = await open()
  await strict.send({ jsonrpc: '2.0', id: 3, method: 'ping' })
  peer.send({ id: 3, ...broken })
  await settled()

  expect(seen).toEqual([{ jsonrpc: '2.0', id: 3, error: { code: -32603, message: expect.stringContaining('broken') as string } }])
})

test('a batch is taken apart in 2025-03-26, the only revision that has them', async () => {
  const { peer, strict, seen } = await open()
  strict.setProtocolVersion('2025-03-26')
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  peer.send([{ jsonrpc: '2.0', id: 'b', method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/message' }, { jsonrpc: '2.0', id: 1, result: {} }, 7])
  await settled()

  expect(seen.map(({ id, method }) => [id, method])).toEqual([
    ['b', 'ping'],
    [undefined, 'notifications/message'],
    [1, undefined],
  ])
})

test('elsewhere nothing in a batch is done, and each asker in it is told', async () => {
  const { peer, strict, seen } = await open()
  strict.setProtocolVersion('2025-11-25')
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  peer.send([
    { jsonrpc: '2.0', id: 'b', method: 'roots/list' },
    { jsonrpc: '2.0', method: 'notifications/message' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
  await settled()

  expect(peer.answersTo('b')).toEqual([expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) as unknown })])
  expect(seen).toEqual([{ jsonrpc: '2.0', id: 1, error: expect.objectContaining({ message: expect.stringContaining('batch') as string }) as unknown }])
})

test('a modern result without resultType counts as complete (the SDK rejects it)', async () => {
  const { peer, strict, seen } = await open()
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: modernMeta } })
  await strict.send({ jsonrpc: '2.0', id: 2, method: 'tools/call' })
  for (const id of [1, 2]) peer.send({ id, result: { content: [] } })
  await settled()

  expect(seen.map(({ result }) => result)).toEqual([{ content: [], resultType: 'complete' }, { content: [] }])
})

test('a server of the modern era cannot send requests: dropped, never answered', async () => {
  const { peer, strict, seen, faults } = await open()
  strict.setProtocolVersion('2026-07-28')
  peer.send({ id: 1, method: 'roots/list' })
  await settled()

  expect({ seen, received: peer.received, faults }).toEqual({ seen: [], received: [], faults: [expect.stringContaining('roots/list')] })
})

test('progress that stands in the same chunk as the response is not lost (with the SDK alone it is)', async () => {
  const progressOf = async (strict: boolean): Promise<readonly number[]> => {
    const peer = new RawPeer()
    peer.onRequest = ({ id, method, params }) => {
      if (method === 'initialize') return { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }
      const progressToken = (params!['_meta'] as { progressToken: number }).progressToken
      for (const progress of [1, 2]) peer.send({ method: 'notifications/progress', params: { progressToken, progress } })
      peer.send({ id, result: {} })
      return undefined
    }
    const client = new Client({ name: 'c', version: '1' })
    await client.connect(strict ? new StrictTransport(peer.client) : peer.client)
    const heard: number[] = []
    await client.ping({ onprogress: ({ progress }) => heard.push(progress) })
    return heard
  }

  expect({ strict: await progressOf(true), bare: await progressOf(false) }).toEqual({ strict: [1, 2], bare: [] })
})

test('what came before the end counts, even in the same tick', async () => {
  const { peer, strict, seen } = await open()
  const closed = vi.fn()
  Object.assign(strict, { onclose: () => closed(seen.length) })
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  peer.send({ method: 'notifications/message', params: {} })
  peer.send({ id: 1, result: {} })
  await peer.close()
  await strict.close()

  expect(closed.mock.calls).toEqual([[2]])
})

test('what arrives before anybody listens is kept', async () => {
  const peer = new RawPeer()
  const strict = new StrictTransport(peer.client)
  await strict.open()
  peer.send({ id: 1, method: 'roots/list' })
  const seen: RawMessage[] = []
  Object.assign(strict, { onmessage: (message: RawMessage) => seen.push(message) })
  await strict.start()
  await settled()

  expect(seen.map(({ method }) => method)).toEqual(['roots/list'])
})

test('a question past the SDK is answered, refused, or ends with the connection', async () => {
  const { peer, strict, seen } = await open()
  peer.onRequest = ({ method }) => ({ good: { result: { a: 1 } }, bad: { error: { code: -32601, message: 'no' } } })[method!]
  const asked = Promise.all(['good', 'bad', 'open'].map((method) => strict.ask(method, {})))
  await settled()
  await peer.close()

  expect(await asked).toEqual([{ kind: 'result', result: { a: 1 } }, { kind: 'error', error: { code: -32601, message: 'no' } }, { kind: 'closed' }])
  expect(await strict.ask('late', {})).toEqual({ kind: 'closed' })
  expect(seen).toEqual([])
})

test('an answer that crosses our cancellation is no fault of the server', async () => {
  const { peer, strict, seen, faults } = await open()
  await strict.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  await strict.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  peer.send({ id: 1, result: {} })
  await settled()

  expect({ seen, faults }).toEqual({ seen: [], faults: [] })
})
