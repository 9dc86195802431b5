import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { FakeClock, FakeSession } from '../../test/fixtures/fake-session.ts'
import { systemClock } from '../mcp/clock.ts'
import type { Gateway, GatewayOptions } from './gateway.ts'
import { startGateway } from './start-gateway.ts'

interface Running {
  readonly gateway: Gateway
  readonly input: PassThrough
  readonly output: PassThrough
  readonly notices: string[]
  /** Resolves with the next line for the client. */
  readonly line: () => Promise<string>
  readonly stderr: () => string
}

/** A real server, in a line of JavaScript, and a client in this process. */
async function run(script: string, options: Partial<GatewayOptions> = {}): Promise<Running> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const session = new FakeSession()
  const notices: string[] = []
  let stderr = ''
  const gateway = await startGateway({
    server: { command: process.execPath, args: ['-e', script], env: {} },
    client: { input, output },
    wishes: { take: new Set(), pass: new Set() },
    before: () => session.can,
    openSession: () => Promise.resolve(session),
    onStderr: (bytes) => (stderr += bytes.toString()),
    notice: (sentence) => notices.push(sentence),
    platform: process.platform,
    ...options,
  })
  onTestFinished(() => gateway.kill())
  // Read by lines only where a test does: others look at the stream.
  let lines: AsyncIterator<string> | undefined
  const line = async (): Promise<string> => {
    lines ??= createInterface({ input: output, crlfDelay: 0 })[Symbol.asyncIterator]()
    return String((await lines.next()).value)
  }
  return { gateway, input, output, notices, line, stderr: () => stderr }
}

const echo = 'process.stdin.on("data", (chunk) => process.stdout.write(chunk))'
const say = (line: string): string => `process.stdout.write(${JSON.stringify(`${line}\n`)})`
const nothing = { roots: false, form: false, url: false, sampling: false, samplingTools: false }
const message = '{"jsonrpc":"2.0","method":"vendor/note","params":{"text":"é"}}'
/** Has said that it lives, so that its handlers are there. */
const ready = say('{"jsonrpc":"2.0","method":"ready"}')

test('what the client writes comes back from a server that repeats it, byte for byte', async () => {
  const { gateway, input, line } = await run(`${echo};process.stdin.on("end", () => process.exit(5))`)
  input.write(`${message}\n`)

  expect(await line()).toBe(message)
  input.end()
  expect(await gateway.ended).toEqual({ code: 5, signal: null })
})

const initialize = (capabilities: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
  })

test('the server is started at once, and the client is heard when what can be promised is known', async () => {
  let settle = (): void => undefined
  const settled = new Promise<void>((resolve) => (settle = resolve))
  const { input, line } = await run(`${ready};${echo}`, { before: () => nothing, prepare: () => settled })
  const text = initialize({})
  for (const part of [text.slice(0, 30), `${text.slice(30)}\n${message}\n`]) input.write(part)
  const first = await line()
  settle()

  expect([JSON.parse(first), await line(), await line()]).toEqual([{ jsonrpc: '2.0', method: 'ready' }, text, message])
})

test('where somebody may answer in place of any client, it is known whether they do before the client is heard: its first form is asked here', async () => {
  const session = Object.assign(new FakeSession(), { takenOver: new Set(['elicitation']) })
  const asks = JSON.stringify({
    jsonrpc: '2.0',
    id: 'q',
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  })
  const onCall = `process.stdin.on("data", (chunk) => String(chunk).includes("tools/call") && ${say(asks)})`
  let open: (session: FakeSession) => void = () => undefined
  const opened = new Promise<FakeSession>((resolve) => (open = resolve))
  const clients: (string | undefined)[] = []
  const { input, output } = await run(`${ready};${onCall}`, {
    prepare: () => Promise.resolve(),
    preparesForAll: true,
    openSession: (client) => (clients.push(client), opened),
  })
  let heard = ''
  output.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  for (const text of [
    initialize({ elicitation: {} }),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call"}',
  ])
    input.write(`${text}\n`)
  await expect.poll(() => clients.length, { timeout: 20_000 }).toBe(1)
  open(session)
  await session.questions(1)

  expect([clients, session.asked.map(({ kind }) => kind), heard.includes('elicitation/create')]).toEqual([['c'], ['elicitation'], false])
})

