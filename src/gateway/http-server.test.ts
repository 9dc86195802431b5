import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { modern, type Said } from '../../test/fixtures/gateway-talk.ts'
import { HttpPeer, type HttpExchange } from '../../test/fixtures/http-peer.ts'
import type { Gateway } from './gateway.ts'
import { startGateway } from './start-gateway.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A client with the gateway and a server at an address behind it. */
class Wrapped {
  readonly session: FakeSession = new FakeSession()
  readonly notices: string[] = []
  readonly said: Said[] = []
  readonly #input = new PassThrough()
  readonly #output = new PassThrough()
  #gateway: Gateway | undefined
  #rest = ''
  #newcomers: (() => void)[] = []

  async start(url: string, headers: Readonly<Record<string, string>> = {}): Promise<this> {
    this.#output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop()!
      this.said.push(...lines.map((line) => JSON.parse(line) as Said))
      for (const wake of this.#newcomers.splice(0)) wake()
    })
    this.#gateway = await startGateway({
      server: { url, headers },
      client: { input: this.#input, output: this.#output },
      wishes: { take: new Set(), pass: new Set() },
      before: () => this.session.can,
      openSession: () => Promise.resolve(this.session),
      onStderr: () => undefined,
      notice: (sentence) => this.notices.push(sentence),
      platform: process.platform,
    })
    closers.push(() => this.end().then(() => undefined))
    return this
  }

  say(message: object): this {
    this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    return this
  }

  async hears(id: unknown): Promise<Said> {
    for (;;) {
      const found = this.said.find((one) => one.id === id)
      if (found) return found
      await new Promise<void>((resolve) => this.#newcomers.push(resolve))
    }
  }

  async shakeHands(capabilities: object = {}): Promise<this> {
    this.say({ id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } } })
    await this.hears('init')
    return this.say({ method: 'notifications/initialized' })
  }

  end(): Promise<unknown> {
    this.#input.end()
    return this.#gateway!.ended
  }
}

async function startPeer(onExchange: (exchange: HttpExchange) => void): Promise<{ readonly peer: HttpPeer; readonly url: string }> {
  const peer = new HttpPeer()
  peer.onExchange = onExchange
  const url = await peer.start()
  closers.push(() => peer.close())
  return { peer, url }
}

/** A server of 2025 with sessions; `rest` gets what is neither handshake nor goodbye. */
function legacy(rest: (exchange: HttpExchange) => void): (exchange: HttpExchange) => void {
  let sessions = 0
  return (exchange) => {
    const { method, body, response } = exchange
    if (body?.method === 'initialize') {
      response.setHeader('mcp-session-id', `session-${(sessions += 1)}`)
      return exchange.json({ id: body.id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } } })
    }
    if (body?.method === 'notifications/initialized' || body?.method === undefined || method === 'DELETE') {
      if (method === 'GET') return void response.writeHead(405).end()
      if (body && body.method === undefined) rest(exchange)
      return void response.writeHead(202).end()
    }
    return rest(exchange)
  }
}

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
  const client = await new Wrapped().start(url, { authorization: 'Bearer token' })
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
  const client = await new Wrapped().start(url)
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
  const client = await new Wrapped().start(url)
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
  const client = await new Wrapped().start(url)
  await client.shakeHands()
  client.say(call(1))
  const { error } = await client.hears(1)

  expect([error?.message.startsWith(words), error?.message.includes('secret')]).toEqual([true, false])
  expect(client.said.filter(({ id }) => id === 1)).toHaveLength(1)
})

test('an address where nobody is: the handshake gets an error, and the end says that there was no server', async () => {
  const { peer, url } = await startPeer(() => undefined)
  await peer.close()
  const client = await new Wrapped().start(url)
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
  const client = await new Wrapped().start(url)
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
