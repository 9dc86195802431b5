import { once } from 'node:events'
import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern } from '../../test/fixtures/gateway-talk.ts'
import type { HttpExchange } from '../../test/fixtures/http-peer.ts'
import { legacy, startPeer, WrappedAddress } from '../../test/fixtures/wrapped-address.ts'

const call = (id: number | string, rest: object = {}): object => ({ id, method: 'tools/call', params: { name: 'run', arguments: {}, ...rest } })

test('a server at an address is told the union, keeps its session and its revision, and what it asks is answered here', async () => {
  let waiting: HttpExchange | undefined
  const { peer, url } = await startPeer(
    legacy((exchange) => {
      const { body } = exchange
      if (body?.method === 'tools/call') {
        waiting = exchange
        return exchange.event({ id: 0, method: 'roots/list' })
      }
      waiting?.event({ id: 1, result: { content: [], unknown: { kept: true } } })
      waiting?.response.end()
    }),
  )
  const client = await new WrappedAddress().start(url, { authorization: 'Bearer token' })
  client.session.onAnswer = () => answered({ roots: [{ uri: 'file:///a' }] }, 'rule')
  await client.shakeHands()
  client.say(call(1))

  expect(await client.hears(1)).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [], unknown: { kept: true } } })
  const [initialize, , ...others] = peer.seen.filter(({ method }) => method === 'POST')
  expect(initialize!.body?.params?.['capabilities']).toMatchObject({
    roots: { listChanged: true },
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
  })
  expect(others.map(({ body }) => body?.method ?? body?.result)).toEqual(['tools/call', { roots: [{ uri: 'file:///a' }] }])
  expect(others.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version'], headers.authorization])).toEqual([
    ['session-1', '2025-06-18', 'Bearer token'],
    ['session-1', '2025-06-18', 'Bearer token'],
  ])
  expect([await client.end(), peer.methods.at(-1)]).toEqual([{ code: 0, signal: null }, 'DELETE'])
})

test('a session that the server has forgotten is made anew, and the request that found out is sent again', async () => {
  const { peer, url } = await startPeer(
    legacy((exchange) => {
      if (exchange.headers['mcp-session-id'] === 'session-1') return void exchange.response.writeHead(404).end()
      exchange.json({ id: exchange.body!.id, result: { content: [] } })
    }),
  )
  const client = await new WrappedAddress().start(url)
  await client.shakeHands()
  client.say(call(7))

  expect(await client.hears(7)).toEqual({ jsonrpc: '2.0', id: 7, result: { content: [] } })
  expect(client.said.map(({ id }) => id)).toEqual(['init', 7])
  expect(peer.seen.filter(({ body }) => body?.method === 'tools/call').map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1', 'session-2'])
  expect(client.notices).toEqual(['the session with the server was lost, and made anew'])
})

test('a server that will have no new session: each request is told, and the next one tries again', async () => {
  let handshakes = 0
  const shake = legacy((exchange) => {
    if (handshakes < 3) return void exchange.response.writeHead(404).end()
    exchange.json({ id: exchange.body!.id, result: { content: [] } })
  })
  const { url } = await startPeer((exchange) => {
    if (exchange.body?.method !== 'initialize') return shake(exchange)
    handshakes += 1
    if (handshakes === 2) return void exchange.response.writeHead(503).end()
    shake(exchange)
  })
  const client = await new WrappedAddress().start(url)
  await client.shakeHands()
  client.say(call(1))
  const first = await client.hears(1)
  client.say(call(2))

  expect([first.error?.message.includes('HTTP 503'), (await client.hears(2)).result]).toEqual([true, { content: [] }])
})

test.each([
  ['a refusal', (exchange: HttpExchange): void => void exchange.response.writeHead(500).end('secret words'), 'The server answers with HTTP 500'],
  [
    'an error of the server in the body of a refusal',
    (exchange: HttpExchange): void => exchange.json({ id: null, error: { code: -32000, message: 'no' } }, 400),
    'no',
  ],
  [
    'a stream that ends too early',
    (exchange: HttpExchange): void => {
      exchange.event({ method: 'notifications/message', params: {} })
      exchange.response.end()
    },
    'The stream of the request ended',
  ],
  ['a connection that breaks', ({ response }: HttpExchange): void => void response.destroy(), ''],
])('each request ends once: %s', async (_, onCall, words) => {
  const { url } = await startPeer(legacy(onCall))
  const client = await new WrappedAddress().start(url)
  await client.shakeHands()
  client.say(call(1))
  const { error } = await client.hears(1)

  expect([error?.message.startsWith(words), error?.message.includes('secret')]).toEqual([true, false])
  expect(client.said.filter(({ id }) => id === 1)).toHaveLength(1)
})

test('an address where nobody is: the handshake gets an error, and the end says that there was no server', async () => {
  const { peer, url } = await startPeer(() => undefined)
  await peer.close()
  const client = await new WrappedAddress().start(url)
  client.say({ id: 1, method: 'initialize', params: { capabilities: {} } })

  expect((await client.hears(1)).error?.code).toBe(-32603)
  expect(await client.end()).toEqual({ code: null, signal: null })
})

test('2026-07-28: each request says itself what can be answered; one that is given up ends with its stream, and arguments go into headers', async () => {
  const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const { peer, url } = await startPeer((exchange) => {
    const { body } = exchange
    if (body?.method === 'tools/list') return exchange.json({ id: body.id, result: { resultType: 'complete', tools: [{ name: 'run', inputSchema: schema }] } })
    exchange.event({ method: 'notifications/message', params: {} })
  })
  const client = await new WrappedAddress().start(url)
  client.say({ id: 1, method: 'tools/list', params: modern({}) })
  await client.hears(1)
  client.say(call(2, modern({}, { arguments: { region: 'eu' } })))
  await client.hears(undefined)
  const { headers, response } = peer.seen[1]!
  client.say({ method: 'notifications/cancelled', params: { requestId: 2 } })
  await once(response, 'close')

  expect([headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name'], headers['mcp-param-region']]).toEqual([
    '2026-07-28',
    'tools/call',
    'run',
    'eu',
  ])
  expect([peer.methods, client.said.map(({ id }) => id)]).toEqual([
    ['tools/list', 'tools/call'],
    [1, undefined],
  ])
})
