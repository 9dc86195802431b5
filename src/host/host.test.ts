import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FakeDesk } from '../../test/fixtures/fake-desk.ts'
import { answered, FakeClock } from '../../test/fixtures/fake-session.ts'
import { RawPeer, settled, type RawMessage } from '../../test/fixtures/raw-peer.ts'
import { ConsentryError } from '../errors.ts'
import { Host, type HostEvents, type HostOptions } from './host.ts'
import type { ServerOptions } from './server-options.ts'

const fixture = join(import.meta.dirname, '../../test/fixtures/stdio-peer.mjs')
const hosts: Host[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A server in memory that can be connected to again and again. */
class Server {
  readonly peers: RawPeer[] = []
  tools: object[] = [{ name: 'echo', inputSchema: { type: 'object' } }]
  isDown = false
  onCall: (message: RawMessage, peer: RawPeer) => unknown = ({ params }) => ({ result: { content: [], got: params?.['arguments'] } })

  readonly transport = (): RawPeer['client'] => {
    if (this.isDown) throw new ConsentryError('SERVER_UNREACHABLE', 'down')
    const peer = new RawPeer()
    this.peers.push(peer)
    peer.onRequest = (message) => {
      if (message.method === 'initialize')
        return {
          result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true }, prompts: {} }, serverInfo: { name: 's', version: '1' } },
        }
      if (message.method === 'tools/list') return { result: { tools: this.tools } }
      if (message.method === 'tools/call') return this.onCall(message, peer)
      return { error: { code: -32601, message: 'Method not found' } }
    }
    return peer.client
  }

  get peer(): RawPeer {
    return this.peers.at(-1)!
  }
}

function makeHost(
  servers: readonly ServerOptions[],
  options: Partial<HostOptions> = {},
): { host: Host; desk: FakeDesk; heard: <Name extends keyof HostEvents>(event: Name) => HostEvents[Name][] } {
  const desk = new FakeDesk()
  desk.onAnswer = ({ kind }) => answered(kind === 'roots' ? { roots: [] } : { action: 'accept', content: { name: 'Ada' } })
  const host = new Host({ desk, servers, random: () => 1, ...options })
  hosts.push(host)
  const heard = <Name extends keyof HostEvents>(event: Name): HostEvents[Name][] => {
    const all: HostEvents[Name][] = []
    host.on(event, (detail) => all.push(detail))
    return all
  }
  return { host, desk, heard }
}

const states = (events: readonly HostEvents['server-status'][]): readonly string[] => events.map(({ server, status }) => `${server} ${status.state}`)
const stdio = (name: string, behaviour: object = {}): ServerOptions => ({ name, command: process.execPath, args: [fixture, JSON.stringify(behaviour)] })

test('several servers are connected side by side, and each answers for itself', async () => {
  const { host, desk } = makeHost([stdio('old'), stdio('new', { era: 'modern' }), { name: 'memory', transport: new Server().transport }])
  await host.connect()
  const texts = await Promise.all(['old', 'new', 'memory'].map((server) => host.callTool({ server, name: 'echo', arguments: { server } })))

  expect(texts).toEqual([
    { content: [{ type: 'text', text: '{"server":"old"}' }] },
    { content: [{ type: 'text', text: '{"server":"new"}' }] },
    { content: [], got: { server: 'memory' } },
  ])
  expect([...host.statuses()].map(([name, status]) => [name, status.state === 'ready' && status.revision])).toEqual([
    ['old', '2025-11-25'],
    ['new', '2026-07-28'],
    ['memory', '2025-11-25'],
  ])
  expect(desk.sessions.map(({ origin }) => `${origin.server.name} ${origin.server.named} ${origin.server.target.kind}`).toSorted()).toEqual([
    'memory true custom',
    'new true stdio',
    'old true stdio',
  ])
  expect(new Set(desk.sessions.map(({ origin }) => origin.connection)).size).toBe(3)
})

