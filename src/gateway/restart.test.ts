import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import type { Gateway, GatewayOptions } from './gateway.ts'
import { startGateway } from './start-gateway.ts'

/** A server that says which of its processes answers: `NUMBER` stands for how often it was started. */
const script = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      if (process.argv[1] === params.clientInfo.dieIn) process.exit(9)
      if (process.argv[1] === params.clientInfo.refuseIn) return say({ id, error: { code: -32603, message: 'no' } })
      return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
    }
    if (params?.name === 'hang' || id === undefined) return
    if (params?.name === 'die') process.exit(7)
    say({ id, result: { by: process.argv[1], pid: process.pid } })
  }).on('close', () => params_deaf || process.exit(5))
  const params_deaf = process.argv[2] === 'deaf'
  if (params_deaf) { setInterval(() => {}, 1000); process.on('SIGTERM', () => {}) }
`

type Message = { readonly id?: unknown; readonly method?: string; readonly result?: { readonly by: string; readonly pid: number }; readonly error?: object }

interface Running {
  readonly gateway: Gateway
  readonly session: FakeSession
  readonly notices: string[]
  readonly input: PassThrough
  readonly started: () => number
  readonly say: (message: object) => void
  /** Resolves with the response to a request. */
  readonly answer: (id: number) => Promise<Message>
}

async function run(options: Partial<GatewayOptions> = {}, { clientInfo = {}, more = [] as readonly string[] } = {}): Promise<Running> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const session = new FakeSession()
  const notices: string[] = []
  let started = 1
  const command = (): { command: string; args: string[]; env: Record<string, string> } => ({
    command: process.execPath,
    args: ['-e', script, String(started), ...more],
    env: {},
  })
  const gateway = await startGateway({
    server: command(),
    client: { input, output },
    wishes: { take: new Set(), pass: new Set() },
    before: () => session.can,
    openSession: () => Promise.resolve(session),
    onStderr: () => undefined,
    notice: (sentence) => notices.push(sentence),
    platform: process.platform,
    prepareAgain: () => {
      started += 1
      return Promise.resolve(command())
    },
    ...options,
  })
  onTestFinished(() => gateway.kill())
  const got: Message[] = []
  let wake = (): void => undefined
  createInterface({ input: output }).on('line', (line) => {
    got.push(JSON.parse(line) as Message)
    wake()
  })
  const say = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answer = async (id: number): Promise<Message> => {
    for (;;) {
      const found = got.find((message) => message.id === id && message.method === undefined)
      if (found) return found
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  await answer(0)
  say({ method: 'notifications/initialized' })
  await gateway.conversation.openDesk()
  return { gateway, session, notices, input, started: () => started, say, answer }
}

const isBegun = 'it is started afresh; what runs has a moment to come to its end'
const call = (id: number, name = 'who'): object => ({ id, method: 'tools/call', params: { name } })

test('a call that is made in the middle of it is answered by the fresh server, one that ran ends with an error', async () => {
  const { session, say, answer, notices } = await run()
  say(call(1))
  const first = await answer(1)
  say(call(2, 'hang'))
  session.emit('restart-asked', 'folders')
  say(call(3))

  expect([first.result?.by, (await answer(3)).result?.by, (await answer(2)).error]).toEqual([
    '1',
    '2',
    expect.objectContaining({ data: { reason: 'restarted' } }),
  ])
  expect(() => process.kill(first.result!.pid, 0)).toThrow('ESRCH')
  expect(notices).toEqual([isBegun])
})

test('again and again, and twice at once', async () => {
  const { session, say, answer, started } = await run()
  for (let id = 1; id <= 3; id += 1) {
    session.emit('restart-asked', 'folders')
    say(call(id))
    await answer(id)
  }
  session.emit('restart-asked', 'folders')
  session.emit('restart-asked', 'folders')
  say(call(9))
  await answer(9)
  say(call(10))

  expect(Number((await answer(10)).result?.by)).toBeLessThanOrEqual(started())
})

test('a server that does not leave is killed, and the fresh one waits for that', async () => {
  const { session, say, answer } = await run({}, { more: ['deaf'] })
  say(call(1))
  const { pid } = (await answer(1)).result!
  session.emit('restart-asked', 'folders')
  say(call(2))

  expect((await answer(2)).result?.by).toBe('2')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}, 20_000)

test('where it cannot be prepared the server goes on as it is, and whoever asked hears of that', async () => {
  const ends: (string | undefined)[] = []
  const onRestarted = (fault: Error | undefined): void => void ends.push(fault?.message)
  const { session, say, answer, notices } = await run({ prepareAgain: () => Promise.reject(new Error('no sandbox')), onRestarted })
  session.emit('restart-asked', 'sandbox')
  say(call(1))

  expect([(await answer(1)).result?.by, notices, ends]).toEqual(['1', ['it is not started afresh, and goes on as it is: no sandbox'], ['no sandbox']])
})

test('a fresh start that was done is said too', async () => {
  const end = new Promise((resolve) => void run({ onRestarted: resolve }).then(({ session }) => session.emit('restart-asked', 'folders')))

  expect(await end).toBe(undefined)
})

test('it is ended where somebody at the desk says so', async () => {
  const { session, gateway, notices } = await run()
  session.emit('end-asked', undefined)

  expect([await gateway.ended, notices]).toEqual([{ code: null, signal: 'SIGTERM' }, ['it is ended, because somebody says so at the desk']])
})

test('a command that is not there any more is the end, and is said', async () => {
  const { session, gateway, notices } = await run({ prepareAgain: () => Promise.resolve({ command: '/nowhere/at-all', args: [], env: {} }) })
  session.emit('restart-asked', 'folders')

  expect([await gateway.ended, notices]).toEqual([{ code: null, signal: null }, [isBegun, expect.stringContaining('could not be started afresh')]])
})

test('a fresh server that dies in the handshake is the end, with its own exit code; one that refuses it is ended', async () => {
  const dying = await run({}, { clientInfo: { dieIn: '2' } })
  dying.session.emit('restart-asked', 'folders')
  const refusing = await run({}, { clientInfo: { refuseIn: '2' } })
  refusing.session.emit('restart-asked', 'folders')

  expect([await dying.gateway.ended, await refusing.gateway.ended]).toEqual([
    { code: 9, signal: null },
    { code: 5, signal: null },
  ])
  expect(refusing.notices.at(-1)).toContain('refused the handshake')
})

test('a server that dies while it makes room is replaced all the same', async () => {
  const { session, say, answer } = await run()
  say(call(1))
  const { pid } = (await answer(1)).result!
  say(call(2, 'hang'))
  session.emit('restart-asked', 'folders')
  process.kill(pid, 'SIGKILL')
  say(call(3))

  expect([(await answer(3)).result?.by, (await answer(2)).error]).toEqual(['2', expect.objectContaining({ data: { reason: 'restarted' } })])
})

test('a client that hangs up in the middle of it is not waited for, and nothing is left running', async () => {
  const { session, say, answer, input, gateway } = await run()
  say(call(1))
  const { pid } = (await answer(1)).result!
  say(call(2, 'hang'))
  session.emit('restart-asked', 'folders')
  input.end()
  await gateway.ended

  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a signal in the middle of it ends everything, with the server’s end', async () => {
  const { session, say, gateway } = await run()
  say(call(1, 'hang'))
  session.emit('restart-asked', 'folders')
  gateway.end('SIGTERM')

  expect(await gateway.ended).toEqual({ code: null, signal: 'SIGTERM' })
})

test('without a way to prepare it nothing is done', async () => {
  const { session, say, answer } = await run({ prepareAgain: undefined })
  session.emit('restart-asked', 'folders')
  say(call(1))

  expect((await answer(1)).result?.by).toBe('1')
})
