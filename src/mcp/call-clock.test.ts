import { expect, test } from 'vitest'
import { FakeClock } from '../../test/fixtures/fake-session.ts'
import { CallClock, type CallTimeouts } from './call-clock.ts'
import { longestTimer, systemClock } from './clock.ts'

function start(timeouts: Partial<CallTimeouts> = {}) {
  const clock = new FakeClock()
  const expired: string[] = []
  const call: CallClock = new CallClock(clock, { callTimeoutMs: 60_000, callTimeoutCapMs: 600_000, humanTimeoutMs: 1_800_000, ...timeouts }, (whose) => {
    expired.push(`${whose} ${clock.now()}`)
    call.stop()
  })
  return { clock, call, expired }
}

test('a silent server has its 60 seconds', async () => {
  const { clock, expired } = start()
  await clock.pass(59_999)
  expect(expired).toEqual([])
  await clock.pass(1)

  expect({ expired, timers: clock.pending }).toEqual({ expired: ['machine 60000'], timers: 0 })
})

test('time in which somebody is asked is not charged to the server', async () => {
  const { clock, call, expired } = start()
  await clock.pass(40_000)
  const resume = call.pause()
  await clock.pass(75_000)
  resume()
  resume()
  await clock.pass(19_999)
  expect(expired).toEqual([])
  await clock.pass(1)

  expect(expired).toEqual(['machine 135000'])
})

test('two questions at once: the server waits until both are done', async () => {
  const { clock, call, expired } = start()
  const [first, second] = [call.pause(), call.pause()]
  await clock.pass(100_000)
  first()
  await clock.pass(100_000)
  second()
  await clock.pass(60_000)

  expect(expired).toEqual(['machine 260000'])
})

test('people have half an hour for all questions of a call together', async () => {
  const { clock, call, expired } = start()
  call.pause()()
  const first = call.pause()
  await clock.pass(1_000_000)
  first()
  await clock.pass(10_000)
  call.pause()
  await clock.pass(800_000)

  expect(expired).toEqual(['human 1810000'])
})

test('progress gives the server its time anew, up to a cap', async () => {
  const { clock, call, expired } = start()
  for (let minute = 0; minute < 20 && expired.length === 0; minute += 1) {
    await clock.pass(50_000)
    call.progress()
  }

  expect(expired).toEqual(['machine 600000'])
})

test('a new request of the same call gives the server all its time anew', async () => {
  const { clock, call, expired } = start({ callTimeoutCapMs: 60_000 })
  await clock.pass(50_000)
  call.restart()
  await clock.pass(50_000)
  expect(expired).toEqual([])
  await clock.pass(10_000)

  expect(expired).toEqual(['machine 110000'])
})

test.each([Infinity, 2 ** 31, 1e12])('a timeout of %d does not fire after a millisecond (timers of the SDK do)', async (callTimeoutMs) => {
  const expired: string[] = []
  const call = new CallClock(systemClock, { callTimeoutMs, callTimeoutCapMs: Infinity, humanTimeoutMs: Infinity }, (whose) => expired.push(whose))
  await new Promise((resolve) => setTimeout(resolve, 30))
  call.stop()

  expect(expired).toEqual([])
})

test('longer than the longest timer is waited in pieces', async () => {
  const { clock, expired } = start({ callTimeoutMs: longestTimer + 5, callTimeoutCapMs: Infinity })
  await clock.pass(longestTimer)
  expect(expired).toEqual([])
  await clock.pass(5)

  expect(expired).toEqual([`machine ${longestTimer + 5}`])
})