test('a client that answers everything itself has nobody prepared, and one that may not is waited for until it hangs up', async () => {
  const prepared: string[] = []
  const never = new Promise(() => undefined)
  const able = await run(echo, { prepare: () => (prepared.push('able'), never) })
  const everything = initialize({ roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } })
  able.input.write(`${everything}\n`)
  const passed = await able.line()
  const silent = await run('process.stdin.on("end", () => process.exit(3)).resume()', { prepare: () => (prepared.push('silent'), never) })
  silent.input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}')

  expect([passed, prepared, await silent.gateway.ended]).toEqual([everything, [], { code: 3, signal: null }])
})

test('the last words of a server that ends by itself reach the client, however slowly it takes them', async () => {
  const { gateway, output } = await run(`process.stdout.write(${JSON.stringify(`${message}\n`)}.repeat(20000), () => process.exit(7))`)
  let isOver = false
  const ended = gateway.ended.finally(() => (isOver = true))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const early = isOver
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))

  expect([early, await ended, text.split('\n').length - 1]).toEqual([false, { code: 7, signal: null }, 20_000])
})

test('a client that hangs up and takes nothing more does not keep us', async () => {
  const { gateway, input } = await run(
    `process.stdout.write(${JSON.stringify(`${message}\n`)}.repeat(40000));process.stdin.on("end", () => process.exit(0)).resume()`,
  )
  input.end()

  expect((await gateway.ended).code).toBe(0)
}, 10_000)

test('a message without its line end counts where the stream ends; half a message does not', async () => {
  const { gateway, output } = await run(`process.stdout.write(${JSON.stringify(`${message}\n${message}`)}, () => process.exit(0))`)
  await gateway.ended
  const half = await run('process.stdout.write(\'{"jsonrpc":"2.0","met\', () => process.exit(0))')
  await half.gateway.ended

  expect([String(output.read()), half.output.read()]).toEqual([`${message}\n${message}\n`, null])
})

test('a killed server is told apart from one that ended', async () => {
  const { gateway } = await run('process.kill(process.pid, "SIGKILL")')

  expect(await gateway.ended).toEqual({ code: null, signal: 'SIGKILL' })
})

test('a server that stays when its input ends gets SIGTERM after 1.5 s', async () => {
  const clock = new FakeClock()
  const running = await run(`${ready};setInterval(() => {}, 1000)`, { clock })
  await running.line()
  running.input.end()
  await until(() => clock.pending === 2)
  await clock.pass(1499)
  const early = clock.pending
  await clock.pass(1)

  expect([early, await endOf(running, clock)]).toEqual([2, { code: null, signal: 'SIGTERM' }])
})

test('a server that ignores SIGTERM too gets SIGKILL after 3 s', async () => {
  const clock = new FakeClock()
  const running = await run(`process.on("SIGTERM", () => ${say('{"jsonrpc":"2.0","method":"deaf"}')});${ready};setInterval(() => {}, 1000)`, { clock })
  await running.line()
  running.input.end()
  await until(() => clock.pending === 2)
  await clock.pass(2999)

  expect(await running.line()).toContain('deaf')
  await clock.pass(1)
  expect(await endOf(running, clock)).toEqual({ code: null, signal: 'SIGKILL' })
})

test('helpers that hold the output of a server that is gone are not waited for, and are ended', async () => {
  const helper = 'setInterval(() => {}, 1000)'
  const { gateway } = await run(
    `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(helper)}], { stdio: "inherit" }).on("spawn", () => process.exit(3))`,
  )

  expect(await gateway.ended).toEqual({ code: 3, signal: null })
})

