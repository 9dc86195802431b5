import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { StdioTransport, type StdioTransportOptions } from './stdio-transport.ts'

const peer = join(import.meta.dirname, '../../test/fixtures/stdio-peer.mjs')
const opened: StdioTransport[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()))
})

interface Talk {
  readonly transport: StdioTransport
  readonly closed: Promise<void>
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<unknown>
}

async function start(behaviour: object = {}, options: Partial<StdioTransportOptions> = {}): Promise<Talk> {
  const transport = new StdioTransport({ command: process.execPath, args: [peer, JSON.stringify(behaviour)], env: {}, ...options })
  opened.push(transport)
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>()
  const onmessage = (message: JSONRPCMessage): void => waiting.get((message as { id?: unknown }).id)?.(message)
  const closed = new Promise<void>((onclose) => Object.assign(transport, { onclose, onmessage }))
  await transport.start()
  let id = 0
  const ask = (method: string, params: Record<string, unknown> = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      id += 1
      waiting.set(id, resolve)
      transport.send({ jsonrpc: '2.0', id, method, params }).catch(reject)
    })
  return { transport, closed, ask }
}

const call = (name: string, args = {}): [string, Record<string, unknown>] => ['tools/call', { name, arguments: args }]
const textOf = (answer: unknown): string => (answer as { result: { content: [{ text: string }] } }).result.content[0].text
/** A zombie that nobody has collected yet is dead. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('the server gets the environment that is given, and nothing of ours', async () => {
  const { ask } = await start({}, { env: { ONLY: 'this' } })

  expect(Object.keys(JSON.parse(textOf(await ask(...call('environment')))) as object).filter((name) => !name.startsWith('__'))).toEqual(['ONLY'])
})

test('junk on stdout is reported and skipped, the session lives', async () => {
  const faults: string[] = []
  const { ask } = await start({ junk: true }, { onFault: (fault) => faults.push(fault) })

  expect(textOf(await ask(...call('echo', { a: 1 })))).toBe('{"a":1}')
  expect(faults).toEqual([expect.stringContaining('Listening on stdio!'), expect.stringContaining('half')])
})

test('a line cut into single bytes, inside characters, with CRLF, is put together', async () => {
  const { ask } = await start()

  expect(textOf(await ask(...call('split')))).toBe('héllo \u{1f600}')
})

test('a message of 12 MB arrives (the SDK ends the connection at 10 MB)', async () => {
  const { ask } = await start()
  await ask('ping')

  expect(textOf(await ask(...call('big', { bytes: 12_000_000 })))).toHaveLength(12_000_000)
})

test('a message over the limit ends the connection, and says why', async () => {
  const faults: string[] = []
  const { transport, ask, closed } = await start({}, { maxLineBytes: 1024 * 1024, onFault: (fault) => faults.push(fault) })
  void ask(...call('big', { bytes: 2_000_000 }))

  await closed
  expect(transport.fault).toBe('The server sent a message of more than 1 MB')
})

test('bytes that are no UTF-8 come through as a message that says so', async () => {
  const { transport } = await start()
  const received = new Promise<JSONRPCMessage>((onmessage) => Object.assign(transport, { onmessage }))
  await transport.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'latin' } })

  expect(await received).toMatchObject({ jsonrpc: 'not UTF-8', id: 9 })
})

test('stderr is always read: a server that writes 300 KB there in the middle of a call does not freeze', async () => {
  let heard = 0
  const { transport, ask } = await start({}, { onStderr: (text) => (heard += text.length) })

  expect(textOf(await ask(...call('noise')))).toBe('quiet')
  await transport.close()
  expect(heard).toBe(300_000)
  expect(transport.end?.stderr).toHaveLength(8192)
})

test('the end of a server is told with its exit code, its signal and its last words', async () => {
  const [first, second] = await Promise.all([start(), start()])
  void first.ask(...call('die'))
  void second.ask(...call('kill'))
  await Promise.all([first.closed, second.closed])

  expect([first.transport.end, second.transport.end]).toEqual([
    { code: 7, signal: null, stderr: 'out of memory\n' },
    { code: null, signal: 'SIGKILL', stderr: '' },
  ])
})

test('a command that does not exist is SERVER_UNREACHABLE, and closing it afterwards is fine', async () => {
  const transport = new StdioTransport({ command: '/no/such/program', env: {}, cwd: '/' })

  await expect(transport.start()).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE', data: { command: '/no/such/program' } })
  await transport.close()
})

test('a command with a null byte is SERVER_UNREACHABLE too', async () => {
  await expect(new StdioTransport({ command: 'a\0b', env: {} }).start()).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('closing ends the input first: a server that leaves by itself is not killed', async () => {
  const { transport, ask } = await start()
  await ask('ping')
  await Promise.all([transport.close(), transport.close()])

  expect(transport.end).toEqual({ code: 0, signal: null, stderr: '' })
})

test('a deaf server is ended with SIGKILL in the end', async () => {
  const { transport, ask } = await start({ deaf: true }, { graceMs: 50, terminateMs: 100 })
  await ask('ping')
  const pid = transport.pid!
  await transport.close()

  expect({ end: transport.end?.signal, alive: isAlive(pid) }).toEqual({ end: 'SIGKILL', alive: false })
})

test.skipIf(process.platform === 'win32')('a helper that outlives the command and holds its pipes is not waited for, and not left behind', async () => {
  const script = 'sleep 60 & echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"helper\\",\\"params\\":{\\"pid\\":$!}}"; read line; exit 3'
  const transport = new StdioTransport({ command: '/bin/sh', args: ['-c', script], env: { PATH: process.env['PATH'] ?? '' } })
  const helper = new Promise<{ readonly params: { readonly pid: number } }>((onmessage) => Object.assign(transport, { onmessage }))
  await transport.start()
  const { pid } = (await helper).params
  await transport.close()
  await expect.poll(() => isAlive(pid)).toBe(false)

  expect(transport.end?.code).toBe(3)
})

test('after the end nothing can be sent', async () => {
  const { transport } = await start()
  await transport.close()

  await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
})

test('a server that asks without end and never reads is ended, and the fault says why', async () => {
  const script =
    'const line = JSON.stringify({jsonrpc:"2.0",id:1,method:"ping"})+"\\n"; const flood = () => process.stdout.write(line.repeat(500), flood); flood()'
  const transport = new StdioTransport({ command: process.execPath, args: ['-e', script], env: {}, maxUnreadBytes: 2 * 1024 * 1024, graceMs: 50 })
  opened.push(transport)
  let waiting = 0
  let most = 0
  const answer = (): void => {
    most = Math.max(most, ++waiting)
    transport
      .send({ jsonrpc: '2.0', id: 1, result: {} })
      .catch(() => {})
      .finally(() => waiting--)
  }
  const closed = new Promise<void>((onclose) => Object.assign(transport, { onclose, onmessage: answer }))
  await transport.start()
  await closed

  expect(transport.fault).toBe('The server does not read: more than 2 MB wait for it')
  expect(most).toBeLessThan(20_000)
})
