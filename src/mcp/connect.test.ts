import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import type { JsonObject } from '../protocol/index.ts'
import { connect } from './connect.ts'
import type { ConnectOptions, ServerLogEntry } from './connect-options.ts'
import type { ConnectTarget } from './open-channel.ts'
import type { ServerConnection } from './server-connection.ts'

const peer = join(import.meta.dirname, '../../test/fixtures/stdio-peer.mjs')
const opened: ServerConnection[] = []
const folder = mkdtempSync(join(tmpdir(), 'connect-'))

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const target = (behaviour: object): ConnectTarget => ({ kind: 'stdio', command: process.execPath, args: [peer, JSON.stringify(behaviour)], env: {} })

async function open(behaviour: object, options: Partial<ConnectOptions> = {}): Promise<{ connection: ServerConnection; session: FakeSession }> {
  const session = new FakeSession()
  session.onAnswer = ({ kind }) => answered(kind === 'roots' ? { roots: [] } : { action: 'accept', content: { name: 'Ada' } })
  const connection = await connect({ target: target(behaviour), session, ...options })
  opened.push(connection)
  return { connection, session }
}

const textOf = (result: JsonObject): unknown => (result['content'] as readonly { readonly text: string }[])[0]!.text
const callText = async (connection: ServerConnection, name: string, args: JsonObject = {}): Promise<unknown> =>
  textOf(await connection.callTool({ name, arguments: args }))
/** What the server's processes saw, in order; `initialized` may still be on its way. */
function recorded(record: string): readonly string[] {
  const lines = readFileSync(record, 'utf8').trim().split('\n')
  const seen = lines.map((line) => JSON.parse(line) as { start?: number; method?: string })
  return seen.map(({ start, method }) => (start === undefined ? String(method) : 'start')).filter((method) => method !== 'notifications/initialized')
}

test('auto: a modern server is asked once, and no handshake is made', async () => {
  const record = join(folder, 'modern')
  const { connection } = await open({ era: 'modern', record })

  expect([connection.revision, await callText(connection, 'echo', { a: 1 })]).toEqual(['2026-07-28', '{"a":1}'])
  expect(recorded(record)).toEqual(['start', 'server/discover', 'tools/call'])
})

test('auto: a server that refuses the question goes on with the handshake of 2025, without a new start', async () => {
  const record = join(folder, 'refuse')
  const { connection } = await open({ record })

  expect([connection.revision, connection.server]).toEqual([
    '2025-11-25',
    { name: 'peer', version: '1', instructions: undefined, capabilities: { tools: { listChanged: true } } },
  ])
  expect(recorded(record)).toEqual(['start', 'server/discover', 'initialize'])
})

test.each([
  ['dies of the question', { probe: 'die' }, { probeTimeoutMs: 20_000 }, ['start', 'server/discover', 'start', 'initialize']],
  ['says nothing to it', { probe: 'silent' }, { probeTimeoutMs: 200, confusedTimeoutMs: 20_000 }, ['start', 'server/discover', 'initialize']],
  [
    'is confused by it',
    { probe: 'poison' },
    { probeTimeoutMs: 1000, confusedTimeoutMs: 1500 },
    ['start', 'server/discover', 'initialize', 'start', 'initialize'],
  ],
])('auto: a server that %s ends up with the handshake of 2025, and is asked no second time', async (name, behaviour, timeouts, expected) => {
  const record = join(folder, name)
  const eras = new Map()
  const { connection } = await open({ ...behaviour, record }, { eras, timeouts })
  const first = [connection.revision, await callText(connection, 'echo')]
  await connection.close()
  await open({ ...behaviour, record }, { eras, timeouts })

  expect(first).toEqual(['2025-11-25', '{}'])
  expect(recorded(record)).toEqual([...expected, 'tools/call', 'start', 'initialize'])
})

test('auto: a modern server that starts slowly is not taken for an old one', async () => {
  const { connection } = await open({ era: 'modern', startDelayMs: 500 }, { timeouts: { probeTimeoutMs: 100 } })

  expect(connection.revision).toBe('2026-07-28')
})

