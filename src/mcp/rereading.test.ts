import { expect, test } from 'vitest'
import { connected } from '../../test/fixtures/connected.ts'
import { answered, FakeClock } from '../../test/fixtures/fake-session.ts'
import { settled, type RawPeer } from '../../test/fixtures/raw-peer.ts'
import { Rereading } from './rereading.ts'

test('a call waits until a server that reads its folders again has the new ones, and a moment more', async () => {
  const clock = new FakeClock()
  const rereading = new Rereading(clock)
  rereading.asked({ isInCall: false })()
  const before = rereading.over
  rereading.announced()
  const over = rereading.over!.then(() => clock.now())
  await clock.pass(300)
  const answer = rereading.asked({ isInCall: true })
  await clock.pass(5000)
  answer()
  await clock.pass(1000)

  expect([before, await over, rereading.over, clock.pending]).toEqual([undefined, 5400, undefined, 0])
})

test('a server that does not read again is waited for once, and so long', async () => {
  const clock = new FakeClock()
  const rereading = new Rereading(clock)
  rereading.asked({ isInCall: false })()
  rereading.announced()
  const over = rereading.over!.then(() => clock.now())
  await clock.pass(5000)
  rereading.announced()

  expect([await over, rereading.over]).toEqual([1000, undefined])
})

test('a server that asks only in the middle of calls, or never, is not waited for', () => {
  const rereading = new Rereading(new FakeClock())
  rereading.announced()
  const never = rereading.over
  rereading.asked({ isInCall: true })()
  rereading.announced()

  expect([never, rereading.over]).toEqual([undefined, undefined])
})

test('when the connection ends nobody waits any more', async () => {
  const clock = new FakeClock()
  const rereading = new Rereading(clock)
  rereading.asked({ isInCall: false })()
  rereading.announced()
  const over = rereading.over!
  rereading.close()
  rereading.close()

  expect([await over, clock.pending]).toEqual([undefined, 0])
})

test('a call that comes after the news of a change reaches the server after it has read its folders again', async () => {
  const clock = new FakeClock()
  const read = (peer: RawPeer, id: number): void => peer.send({ id, method: 'roots/list' })
  const setting = await connected({ clock, onRequest: ({ method }) => (method === 'tools/call' ? { result: { content: [] } } : undefined) })
  const { session, peer, attached, calls } = setting
  session.onAnswer = () => answered({ roots: [] })
  read(peer, 1)
  await session.questions(1)
  session.emit('roots-changed')
  await settled()
  const call = attached.callTool({ name: 'look' })
  await settled()
  const meanwhile = calls().length
  read(peer, 2)
  await session.questions(2)
  await settled()
  await clock.pass(100)
  await call
  attached.close()

  expect([meanwhile, calls().length, clock.pending]).toEqual([0, 1, 0])
})