test('a client that takes no more ends the server', async () => {
  const { gateway, output, line } = await run(`${ready};process.stdin.on("end", () => process.exit(4)).resume()`)
  await line()
  output.destroy()

  expect(await gateway.ended).toEqual({ code: 4, signal: null })
})

test('a server that closes its output has nothing more to say, and is ended', async () => {
  const { gateway } = await run('require("node:fs").closeSync(1);process.stdin.on("end", () => process.exit(6)).resume()')

  expect(await gateway.ended).toEqual({ code: 6, signal: null })
})

test('a server that takes no more is ended', async () => {
  const { gateway, input, line } = await run(`require("node:fs").closeSync(0);${ready};setTimeout(() => process.exit(8), 300)`)
  await line()
  for (let count = 0; count < 3; count += 1) input.write(`${message}\n`)

  expect((await gateway.ended).code).toBe(8)
})

test('a signal goes to the server too', async () => {
  const { gateway, line } = await run(`process.on("SIGINT", () => process.exit(9));${ready};setInterval(() => {}, 1000)`)
  await line()
  gateway.end('SIGINT')

  expect(await gateway.ended).toEqual({ code: 9, signal: null })
})

test('what the server says to people is always read', async () => {
  const { gateway, stderr } = await run('process.stderr.write("n".repeat(300000), () => process.exit(0))')
  await gateway.ended

  expect(stderr().length).toBe(300_000)
})

test('a command that is not there is said so', async () => {
  await expect(run('', { server: { command: '/no/such/program', args: [], env: {} } })).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('a message that is too long ends the connection with a reason', async () => {
  const { gateway, notices } = await run('process.stdout.write("x".repeat(3 * 1024 * 1024));process.stdin.on("end", () => process.exit(0)).resume()', {
    maxLineBytes: 2 * 1024 * 1024,
  })
  await gateway.ended

  expect(notices).toEqual([expect.stringContaining('longer than 2 MB')])
})

test('a client that reads slowly slows the server down, and memory stays', async () => {
  const flood = `const line = ${JSON.stringify(`{"jsonrpc":"2.0","method":"n","params":{"t":"${'x'.repeat(900)}"}}\n`)};
    let sent = 0; const more = () => { while (sent < 40000) { sent += 1; if (!process.stdout.write(line)) return process.stdout.once("drain", more) } process.stdout.write("", () => process.exit(0)) }; more()`
  const { gateway, output } = await run(flood)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const kept = output.readableLength + output.writableLength
  let total = 0
  output.on('data', (chunk: Buffer) => (total += chunk.length))
  await gateway.ended

  expect(kept).toBeLessThan(2 * 1024 * 1024)
  expect(total).toBe(40_000 * 949)
})

test('whoever started us is looked for only while it is not read; gone, it ends the server', async () => {
  const looks: number[] = []
  const clock = { ...systemClock, after: (ms: number, action: () => void): (() => void) => systemClock.after(ms === 2000 ? 20 : ms, action) }
  const { gateway, input } = await run('setTimeout(() => process.stdin.resume(), 600);process.stdin.on("end", () => process.exit(0))', {
    clock,
    isOrphan: () => (looks.push(1), true),
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const before = looks.length
  for (let count = 0; count < 40; count += 1) input.write(`{"jsonrpc":"2.0","method":"n","params":{"t":"${'x'.repeat(20_000)}"}}\n`)

  expect([before, (await gateway.ended).code, looks.length]).toEqual([0, 0, 1])
})

/** Lets the clock go on until the server is gone: quiet is measured in time. */
async function endOf({ gateway }: Running, clock: FakeClock): Promise<unknown> {
  let end: unknown
  void gateway.ended.then((result) => (end = result))
  await until(async () => {
    await clock.pass(200)
    return end !== undefined
  })
  return end
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}