test('auto: a server that starts slowly and speaks both is remembered as modern', async () => {
  const eras = new Map()
  const behaviour = { era: 'both', startDelayMs: 500 }
  const { connection } = await open(behaviour, { eras, timeouts: { probeTimeoutMs: 100 } })
  await connection.close()
  const again = await open(behaviour, { eras, timeouts: { probeTimeoutMs: 100 } })

  expect([connection.revision, again.connection.revision]).toEqual(['2025-11-25', '2026-07-28'])
})

test('a verdict that has become wrong corrects itself', async () => {
  const session = new FakeSession()
  const behaviour = target({ era: 'modern' }) as Extract<ConnectTarget, { kind: 'stdio' }>
  const key = JSON.stringify([behaviour.command, behaviour.args, undefined])
  const eras = new Map([[key, 'legacy' as const]])
  const connection = await connect({ target: behaviour, session, eras })
  opened.push(connection)

  expect([connection.revision, eras.get(key)]).toEqual(['2026-07-28', 'modern'])
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)('a server of %s is spoken to as it speaks', async (revision) => {
  const { connection } = await open({ revision }, { protocol: '2025-11-25' })

  expect([connection.revision, await callText(connection, 'echo')]).toEqual([revision, '{}'])
})

test('a revision that was asked for is offered first', async () => {
  const record = join(folder, 'offer')
  await open({ revision: '2025-03-26', record }, { protocol: '2025-03-26' })
  const initialize = readFileSync(record, 'utf8')
    .split('\n')
    .find((line) => line.includes('"initialize"'))!

  expect((JSON.parse(initialize) as { params: unknown }).params).toMatchObject({
    protocolVersion: '2025-03-26',
    capabilities: { roots: { listChanged: true }, sampling: {} },
  })
})

test.each([
  ['a revision that nobody speaks', { revision: '1999-01-01' }, {}],
  ['2026-07-28 of an old server', {}, { protocol: '2026-07-28' }],
  ['2025-11-25 of a modern server', { era: 'modern' }, { protocol: '2025-11-25' }],
] as const)('%s is SERVER_UNREACHABLE', async (_, behaviour, options) => {
  await expect(open(behaviour, options)).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('a server that dies at its start is SERVER_UNREACHABLE with its last words', async () => {
  await expect(open({ exitAtStart: 3 })).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
    message: expect.stringContaining('cannot start: no database') as string,
    data: { exitCode: 3, stderr: 'cannot start: no database' },
  })
})

test('a command that does not exist is SERVER_UNREACHABLE, at once', async () => {
  await expect(connect({ target: { kind: 'stdio', command: '/no/such/program', env: {} }, session: new FakeSession() })).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
  })
})

test('connecting can be cancelled, and leaves no process', async () => {
  const controller = new AbortController()
  const record = join(folder, 'cancelled')
  const connecting = open({ probe: 'silent', record, era: 'legacy' }, { signal: controller.signal, timeouts: { probeTimeoutMs: 5000 } })
  setTimeout(() => controller.abort(), 300)

  await expect(connecting).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
})

test('a question before the answer to the handshake is answered, over a real process too (B14)', async () => {
  const { connection, session } = await open({ asksBeforeHandshake: true })

  expect([connection.revision, session.asked.map(({ kind }) => kind)]).toEqual(['2025-11-25', ['roots']])
})

test('a form is asked raw and answered, in both eras', async () => {
  const [legacy, modern] = await Promise.all([open({}), open({ era: 'modern' })])

  expect(await callText(legacy.connection, 'form')).toBe('{"action":"accept","content":{"name":"Ada"}}')
  expect(await callText(modern.connection, 'round')).toBe('{"state":"state","answers":{"who":{"action":"accept","content":{"name":"Ada"}}}}')
  expect(legacy.session.asked[0]?.params).toMatchObject({ requestedSchema: { properties: { name: { pattern: '^A', 'x-vendor': 1 } } } })
})

test.each([
  ['die', { exitCode: 7, signal: null, stderr: 'out of memory' }],
  ['kill', { exitCode: null, signal: 'SIGKILL', stderr: '' }],
])('a server that dies in the middle of a call (%s) ends it at once, and says how', async (tool, data) => {
  const losses: unknown[] = []
  const { connection } = await open({}, { onLost: (loss) => losses.push(loss.data) })

  await expect(connection.callTool({ name: tool })).rejects.toMatchObject({ code: 'CONNECTION_LOST', data })
  expect(losses).toEqual([data])
})

