import { afterEach, expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { HttpPeer, type HttpExchange } from '../../test/fixtures/http-peer.ts'
import { systemClock, type Clock } from './clock.ts'
import { connect } from './connect.ts'
import type { ConnectOptions } from './connect-options.ts'
import { patientFetch } from './patient-fetch.ts'
import type { ServerConnection } from './server-connection.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function open(
  onExchange: (exchange: HttpExchange) => void,
  options: Partial<ConnectOptions> = {},
): Promise<{ connection: ServerConnection; peer: HttpPeer; session: FakeSession }> {
  const peer = new HttpPeer()
  peer.onExchange = onExchange
  const url = await peer.start()
  closers.push(() => peer.close())
  const session = new FakeSession()
  session.onAnswer = ({ kind }) => answered(kind === 'roots' ? { roots: [] } : { action: 'decline' })
  const connection = await connect({ target: { kind: 'http', url, headers: { authorization: 'Bearer token' } }, session, ...options })
  closers.push(() => connection.close())
  return { connection, peer, session }
}

const discovery = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } }, ttlMs: 0, cacheScope: 'private' }

/** The handshake of 2025 with a session; everything else goes to the test. */
function legacy(rest: (exchange: HttpExchange) => void): (exchange: HttpExchange) => void {
  return (exchange) => {
    const { method, body, response } = exchange
    if (body?.method === 'server/discover') return exchange.json({ id: body.id, error: { code: -32000, message: 'Bad Request: no session' } }, 400)
    if (body?.method === 'initialize') {
      response.setHeader('mcp-session-id', 'session-1')
      return exchange.json({ id: body.id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
    }
    if (body?.method === 'notifications/initialized' || method === 'DELETE') return void response.writeHead(202).end()
    return rest(exchange)
  }
}

test('auto over HTTP: an older server refuses in its own way and gets the handshake; the stream for its messages is open before we say ready (B11)', async () => {
  let isStreamAsked = false
  const { connection, peer } = await open(
    legacy(({ method, response }) => {
      if (method !== 'GET') return
      setTimeout(() => {
        isStreamAsked = true
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      }, 100)
    }),
  )

  expect({ revision: connection.revision, isStreamAsked, methods: peer.methods }).toEqual({
    revision: '2025-11-25',
    isStreamAsked: true,
    methods: ['server/discover', 'initialize', 'notifications/initialized', 'GET'],
  })
  expect(peer.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token', 'Bearer token', 'Bearer token', 'Bearer token'])
})

test.each([
  ['a server of 2025 that offers none', legacy(({ response }) => response.writeHead(405).end())],
  ['2026-07-28, which has none', (exchange: HttpExchange): void => exchange.json({ id: exchange.body?.id, result: discovery })],
])('nobody waits for a stream that there is not: %s', async (_, onExchange) => {
  const expired: number[] = []
  const after: Clock['after'] = (milliseconds, action) =>
    systemClock.after(milliseconds, () => {
      expired.push(milliseconds)
      action()
    })
  await open(onExchange, { clock: { now: () => systemClock.now(), after } })

  expect(expired).toEqual([])
})

test.each(['the stream of the call', 'the standing stream'])('questions on %s are answered while the call is open (B11)', async (place) => {
  let standing: HttpExchange | undefined
  let call: HttpExchange | undefined
  const { connection, session } = await open(
    legacy((exchange) => {
      const { method, body, response } = exchange
      if (method === 'GET') {
        standing = exchange
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      } else if (body?.method === 'tools/call') {
        call = exchange
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        ;(place === 'the standing stream' ? standing! : call).event({ id: 0, method: 'elicitation/create', params: { message: 'm' } })
      } else {
        response.writeHead(202).end()
        call!.event({ id: call!.body!.id, result: { content: [], answer: body?.result } })
        call!.response.end()
      }
    }),
  )

  expect(await connection.callTool({ name: 'run' })).toEqual({ content: [], answer: { action: 'decline' } })
  expect(session.asked.map(({ kind, call: parent }) => [kind, parent])).toEqual([['elicitation', { kind: 'tool', name: 'run' }]])
})

test('closing says goodbye to the session', async () => {
  const { connection, peer } = await open(legacy(({ response }) => response.writeHead(405).end()))
  await connection.close()

  expect(peer.seen.filter(({ method }) => method === 'DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1'])
})

test('a session that the server has forgotten is a lost connection', async () => {
  const losses: string[] = []
  const { connection } = await open(
    legacy(({ method, response }) => response.writeHead(method === 'GET' ? 405 : 404).end()),
    { onLost: ({ code }) => losses.push(code) },
  )

  await expect(connection.callTool({ name: 'run' })).rejects.toMatchObject({ code: expect.stringMatching('CONNECTION_LOST|SERVER_UNREACHABLE') as string })
  await expect.poll(() => losses).toEqual(['CONNECTION_LOST'])
})

test('a server that is gone is a lost connection', async () => {
  const losses: string[] = []
  const { connection, peer } = await open(
    legacy(({ response }) => response.writeHead(405).end()),
    { onLost: ({ code }) => losses.push(code) },
  )
  await peer.close()

  await expect(connection.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  await expect.poll(() => losses).toEqual(['CONNECTION_LOST'])
})

test.each([401, 403])('HTTP %d says that access is refused, and nothing else is tried', async (status) => {
  const seen: string[] = []
  await expect(
    open(({ body, response }) => {
      seen.push(String(body?.method))
      response.writeHead(status).end()
    }),
  ).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE', message: expect.stringContaining(`HTTP ${status}`) as string })
  expect(seen).toEqual(['server/discover'])
})

test('an address where nobody listens is SERVER_UNREACHABLE, one that is none too', async () => {
  const session = new FakeSession()

  await expect(connect({ target: { kind: 'http', url: 'http://127.0.0.1:1/mcp' }, session })).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
  await expect(connect({ target: { kind: 'http', url: 'ftp://x.example' }, session })).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('a page that is no MCP endpoint is SERVER_UNREACHABLE', async () => {
  await expect(open(({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
  })
})

test('2026-07-28 over HTTP: rounds, the headers that mirror the body, and lists that change', async () => {
  const changed: string[] = []
  const { connection, peer, session } = await open(
    (exchange) => {
      const { body, response } = exchange
      if (body?.method === 'server/discover') return exchange.json({ id: body.id, result: discovery })
      if (body?.method === 'subscriptions/listen') {
        const _meta = { 'io.modelcontextprotocol/subscriptionId': body.id }
        exchange.event({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: { toolsListChanged: true } } })
        exchange.event({ method: 'notifications/tools/list_changed', params: { _meta } })
        return undefined
      }
      if (body?.method === 'tools/list') return exchange.json({ id: body.id, result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' } })
      if (body?.params?.['inputResponses']) return exchange.json({ id: body.id, result: { resultType: 'complete', content: [] } })
      if (body?.method === 'tools/call')
        return exchange.json({
          id: body.id,
          result: { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create', params: { message: 'm' } } } },
        })
      return void response.writeHead(405).end()
    },
    { onListChanged: (list) => changed.push(list) },
  )
  await connection.callTool({ name: 'grüße' })
  await expect.poll(() => changed).toEqual(['tools'])

  const calls = peer.seen.filter(({ body }) => body?.method === 'tools/call')
  expect(calls.map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']])).toEqual([
    ['2026-07-28', 'tools/call', '=?base64?Z3LDvMOfZQ==?='],
    ['2026-07-28', 'tools/call', '=?base64?Z3LDvMOfZQ==?='],
  ])
  expect(session.asked.map(({ key }) => key)).toEqual(['k'])
  expect(peer.seen.some(({ method }) => method !== 'POST')).toBe(false)
})

test('2026-07-28 over HTTP: cancelling a call closes its stream, and no notification is sent', async () => {
  let isClosed = false
  const { connection, peer } = await open((exchange) => {
    const { body, response } = exchange
    if (body?.method === 'server/discover') return exchange.json({ id: body.id, result: { ...discovery, capabilities: { tools: {} } } })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    response.on('close', () => (isClosed = true))
    return undefined
  })
  const controller = new AbortController()
  const outcome = connection.callTool({ name: 'run' }, { signal: controller.signal }).catch((error: unknown) => error)
  await expect.poll(() => peer.methods).toContain('tools/call')
  controller.abort()

  expect(await outcome).toMatchObject({ code: 'CALL_CANCELLED' })
  await expect.poll(() => isClosed).toBe(true)
  expect(peer.methods).toEqual(['server/discover', 'tools/call'])
})

test('2026-07-28 over HTTP: arguments that a tool wants in headers go there, also when the list has to be read first', async () => {
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const { connection, peer } = await open((exchange) => {
    const { body, headers } = exchange
    if (body?.method === 'server/discover') return exchange.json({ id: body.id, result: { ...discovery, capabilities: { tools: {} } } })
    if (body?.method === 'tools/list')
      return exchange.json({
        id: body.id,
        result: {
          resultType: 'complete',
          tools: [
            { name: 'run', inputSchema },
            { name: 'bad', inputSchema: { type: 'object', 'x-mcp-header': 'X' } },
          ],
          ttlMs: 0,
          cacheScope: 'private',
        },
      })
    if (headers['mcp-param-region'] !== '=?base64?w7xz?=') return exchange.json({ id: body?.id, error: { code: -32020, message: 'Header mismatch' } }, 400)
    return exchange.json({ id: body?.id, result: { resultType: 'complete', content: [] } })
  })
  await connection.callTool({ name: 'run', arguments: { region: 'üs' } })
  await connection.callTool({ name: 'run', arguments: { region: 'üs' } })

  expect(peer.methods).toEqual(['server/discover', 'tools/call', 'tools/list', 'tools/call', 'tools/call'])
  expect((await connection.list('tools')).map(({ name }) => name)).toEqual(['run'])
})

test('the fetch of ours leaves a silent stream open until it is aborted (that of Node gives up after five minutes)', async () => {
  const peer = new HttpPeer()
  closers.push(() => peer.close())
  peer.onExchange = ({ response }) => response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': ['a=1', 'b=2'] }).flushHeaders()
  const controller = new AbortController()
  const response = await patientFetch(await peer.start(), { method: 'POST', headers: { a: 'b' }, body: '{}', signal: controller.signal })
  const reading = response
    .body!.getReader()
    .read()
    .catch((error: Error) => error.name)
  controller.abort()

  expect([response.status, response.headers.getSetCookie(), peer.seen[0]!.headers['a']]).toEqual([200, ['a=1', 'b=2'], 'b'])
  expect(await reading).toMatch(/Error/)
})

test.each([204, 304])('a response with status %d has no body', async (status) => {
  const peer = new HttpPeer()
  closers.push(() => peer.close())
  peer.onExchange = ({ response }) => response.writeHead(status).end()
  const response = await patientFetch(new URL(await peer.start()))

  expect([response.status, response.body]).toEqual([status, null])
})

test('a stream that ends without the result ends the call at once', async () => {
  const { connection } = await open(
    legacy(({ method, response }) => {
      if (method === 'GET') return void response.writeHead(405).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      setTimeout(() => response.end(), 20)
    }),
  )

  await expect(connection.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
})

test('a modern server that cannot tell of changes, although it says so, is asked once', async () => {
  const { peer } = await open(
    (exchange) => {
      const { body } = exchange
      exchange.json(
        body?.method === 'server/discover' ? { id: body.id, result: discovery } : { id: body?.id, error: { code: -32601, message: 'Method not found' } },
      )
    },
    { onListChanged: () => {} },
  )
  await new Promise((resolve) => setTimeout(resolve, 1300))

  expect(peer.methods).toEqual(['server/discover', 'subscriptions/listen'])
})

test.each([
  ['a body without end', 'application/json', '{"x":"', `"${'x'.repeat(1_000_000)}",`, 'PROTOCOL_VIOLATION'],
  ['an event without end', 'text/event-stream', 'data: ', 'x'.repeat(1_000_000), 'CONNECTION_LOST'],
])('%s ends its call, and the server is let go of', async (_, type, start, more, code) => {
  let isClosed = false
  const log: unknown[] = []
  const { connection } = await open(
    legacy(({ method, response }) => {
      if (method === 'GET') return void response.writeHead(405).end()
      const send = (): void => void (isClosed || response.write(more, send))
      response.on('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': type })
      response.write(start, send)
    }),
    { onLog: ({ data }) => log.push(data) },
  )

  await expect(connection.callTool({ name: 'run' })).rejects.toMatchObject({ code })
  await expect.poll(() => isClosed).toBe(true)
  expect(String(log)).toContain('of more than 64 MB')
})

test('an answer that is nested too deeply ends its call over HTTP too', async () => {
  const { connection } = await open(
    legacy(({ method, body, response }) => {
      if (method === 'GET') return void response.writeHead(405).end()
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${String(body?.id)},"result":{"content":[],"x":${deep}}}`)
    }),
  )

  await expect(connection.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' })
})
