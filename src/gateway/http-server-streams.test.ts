import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import type { HttpExchange } from '../../test/fixtures/http-peer.ts'
import { legacy, startPeer, WrappedAddress } from '../../test/fixtures/wrapped-address.ts'

const call = { id: 1, method: 'tools/call', params: { name: 'run', arguments: {} } }
const folders = { roots: [{ uri: 'file:///a' }] }

/** A server of 2025 that has a stream of its own; `onCall` gets the call and that stream, `onAnswer` what is answered. */
function withStream(onCall: (call: HttpExchange, stream: HttpExchange) => void, onAnswer: (answer: HttpExchange) => void) {
  let stream: HttpExchange | undefined
  const rest = legacy((exchange) => (exchange.body?.method === 'tools/call' ? onCall(exchange, stream!) : onAnswer(exchange)))
  return (exchange: HttpExchange): void => {
    if (exchange.method !== 'GET') return rest(exchange)
    stream = exchange
    exchange.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  }
}

test('B11: what a server asks over its own stream, while a call is open and says nothing, is answered, and the call ends', async () => {
  let open: HttpExchange | undefined
  const { peer, url } = await startPeer(
    withStream(
      (exchange, stream) => {
        open = exchange
        stream.event({ id: 'q', method: 'roots/list' })
      },
      () => open!.json({ id: 1, result: { content: [] } }),
    ),
  )
  const client = await new WrappedAddress().start(url)
  client.session.onAnswer = () => answered(folders, 'rule')
  await client.shakeHands()
  client.say(call)

  expect(await client.hears(1)).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [] } })
  expect(peer.seen.filter(({ body }) => body?.id === 'q').map(({ body }) => body?.result)).toEqual([folders])
})

test('B11: the server has its own stream before anything that follows the handshake reaches it', async () => {
  const { peer, url } = await startPeer(
    withStream(
      (exchange) => exchange.json({ id: 1, result: { content: [] } }),
      () => undefined,
    ),
  )
  const client = await new WrappedAddress().start(url)
  await client.shakeHands()
  client.say(call)
  await client.hears(1)

  expect(peer.methods.slice(0, 4)).toEqual(['initialize', 'notifications/initialized', 'GET', 'tools/call'])
})

test('B11: a server without a stream of its own is asked nothing over one, and asks over that of the call, several things at once', async () => {
  const answers: unknown[] = []
  let open: HttpExchange | undefined
  const { url } = await startPeer(
    legacy((exchange) => {
      if (exchange.body?.method === 'tools/call') {
        open = exchange
        for (const id of [0, '0', 1]) exchange.event({ id, method: 'roots/list' })
        return
      }
      answers.push(exchange.body?.id)
      if (answers.length < 3) return
      open!.event({ id: 1, result: { content: [] } })
      open!.response.end()
    }),
  )
  const client = await new WrappedAddress().start(url)
  client.session.onAnswer = () => answered(folders, 'rule')
  await client.shakeHands()
  client.say(call)
  await client.hears(1)

  expect(answers).toHaveLength(3)
  expect(new Set(answers)).toEqual(new Set([0, '0', 1]))
})

test.each(['is ended', 'breaks'] as const)(
  'a stream that %s in the middle of a call is taken up again where it was: what is asked on it is answered, and the call ends once',
  async (how) => {
    const rest = legacy(({ body, response }) => {
      if (body?.method !== 'tools/call') return
      // The id of an event is what the stream is taken up with.
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 7\nretry: 10\ndata: \n\n', () => (how === 'breaks' ? response.destroy() : response.end()))
    })
    const { peer, url } = await startPeer((exchange) => {
      const { method, headers, response } = exchange
      if (method !== 'GET' || headers['last-event-id'] === undefined) return rest(exchange)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      exchange.event({ id: 'q', method: 'roots/list' })
      answer = () => {
        exchange.event({ id: 1, result: { content: [] } })
        response.end()
      }
    })
    let answer = (): void => undefined
    const client = await new WrappedAddress().start(url)
    client.session.onAnswer = () => answered(folders, 'rule')
    await client.shakeHands()
    client.say(call)
    await expect.poll(() => peer.seen.filter(({ body }) => body?.id === 'q').map(({ body }) => body?.result), { timeout: 20_000 }).toEqual([folders])
    answer()

    expect(await client.hears(1)).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [] } })
    expect(peer.seen.flatMap(({ headers }) => headers['last-event-id'] ?? [])).toEqual(['7'])
    expect(client.said.filter(({ id }) => id === 1)).toHaveLength(1)
  },
)