test('closing ends the calls first, and is no loss', async () => {
  const losses: unknown[] = []
  const { connection, session } = await open({}, { onLost: (loss) => losses.push(loss) })
  const outcome = connection.callTool({ name: 'never' }).catch((error: unknown) => error)
  await Promise.all([connection.close(), connection.close()])

  expect(await outcome).toMatchObject({ code: 'CALL_CANCELLED' })
  expect({ losses, listeners: session.listeners, isClosed: session.isClosed }).toEqual({ losses: [], listeners: 0, isClosed: false })
})

test('closing tells the server what becomes of its questions, those that wait their turn included', async () => {
  const record = join(folder, 'closing')
  const { connection, session } = await open({ record })
  session.onAnswer = () => undefined
  void connection.callTool({ name: 'burst', arguments: { count: 40 } }).catch(() => {})
  await session.questions(16)
  await connection.close()
  const answers = readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"call-ended"'))

  expect([answers.length, session.asked.length]).toEqual([40, 16])
})

test('a burst of 500 questions over a pipe: all answered', async () => {
  const { connection } = await open({})

  expect(await callText(connection, 'burst', { count: 500 })).toBe('500')
})

test('progress in the same chunk as the result is heard, over a pipe', async () => {
  const heard: unknown[] = []
  const { connection } = await open({})
  await connection.callTool({ name: 'progress' }, { onProgress: (progress) => heard.push(progress) })

  expect(heard).toEqual([{ progress: 1, total: 2, message: 'half' }])
})

test('bytes that are no UTF-8 in a response are PROTOCOL_VIOLATION, not silence', async () => {
  const { connection } = await open({})

  await expect(connection.callTool({ name: 'latin' })).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' })
})

test('what a server does wrong is in the log, and the session lives', async () => {
  const log: ServerLogEntry[] = []
  const { connection } = await open({ junk: true }, { onLog: (entry) => log.push(entry) })

  expect(await callText(connection, 'echo')).toBe('{}')
  expect(log.map(({ from, level }) => [from, level])).toEqual([
    ['connection', 'warning'],
    ['connection', 'warning'],
  ])
})

test('lists come whole, and empty from a server that has none of the kind', async () => {
  const { connection } = await open({})

  expect((await connection.list('tools')).map(({ name }) => name)).toContain('echo')
  expect(await connection.list('prompts')).toEqual([])
})

test('a transport that can be used once is asked and shaken hands with in place', async () => {
  const [client, server] = InMemoryTransport.createLinkedPair()
  Object.assign(server, {
    onmessage: (message: { id?: number; method?: string }) => {
      const answer =
        message.method === 'initialize'
          ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }
          : { error: { code: -32601, message: 'no' } }
      if (message.id !== undefined) void server.send({ jsonrpc: '2.0', id: message.id, ...answer } as never)
    },
  })
  const connection = await connect({ target: { kind: 'transport', transport: client }, session: new FakeSession() })
  opened.push(connection)

  expect(connection.revision).toBe('2025-11-25')
})

test('a revision that nobody speaks is named, also where the end of the connection comes in the same tick', async () => {
  const [client, server] = InMemoryTransport.createLinkedPair()
  const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 's', version: '1' } }
  Object.assign(server, {
    onmessage: (message: { id?: number }) => (message.id === undefined ? undefined : void server.send({ jsonrpc: '2.0', id: message.id, result } as never)),
  })

  await expect(connect({ target: { kind: 'transport', transport: client }, session: new FakeSession(), protocol: '2025-11-25' })).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
    message: expect.stringContaining('1999-01-01') as string,
  })
})

test('a timeout without end is no timeout of a millisecond', async () => {
  const { connection } = await open({}, { protocol: '2025-11-25', timeouts: { connectTimeoutMs: Infinity, callTimeoutMs: Infinity, humanTimeoutMs: Infinity } })

  expect(await callText(connection, 'echo')).toBe('{}')
})
