import { expect, onTestFinished, test } from 'vitest'
import { key, serve, streamPair } from '../../test/fixtures/desk-line.ts'
import type { ConnectionOrigin, Heard } from '../protocol/index.ts'
import { connection, seatQuestion } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import type { ObservedSession } from './desk-observer.ts'
import { RemoteChannel } from './remote-channel.ts'
import { RemoteDesk } from './remote-desk.ts'
import { greetDesk } from './remote-greeting.ts'
import { deskLimits } from './remote-limits.ts'
import type { RemoteServer } from './remote-server.ts'

/** A desk whose observer keeps what it hears, and a wrap that asks there; both speak these versions. */
class Line {
  readonly heard: Heard[] = []
  readonly sessions: ObservedSession[] = []
  readonly remote: RemoteDesk
  channel: RemoteChannel | undefined
  server: RemoteServer | undefined
  readonly #wake: (() => void)[] = []

  constructor({ wrap, desk }: { readonly wrap?: readonly number[]; readonly desk?: readonly number[] } = {}) {
    this.remote = new RemoteDesk({
      connect: async () => {
        const [near, far] = streamPair()
        if (this.server === undefined) throw new Error('no desk runs')
        this.server.accept(far)
        const channel = (this.channel = new RemoteChannel(near, deskLimits))
        await greetDesk(channel, { key, versions: wrap })
        return channel
      },
      pauseMs: { first: 1, longest: 4 },
    })
    this.start(desk)
    onTestFinished(async () => {
      await this.remote.close()
      await this.server?.close()
    })
  }

  start(versions?: readonly number[]): void {
    const { desk, inbox } = createLocalDesk()
    inbox.attach({ name: 'somebody', kinds: ['form'] })
    const open = (origin: ConnectionOrigin): ObservedSession => {
      const session = desk.open(origin) as ObservedSession
      this.#note(() => this.sessions.push(session))
      return Object.assign(session, { heard: (heard: Heard) => (this.#note(() => this.heard.push(heard)), true) })
    }
    this.server = serve({ open, versions })
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wake.push(resolve))
  }

  #note(change: () => void): void {
    change()
    for (const wake of this.#wake.splice(0)) wake()
  }
}

const words = (text: string): Heard => ({ kind: 'stderr', text })
const message: Heard = { kind: 'traffic', from: 'server', line: '{"id":1}', missed: 2 }

test('what a server says beside its questions reaches whoever watches the desk, and the wrap hears whether somebody wants to see all', async () => {
  const line = new Line()
  const session = line.remote.open(connection)
  await session.opened
  const turns: boolean[] = []
  const isTurned = new Promise<void>((resolve) => session.on('traffic-wanted', (isWanted) => (turns.push(isWanted), isWanted || resolve())))
  session.heard(words('up'))
  session.heard(message)
  await line.until(() => line.heard.length === 2)
  line.sessions[0]!.showTraffic(true)
  line.sessions[0]!.showTraffic(true)
  line.sessions[0]!.showTraffic(false)
  await isTurned

  expect([line.heard, turns]).toEqual([
    [words('up'), { ...message, bytes: undefined }],
    [true, false],
  ])
})

test('a desk that comes back is told the last lines again; what was wanted is wanted no more until it says so', async () => {
  const line = new Line()
  const session = line.remote.open(connection)
  await session.opened
  session.heard(words('aaaa\n'.repeat(5_000)))
  session.heard(words('last'))
  await line.until(() => line.heard.length === 2)
  line.sessions[0]!.showTraffic(true)
  await new Promise<void>((resolve) => void session.on('traffic-wanted', () => resolve()))
  const old = line.server!
  line.server = undefined
  line.channel!.breakOff('killed')
  await old.close()
  const [wantedWithout, isLost] = [session.wantsTraffic, session.heard(message)]
  line.start()
  await line.until(() => line.heard.length === 3)

  expect([wantedWithout, isLost, session.wantsTraffic]).toEqual([false, false, false])
  expect(line.heard[2]).toEqual(words(`${'aaaa\n'.repeat(3_276)}last`))
})

test.each([
  ['a desk of an earlier version', { desk: [1] }],
  ['a wrap of an earlier version', { wrap: [1] }],
])('%s is told nothing that it does not know, and questions are answered as before', async (_, versions) => {
  const line = new Line(versions)
  const session = line.remote.open(connection)
  await session.opened
  const isTold = session.heard(words('up'))
  session.reportClient('elicitation', 'cancels')
  const asker = new AbortController()
  const answer = session.answer(seatQuestion, asker.signal)
  await new Promise<void>((resolve) => void session.on('waiting', () => resolve()))
  asker.abort(new Error('enough'))

  expect([isTold, await answer, line.heard, line.channel!.version]).toEqual([false, { outcome: 'withdrawn', reason: 'enough' }, [], 1])
})

test('what may be lost is lost where the desk does not read, and ends nothing', async () => {
  const [near, far] = streamPair()
  far.pause()
  const channel = new RemoteChannel(near, deskLimits)
  let sent = 0
  while (channel.offer({ text: 'x'.repeat(10_000) })) sent += 1
  let isOver = false
  void channel.closed.then(() => (isOver = true))
  await new Promise((resolve) => setImmediate(resolve))

  expect([sent > 10, sent < 60, isOver]).toEqual([true, true, false])
  channel.breakOff('the end of the test')
})