test('a question of a server is answered by the desk, and everybody who listens hears of it', async () => {
  const { host, heard } = makeHost([stdio('travel')])
  const [requested, answeredEvents] = [heard('input-requested'), heard('input-answered')]
  await host.connect()
  const result = await host.callTool({ server: 'travel', name: 'form' })

  expect(result).toEqual({ content: [{ type: 'text', text: '{"action":"accept","content":{"name":"Ada"}}' }] })
  expect(requested.map(({ server, request }) => [server, request.kind, request.call])).toEqual([['travel', 'elicitation', { kind: 'tool', name: 'form' }]])
  expect(answeredEvents.map(({ server, response }) => [server, response.outcome])).toEqual([['travel', 'answered']])
})

test('one that fails hurts no other, says why, and leaves no session open', async () => {
  const fault = new ConsentryError('CONFIG_INVALID', 'needs TOKEN')
  const { host, desk } = makeHost([
    { name: 'missing', command: '/no/such/program' },
    stdio('crashing', { exitAtStart: 3 }),
    { name: 'unset', fault },
    { name: 'good', transport: new Server().transport },
  ])
  await host.connect()

  expect([...host.statuses()].map(([name, status]) => [name, status.state === 'failed' ? status.error.code : status.state])).toEqual([
    ['missing', 'SERVER_UNREACHABLE'],
    ['crashing', 'SERVER_UNREACHABLE'],
    ['unset', 'CONFIG_INVALID'],
    ['good', 'ready'],
  ])
  await expect(host.callTool({ server: 'crashing', name: 'x' })).rejects.toMatchObject({
    message: expect.stringContaining('cannot start: no database') as string,
  })
  await expect(host.callTool({ server: 'unset', name: 'x' })).rejects.toBe(fault)
  expect(await host.callTool({ server: 'good', name: 'echo' })).toEqual({ content: [] })
  expect(desk.openSessions).toHaveLength(1)
})

test('a server that nobody named is SERVER_NOT_FOUND, two with one name are USAGE', async () => {
  const { host } = makeHost([{ name: 'a', transport: new Server().transport }])

  await expect(host.callTool({ server: 'b', name: 'x' })).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND', message: expect.stringContaining('"a"') as string })
  expect(() => makeHost([stdio('a'), stdio('a')])).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test('a call before connect connects', async () => {
  const { host } = makeHost([{ name: 'a', transport: new Server().transport }])

  expect(await host.callTool({ server: 'a', name: 'echo', arguments: { x: 1 } })).toEqual({ content: [], got: { x: 1 } })
})

test('a connection that is lost is made again with growing patience, each with a session of its own', async () => {
  const clock = new FakeClock()
  const server = new Server()
  const { host, desk, heard } = makeHost([{ name: 'a', transport: server.transport }], { clock })
  const status = heard('server-status')
  await host.connect()
  server.isDown = true
  await server.peer.close()
  await settled()
  const waiting = host.callTool({ server: 'a', name: 'echo' })
  await clock.pass(3500)
  server.isDown = false
  await clock.pass(4000)

  expect(await waiting).toEqual({ content: [] })
  expect(status.map(({ status: one }) => (one.state === 'reconnecting' ? `${one.state} ${one.attempt} in ${one.inMs}` : one.state))).toEqual([
    'connecting',
    'ready',
    'reconnecting 1 in 1000',
    'connecting',
    'reconnecting 2 in 2000',
    'connecting',
    'reconnecting 3 in 4000',
    'connecting',
    'ready',
  ])
  expect(desk.sessions.map(({ isClosed }) => isClosed)).toEqual([true, true, true, false])
})

test('a server that does not come back counts as failed after so many tries, and connects again when somebody says so', async () => {
  const clock = new FakeClock()
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }], { clock, reconnect: { attempts: 2 } })
  await host.connect()
  server.isDown = true
  await server.peer.close()
  await clock.pass(10_000)
  const failed = host.status('a')
  server.isDown = false
  await host.connect('a')

  expect([failed, host.status('a')]).toMatchObject([{ state: 'failed', error: { code: 'SERVER_UNREACHABLE' } }, { state: 'ready' }])
  expect(clock.pending).toBe(0)
})

test('connect does not wait for the next try', async () => {
  const clock = new FakeClock()
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }], { clock })
  await host.connect()
  await server.peer.close()
  await settled()
  const before = host.status('a').state
  await host.connect()

  expect([before, host.status('a').state, clock.pending]).toEqual(['reconnecting', 'ready', 0])
})

