import { expect, onTestFinished, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import { key, serve, streamPair } from '../../test/fixtures/desk-line.ts'
import { connection, seatQuestion } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import { RemoteChannel } from './remote-channel.ts'
import { RemoteDesk } from './remote-desk.ts'
import { greetDesk } from './remote-greeting.ts'
import { deskLimits } from './remote-limits.ts'
import type { RemoteServer } from './remote-server.ts'
import type { RemoteSession } from './remote-session.ts'

const never = new AbortController().signal
const takenOver = { ...seatQuestion, isTakenOver: true }
const forClient = { outcome: 'withdrawn', isForClient: true, reason: expect.any(String) }

interface Line {
  readonly session: RemoteSession
  readonly atDesk: FakeSession
  /** What the wrap heard of taking over. */
  readonly heard: string[]
  lose(): void
}

/** A wrap at a desk that says what the test says; the wrap speaks these versions. */
async function open(versions?: readonly number[]): Promise<Line> {
  const atDesk = new FakeSession()
  let server: RemoteServer | undefined = serve({ open: () => atDesk })
  const served = server
  let channel: RemoteChannel | undefined
  const remote = new RemoteDesk({
    connect: async () => {
      if (server === undefined) throw new Error('no desk runs')
      const [near, far] = streamPair()
      server.accept(far)
      channel = new RemoteChannel(near, deskLimits)
      await greetDesk(channel, { key, versions })
      return channel
    },
    pauseMs: { first: 1, longest: 4 },
    patienceMs: 10,
  })
  onTestFinished(async () => {
    await remote.close()
    await served.close()
  })
  const session = remote.open(connection)
  await session.opened
  const heard: string[] = []
  session.on('take-over-asked', (kind) => heard.push(`asked: ${kind}`))
  session.on('take-over-ended', (kind) => heard.push(`ended: ${kind}`))
  const lose = (): void => {
    server = undefined
    channel!.breakOff('killed')
  }
  return { session, atDesk, heard, lose }
}

/** Everything that was said before has arrived. */
async function told(session: RemoteSession, atDesk: FakeSession): Promise<void> {
  const arrived = new Promise<void>((resolve) => void session.on('roots-changed', () => resolve()))
  atDesk.emit('roots-changed')
  await arrived
}

test('what is taken over, and what a client does not show, is told with what it is about', async () => {
  const { session, atDesk, heard } = await open()
  session.reportClient('sampling', 'silence')
  session.reportClient('elicitation', 'cancels')
  atDesk.emit('take-over-asked', 'sampling')
  atDesk.emit('take-over-asked', 'roots')
  atDesk.emit('take-over-ended', 'roots')
  await told(session, atDesk)

  expect([atDesk.reports, heard, [...session.takenOver]]).toEqual([
    ['sampling: silence', 'cancels'],
    ['asked: sampling', 'asked: roots', 'ended: roots'],
    ['sampling'],
  ])
})

test('a wrap or a desk of the version before knows of forms alone', async () => {
  const { session, atDesk, heard } = await open([2, 1])
  session.reportClient('sampling', 'silence')
  session.reportClient('elicitation', 'silence')
  atDesk.emit('take-over-asked', 'sampling')
  atDesk.emit('take-over-asked', 'elicitation')
  await told(session, atDesk)

  expect([atDesk.reports, heard]).toEqual([['silence'], ['asked: elicitation']])
})

test('a question in place of the client is its own again where nothing is taken over any more: also at a desk that was started since, and where none is left', async () => {
  const { desk } = createLocalDesk()
  const session = desk.open(connection)
  const lost = await open()
  lost.atDesk.emit('take-over-asked', 'elicitation')
  lost.lose()

  expect(await session.answer(takenOver, never)).toEqual(forClient)
  expect(await lost.session.answer(takenOver, never)).toEqual(forClient)
  await desk.close()
})
