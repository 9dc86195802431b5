import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { call, key, serve, streamPair } from '../../test/fixtures/desk-line.ts'
import type { JsonObject } from '../protocol/index.ts'
import { connection, seatQuestion } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import { RemoteChannel } from './remote-channel.ts'
import { greetCaller, greetDesk } from './remote-greeting.ts'
import { deskLimits } from './remote-limits.ts'
import type { RemoteServer, RemoteServerOptions } from './remote-server.ts'

const open = { type: 'open', session: 1, origin: connection, folders: [] }
const ask = { type: 'ask', id: 1, session: 1, request: seatQuestion }

function newServer(options: Partial<RemoteServerOptions> = {}): { readonly server: RemoteServer; readonly waiting: () => number } {
  const { desk, inbox } = createLocalDesk()
  inbox.attach({ name: 'somebody', kinds: ['form', 'url', 'prompt', 'completion', 'folders'] })
  const server = serve({ open: (origin) => desk.open(origin), ...options })
  onTestFinished(async () => {
    await server.close()
    await desk.close()
  })
  return { server, waiting: () => inbox.size }
}

/** Writes lines to a desk that was greeted, and waits for the end of the connection. */
async function endOf(server: RemoteServer, ...lines: readonly (object | string)[]): Promise<readonly JsonObject[]> {
  const channel = await call(server)
  const heard: JsonObject[] = []
  channel.open((message) => heard.push(message))
  for (const line of lines) channel.send(line as object)
  await channel.closed
  return heard
}

test.each<[string, readonly object[]]>([
  ['a type that nobody knows', [{ type: 'decide', id: 1, decision: { action: 'accept' } }]],
  ['no type', [{}]],
  ['a decision of what waits', [open, ask, { type: 'answered', id: 1, response: { outcome: 'answered', by: 'person', result: {} } }]],
  ['the same session twice', [open, open]],
  ['the same question twice', [open, ask, ask]],
  ['a session without a server', [{ ...open, origin: { connection: 'c1' } }]],
  ['a server without a target', [{ ...open, origin: { ...connection, server: { name: 'a', named: true } } }]],
  ['an id that is none', [open, { ...ask, id: '1' }]],
  ['an id that no counting gives', [open, { ...ask, id: 1e300 }]],
  ['a question of a kind that nobody knows', [open, { ...ask, request: { ...seatQuestion, kind: 'telepathy' } }]],
  ['a question of a revision that nobody knows', [open, { ...ask, request: { ...seatQuestion, revision: '2031-01-01' } }]],
  ['a name that is too long', [{ ...open, origin: { ...connection, connection: 'c'.repeat(5000) } }]],
  ['folders that are no list', [{ ...open, folders: { length: 1 } }]],
])('%s ends the connection, and leaves nothing waiting', async (_, lines) => {
  const { server, waiting } = newServer()
  await endOf(server, ...lines)
  await server.close()

  expect([server.size, waiting()]).toEqual([0, 0])
})

test('whoever does not know the key gets no further than hello, and learns nothing that helps', async () => {
  const { server } = newServer()
  const [near, far] = streamPair()
  server.accept(far)
  const channel = new RemoteChannel(near, deskLimits)

  await expect(greetDesk(channel, { key: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'DESK_UNREACHABLE' })
  channel.send({ proof: '0'.repeat(64) })
  expect([await channel.next(), await channel.closed, server.size]).toEqual([undefined, undefined, 0])
})

test('a desk that does not know the key is not believed, nor one that repeats what it hears', async () => {
  for (const isEcho of [false, true]) {
    const [near, far] = streamPair()
    const [wrap, other] = [new RemoteChannel(near, deskLimits), new RemoteChannel(far, deskLimits)]
    const greeted = greetDesk(wrap, { key })
    const hello = (await other.next())!
    other.send(isEcho ? { ...hello, proof: '0'.repeat(64) } : { hello: 'consentry', versions: [1], nonce: 'a'.repeat(64), proof: 'b'.repeat(64) })

    await expect(greeted).rejects.toMatchObject({ code: 'DESK_UNREACHABLE' })
    other.breakOff('done')
  }
})

test('a proof that was heard once proves nothing a second time', async () => {
  const { server } = newServer()
  const [near, far] = streamPair()
  const [heard, written] = [[] as string[], [] as string[]]
  near.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
  server.accept(far)
  const write = near.write.bind(near)
  near.write = ((line: string) => (written.push(line), write(line))) as typeof near.write
  await greetDesk(new RemoteChannel(near, deskLimits), { key })
  const [again, desk] = streamPair()
  server.accept(desk)
  const channel = new RemoteChannel(again, deskLimits)
  again.write(written[0]!)
  await channel.next()
  again.write(written[1]!)

  expect([await channel.next(), server.size]).toEqual([undefined, 1])
})

test.each<[string, string | Buffer]>([
  ['no JSON', 'hello\n'],
  ['a list', '[1]\n'],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d, 0x0a])],
  ['more than a greeting', `${'x'.repeat(5000)}\n`],
  ['more than a greeting, without an end', 'x'.repeat(5000)],
  ['two messages at once before it is asked', '{"hello":1}\n{"hello":2}\n{"hello":3}\n'],
])('a stranger that says %s is cut off', async (_, bytes) => {
  const { server } = newServer()
  const [near, far] = streamPair()
  server.accept(far)
  near.on('error', () => undefined).resume()
  near.write(bytes)

  await new Promise((resolve) => near.once('close', resolve))
  expect(server.size).toBe(0)
})