test('a server that dies again and again is not started for ever', async () => {
  const clock = new FakeClock()
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }], { clock, reconnect: { attempts: 3 } })
  await host.connect()
  for (let time = 0; time < 5 && host.status('a').state !== 'failed'; time += 1) {
    await server.peer.close()
    await clock.pass(20_000)
  }

  expect([host.status('a').state, server.peers.length]).toEqual(['failed', 4])
})

test('a transport that can be used once is not tried again', async () => {
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport() }])
  await host.connect()
  await server.peer.close()
  await settled()

  expect(host.status('a')).toMatchObject({ state: 'failed', error: { code: 'CONNECTION_LOST' } })
})

test('a call that the loss interrupted is not made again', async () => {
  const server = new Server()
  server.onCall = () => undefined
  const { host } = makeHost([{ name: 'a', transport: server.transport }], { reconnect: { firstMs: 1 } })
  await host.connect()
  const outcome = host.callTool({ server: 'a', name: 'pay' }).catch((error: unknown) => error)
  await settled()
  await server.peer.close()

  expect(await outcome).toMatchObject({ code: 'CONNECTION_LOST' })
  await expect.poll(() => host.status('a').state).toBe('ready')
  expect(server.peer.methods).not.toContain('tools/call')
})

test('lists are read once, again when they change, and a storm of changes is read once', async () => {
  const server = new Server()
  const { host, heard } = makeHost([{ name: 'a', transport: server.transport }])
  const changed = heard('tools-changed')
  await host.connect()
  const first = await Promise.all([host.listTools('a'), host.listTools()])
  server.tools = [...server.tools, { name: 'more' }, { title: 'without a name' }]
  for (let times = 0; times < 20; times += 1) server.peer.send({ method: 'notifications/tools/list_changed' })
  await expect.poll(() => changed).toHaveLength(1)

  const echo = { server: 'a', name: 'echo', definition: { name: 'echo', inputSchema: { type: 'object' } } }
  expect(first).toEqual([[echo], [echo]])
  expect(changed[0]!.entries).toEqual([echo, { server: 'a', name: 'more', definition: { name: 'more' } }])
  expect(server.peer.methods.filter((method) => method === 'tools/list')).toHaveLength(2)
})

test('a list that changed is not read from memory, even before everybody is told', async () => {
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }])
  await host.listTools('a')
  server.tools = []
  server.peer.send({ method: 'notifications/tools/list_changed' })
  await settled()

  expect(await host.listTools('a')).toEqual([])
})

test('the tools of all servers are those of the ready ones', async () => {
  const { host } = makeHost([
    { name: 'a', transport: new Server().transport },
    { name: 'gone', command: '/no/such/program' },
  ])
  await host.connect()

  expect((await host.listTools()).map(({ server, name }) => [server, name])).toEqual([['a', 'echo']])
  expect(await host.listResources('a')).toEqual([])
  await expect(host.listTools('gone')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('prompts and resources are asked for by name, other requests by method', async () => {
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }])
  await host.connect()
  const outcomes = await Promise.allSettled([
    host.getPrompt({ server: 'a', name: 'p', arguments: { x: '1' } }),
    host.readResource({ server: 'a', uri: 'file:///r' }),
    host.request({ server: 'a', method: 'vendor/x', params: { y: 1 } }),
  ])

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(server.peer.received.slice(-3).map(({ method, params }) => [method, { ...params, _meta: undefined }])).toEqual([
    ['prompts/get', { name: 'p', arguments: { x: '1' } }],
    ['resources/read', { uri: 'file:///r' }],
    ['vendor/x', { y: 1 }],
  ])
})

test('progress, stderr and logs are told with the name of the server', async () => {
  const { host, heard } = makeHost([stdio('a', { junk: true })])
  const [progress, stderr, log] = [heard('progress'), heard('stderr'), heard('log')]
  const own: number[] = []
  await host.connect()
  await host.callTool({ server: 'a', name: 'progress', onProgress: (one) => own.push(one.progress) })
  await host.callTool({ server: 'a', name: 'noise' })

  expect([progress, own]).toEqual([[{ server: 'a', name: 'progress', progress: { progress: 1, total: 2, message: 'half' } }], [1]])
  expect(stderr.every(({ server }) => server === 'a') && stderr.map(({ text }) => text).join('').length).toBe(300_000)
  expect(log[0]).toMatchObject({ server: 'a', entry: { from: 'connection' } })
})

