import { afterEach, expect, test } from 'vitest'
import { FakeDesk } from '../../test/fixtures/fake-desk.ts'
import { FakeClock } from '../../test/fixtures/fake-session.ts'
import { RawPeer, settled, type RawMessage } from '../../test/fixtures/raw-peer.ts'
import { Host } from './host.ts'

const hosts: Host[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A server whose calls hang until `finish`, started afresh as often as somebody likes. */
function makeServer(): {
  readonly host: Host
  readonly desk: FakeDesk
  readonly clock: FakeClock
  readonly peers: RawPeer[]
  readonly fail: (isDown: boolean) => void
} {
  const peers: RawPeer[] = []
  let isDown = false
  const transport = (): RawPeer['client'] => {
    if (isDown) throw new Error('down')
    const peer = new RawPeer()
    peers.push(peer)
    peer.onRequest = ({ method, params }: RawMessage) => {
      if (method === 'initialize')
        return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {}, resources: {} }, serverInfo: { name: 's', version: '1' } } }
      if (method === 'tools/call') return params?.['name'] === 'hang' ? undefined : { result: { content: [], by: peers.indexOf(peer) } }
      return { result: {} }
    }
    return peer.client
  }
  const desk = new FakeDesk()
  const clock = new FakeClock()
  const host = new Host({ desk, clock, servers: [{ name: 'notes', transport, protocol: '2025-11-25' }], random: () => 1, reconnect: { attempts: 1 } })
  hosts.push(host)
  return { host, desk, clock, peers, fail: (down) => (isDown = down) }
}

test('a call that runs when its server is started afresh gets a moment to end, then an error, and is never sent again', async () => {
  const { host, clock, peers } = makeServer()
  await host.connect()
  const call = host.callTool({ server: 'notes', name: 'hang' })
  const ended = expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', data: { restarted: true } })
  await settled()

  const restarted = host.restart('notes')
  const later = host.callTool({ server: 'notes', name: 'echo' })
  await clock.pass(1999)
  const before = peers.length
  await clock.pass(1)
  await restarted
  await ended

  expect({ before, after: peers.length, later: await later }).toEqual({ before: 1, after: 2, later: { content: [], by: 1 } })
  expect(peers[1]!.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.['name'])).toEqual(['echo'])
})

test('a call that ends in time is not lost, and the fresh server is there at once', async () => {
  const { host, clock, peers } = makeServer()
  await host.connect()
  const call = host.callTool({ server: 'notes', name: 'hang' })
  const sent = await peers[0]!.next(({ method }) => method === 'tools/call')
  const restarted = host.restart('notes')
  peers[0]!.send({ id: sent.id, result: { content: [], done: true } })

  expect(await call).toEqual({ content: [], done: true })
  await restarted
  expect({ peers: peers.length, now: clock.now(), state: host.status('notes').state }).toEqual({ peers: 2, now: 0, state: 'ready' })
})

test('the fresh server is told its log level and its subscriptions again, and nothing that was taken back', async () => {
  const { host, peers } = makeServer()
  await host.connect()
  for (const [method, params] of [
    ['resources/subscribe', { uri: 'a:1' }],
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'a:2' }],
    ['resources/unsubscribe', { uri: 'a:1' }],
    ['logging/setLevel', { level: 'error' }],
  ] as const)
    await host.request({ server: 'notes', method, params })
  await host.restart('notes')

  expect(
    peers[1]!.received
      .filter(({ method }) => /subscribe|setLevel/.test(method ?? ''))
      .map(({ method, params }) => [method, params?.['uri'] ?? params?.['level']]),
  ).toEqual([
    ['resources/subscribe', 'a:2'],
    ['logging/setLevel', 'error'],
  ])
})

test('a desk may ask for it, each connection has a session of its own, and two wishes at once are one restart', async () => {
  const { host, desk, peers } = makeServer()
  await host.connect()
  desk.sessions[0]!.emit('restart-asked', 'folders')
  await Promise.all([host.restart('notes'), host.restart('notes')])

  expect({ peers: peers.length, sessions: desk.sessions.map(({ isClosed, origin }) => [isClosed, origin.canRestart]) }).toEqual({
    peers: 2,
    sessions: [
      [true, true],
      [false, true],
    ],
  })
})

test('a server that does not come back counts as lost, and is tried again as ever', async () => {
  const { host, clock, peers, fail } = makeServer()
  await host.connect()
  fail(true)
  const restarted = host.restart('notes')
  await clock.pass(60_000)
  await restarted

  expect({ state: host.status('notes').state, peers: peers.length }).toEqual({ state: 'failed', peers: 1 })
  fail(false)
  await host.connect()
  expect(host.status('notes').state).toBe('ready')
})

test('closing in the middle of a restart leaves nothing running', async () => {
  const { host, clock, peers } = makeServer()
  await host.connect()
  void host.callTool({ server: 'notes', name: 'hang' }).catch(() => undefined)
  await settled()
  const restarted = host.restart('notes')
  await host.close()
  await restarted

  expect({ state: host.status('notes').state, peers: peers.length, timers: clock.pending }).toEqual({ state: 'closed', peers: 1, timers: 0 })
})