test('a stranger that says nothing is cut off in time', async () => {
  const { server } = newServer({ greetingMs: 5 })
  const [near, far] = streamPair()
  server.accept(far)
  near.resume()

  await new Promise((resolve) => near.once('close', resolve))
  expect(server.size).toBe(0)
})

test('however many say nothing, whoever greets is served at once', async () => {
  const { server } = newServer()
  const silent = Array.from({ length: 200 }, () => {
    const [near, far] = streamPair()
    server.accept(far)
    return new RemoteChannel(near, deskLimits)
  })
  const channel = await call(server)

  expect(server.size).toBe(1)
  channel.close()
  await server.close()
  await Promise.all(silent.map(({ closed }) => closed))
})

test('whatever a wrap says, nothing is decided, and nothing waits when it is gone', async () => {
  const word = fc.oneof(fc.constantFrom('open', 'ask', 'wait', 'withdraw', 'complete', 'close', 'refused', 'show', 'answered'), fc.string())
  const value = fc.oneof(fc.nat(3), fc.constant(connection), fc.constant(seatQuestion), fc.jsonValue(), fc.constant('e1'))
  const message = fc.record({ type: word, session: value, id: value, origin: value, folders: fc.constant([]), request: value, reason: value, wait: value })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(message, fc.constantFrom(open, ask))), async (messages) => {
      const { desk, inbox } = createLocalDesk()
      const decided: unknown[] = []
      inbox.attach({ name: 'somebody', kinds: ['form'] })
      inbox.on('review-closed', ({ settlement }) => settlement.outcome === 'decided' && decided.push(settlement))
      const server = serve({ open: (origin) => desk.open(origin) })
      const channel = await call(server)
      channel.open(() => undefined)
      for (const one of messages) channel.send(one)
      channel.close()
      await channel.closed
      await server.close()
      await desk.close()

      expect([decided, inbox.size, server.size]).toEqual([[], 0, 0])
    }),
    { numRuns: 60 },
  )
})

test('more questions than one wrap may have waiting are nobody’s at once', async () => {
  const { server, waiting } = newServer()
  const channel = await call(server)
  let refused = 0
  const full = new Promise<void>((resolve) =>
    channel.open((message) => {
      if (message['type'] === 'answered' && (refused += 1) >= 500) resolve()
    }),
  )
  channel.send(open)
  for (let id = 0; id < 1500; id += 1) channel.send({ ...ask, id })
  await full
  channel.close()
  await channel.closed
  await server.close()

  expect([refused >= 500, waiting()]).toEqual([true, 0])
})

test('a wrap that does not read is not read either, and not for ever', async () => {
  const [near, far] = streamPair()
  const small = new RemoteChannel(far, { message: 1000, waiting: 4000, patience: 500 })
  const heard: unknown[] = []
  small.open((message) => heard.push(message))
  near.on('error', () => undefined)
  const text = 'x'.repeat(900)
  for (let count = 0; count < 40; count += 1) small.send({ text })

  expect(far.isPaused()).toBe(true)
  expect(await small.closed).toBe('it does not read what it is sent')
})

test('a wrap of another version is told so, and only a newer one makes the desk give way', async () => {
  const newer: number[] = []
  const { server } = newServer({ versions: [2], onNewer: () => newer.push(1) })
  const ages: unknown[] = []
  for (const versions of [[1], [3], [1, 2]]) {
    const [near, far] = streamPair()
    server.accept(far)
    const channel = new RemoteChannel(near, deskLimits)
    ages.push(await greetDesk(channel, { key, versions }).catch((error: { readonly data: unknown }) => error.data))
    channel.close()
    await channel.closed
  }

  expect([ages, newer.length]).toEqual([[{ version: 'newer' }, { version: 'older' }, 2], 1])
})

test('a greeting that breaks off on the way ends on the desk’s side too', async () => {
  const [near, far] = streamPair()
  const caller = new RemoteChannel(near, deskLimits)
  const greeted = greetCaller(new RemoteChannel(far, deskLimits), { key })
  caller.send({ hello: 'consentry', versions: [1], nonce: 'a'.repeat(64) })
  await caller.next()
  caller.breakOff('gone')

  expect(await greeted).toMatchObject({ outcome: 'refused' })
})

test('the desk’s own window is opened by the desk, and nothing of it reaches whoever asked', async () => {
  const shown: string[] = []
  const { server } = newServer({ show: () => Promise.resolve(void shown.push('window')) })
  const channel = await call(server)
  const heard: JsonObject[] = []
  const done = new Promise<void>((resolve) => channel.open((message) => (heard.push(message), resolve())))
  channel.send({ type: 'show' })
  await done
  channel.close()

  expect([shown, heard]).toEqual([['window'], [{ type: 'done' }]])
})

test('an error of ours about one question is that question’s answer, and the desk goes on', async () => {
  const { desk } = createLocalDesk()
  const openFaulty = (): ReturnType<typeof desk.open> => Object.assign(desk.open(connection), { answer: () => Promise.reject(new Error('a fault')) })
  const { server } = newServer({ open: openFaulty })
  const channel = await call(server)
  const answered = new Promise<JsonObject>((resolve) => channel.open((message) => message['type'] === 'answered' && resolve(message)))
  channel.send(open)
  channel.send(ask)

  expect((await answered)['response']).toMatchObject({ outcome: 'refused', by: 'none', error: { code: 'INTERNAL' } })
  expect(server.size).toBe(1)
  channel.close()
  await desk.close()
})