test('closing ends everything, twice is once, and nothing begins afterwards', async () => {
  const server = new Server()
  server.onCall = () => undefined
  const clock = new FakeClock()
  const { host, desk, heard } = makeHost([stdio('a'), { name: 'b', transport: server.transport }], { clock })
  const status = heard('server-status')
  await host.connect()
  const outcome = host.callTool({ server: 'b', name: 'never' }).catch((error: unknown) => error)
  await settled()
  const closing = Promise.all([host.close(), host.close()])
  for (let turn = 0; turn < 100 && host.status('a').state !== 'closed'; turn += 1) {
    await clock.pass(100)
    await settled()
  }
  await closing

  expect(await outcome).toMatchObject({ code: 'CALL_CANCELLED' })
  expect({ open: desk.openSessions, listeners: desk.sessions.map(({ listeners }) => listeners), timers: clock.pending }).toEqual({
    open: [],
    listeners: [0, 0],
    timers: 0,
  })
  expect(
    states(status)
      .filter((state) => state.endsWith('closed'))
      .toSorted(),
  ).toEqual(['a closed', 'b closed'])
  await expect(host.callTool({ server: 'b', name: 'x' })).rejects.toBeInstanceOf(Error)
})

test('closing while a server is still being connected to, or waited for, leaves nothing', async () => {
  const server = new Server()
  const { host, desk } = makeHost([stdio('silent', { probe: 'silent', startDelayMs: 5000 }), { name: 'lost', transport: server.transport }])
  const connecting = host.connect()
  await settled()
  await server.peer.close()
  await settled()
  await host.close()
  await connecting

  expect([[...host.statuses().values()].map(({ state }) => state), desk.openSessions]).toEqual([['closed', 'closed'], []])
})

test('a listener can stop listening', async () => {
  const { host } = makeHost([{ name: 'a', transport: new Server().transport }])
  const heard: string[] = []
  const stop = host.on('server-status', ({ status }) => heard.push(status.state))
  stop()
  await host.connect()

  expect(heard).toEqual([])
})

test('a call that is cancelled while it waits for its server is CALL_CANCELLED, and the server is still being connected to', async () => {
  const { host } = makeHost([stdio('slow', { startDelayMs: 300 })])
  const controller = new AbortController()
  const outcome = host.callTool({ server: 'slow', name: 'echo', signal: controller.signal }).catch((error: unknown) => error)
  controller.abort()

  expect([await outcome, host.status('slow').state]).toMatchObject([{ code: 'CALL_CANCELLED' }, 'connecting'])
  await host.connect()
  expect(host.status('slow').state).toBe('ready')
})

test('servers that are added, changed and taken away while a host runs: the others go on', async () => {
  const [a, b] = [new Server(), new Server()]
  const { host, desk, heard } = makeHost([{ name: 'a', transport: a.transport }, stdio('b')])
  const removed = heard('server-removed')
  await host.connect()
  const before = { name: 'a', transport: a.transport }
  const kept = host.update([before, stdio('b')])
  await host.connect()
  const changed = host.update([before, { name: 'b', transport: b.transport }, { name: 'c', transport: b.transport }])
  await host.connect()
  const gone = host.update([before])

  expect({ kept, changed, gone, names: [...host.statuses().keys()], removed }).toEqual({
    kept: [],
    changed: ['b', 'c'],
    gone: [],
    names: ['a'],
    removed: [{ server: 'b' }, { server: 'c' }],
  })
  await host.close()
  expect(desk.openSessions).toEqual([])
})

test('a server that is stopped is idle until somebody starts it again', async () => {
  const server = new Server()
  const { host } = makeHost([{ name: 'a', transport: server.transport }])
  await host.connect()
  await host.stop('a')
  const stopped = host.status('a').state
  await host.connect('a')

  expect([stopped, host.status('a').state, server.peers.length]).toEqual(['idle', 'ready', 2])
})
