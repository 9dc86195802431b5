import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock } from '../../test/fixtures/fake-session.ts'
import { ConsentryError } from '../errors.ts'
import { defaultCallTimeouts } from './call-clock.ts'
import { OpenCalls, type OpenCall, type OpenQuestion } from './open-calls.ts'

const never = (): AbortSignal => new AbortController().signal
const tool = (name: string) => ({ kind: 'tool', name }) as const

test('the call of a question is named where exactly one is open, else their number, else nothing', () => {
  const calls = new OpenCalls(new FakeClock())
  const open = (name: string): OpenCall => calls.open(tool(name), defaultCallTimeouts)
  const named: unknown[] = [calls.ask(never()).call]
  calls.open(undefined, defaultCallTimeouts)
  named.push(calls.ask(never()).call)
  const first = open('a')
  named.push(calls.ask(never()).call)
  open('b')
  named.push(calls.ask(never()).call)
  first.finish()
  named.push(calls.ask(never()).call)

  expect(named).toEqual([undefined, undefined, tool('a'), { kind: 'one-of', count: 2 }, tool('b')])
})

test('a question is withdrawn when its call is cancelled, and not when the call just ends', () => {
  const calls = new OpenCalls(new FakeClock())
  const [cancelled, finished] = [new AbortController(), new AbortController()]
  calls.open(tool('a'), defaultCallTimeouts, cancelled.signal)
  const first = calls.ask(never())
  cancelled.abort()
  const call = calls.open(tool('b'), defaultCallTimeouts, finished.signal)
  const second = calls.ask(never())
  call.finish()
  finished.abort()

  expect([first.signal.aborted, (first.signal.reason as ConsentryError).code, second.signal.aborted]).toEqual([true, 'CALL_CANCELLED', false])
})

test('a question of one of two calls waits until both are gone', () => {
  const calls = new OpenCalls(new FakeClock())
  const [a, b] = [new AbortController(), new AbortController()]
  for (const { signal } of [a, b]) calls.open(tool('t'), defaultCallTimeouts, signal)
  const question = calls.ask(never())
  a.abort()
  const afterOne = question.signal.aborted
  b.abort()

  expect([afterOne, question.signal.aborted]).toEqual([false, true])
})

test('while a question waits no call is charged, one that begins meanwhile neither', async () => {
  const clock = new FakeClock()
  const calls = new OpenCalls(clock)
  const first = calls.open(tool('a'), defaultCallTimeouts)
  const question = calls.ask(never())
  const second = calls.open(tool('b'), defaultCallTimeouts)
  await clock.pass(1_000_000)
  const during = [first.signal.aborted, second.signal.aborted]
  question.done()
  await clock.pass(60_000)

  expect({ during, after: [first, second].map(({ signal }) => (signal.reason as ConsentryError).code) }).toEqual({
    during: [false, false],
    after: ['CALL_TIMED_OUT', 'CALL_TIMED_OUT'],
  })
})

test('when the human clock runs out, the call ends and its question is withdrawn', async () => {
  const clock = new FakeClock()
  const calls = new OpenCalls(clock)
  const call = calls.open(tool('a'), defaultCallTimeouts)
  const question = calls.ask(never())
  await clock.pass(1_800_000)

  expect([call.signal.reason, question.signal.reason]).toEqual([
    expect.objectContaining({ code: 'CALL_TIMED_OUT', data: { clock: 'human' } }),
    call.signal.reason,
  ])
})

test('a call whose signal was aborted before it began ends at once', () => {
  expect(new OpenCalls(new FakeClock()).open(tool('a'), defaultCallTimeouts, AbortSignal.abort()).signal.aborted).toBe(true)
})

test('whatever comes in whatever order, nothing is left: no timer, no listener, nothing unwithdrawn', () => {
  const step = fc.record({ what: fc.constantFrom('open', 'finish', 'cancel', 'ask', 'done', 'take back'), which: fc.nat(20) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new FakeClock()
      const calls = new OpenCalls(clock)
      const opened: { call: OpenCall; user: AbortController }[] = []
      const asked: { question: OpenQuestion; server: AbortController; isOver: boolean }[] = []
      for (const { what, which } of steps) {
        const call = opened[which % opened.length]
        const question = asked[which % asked.length]
        if (what === 'open') {
          const user = new AbortController()
          opened.push({ call: calls.open(tool('t'), defaultCallTimeouts, user.signal), user })
        }
        if (what === 'finish') call?.call.finish()
        if (what === 'cancel') call?.user.abort()
        if (what === 'ask') {
          const server = new AbortController()
          asked.push({ question: calls.ask(server.signal), server, isOver: false })
        }
        if (what === 'done' && question) {
          question.question.done()
          question.isOver = true
        }
        if (what === 'take back') question?.server.abort()
      }
      calls.endAll(new ConsentryError('CONNECTION_LOST', 'gone'))

      expect(clock.pending).toBe(0)
      expect(asked.filter(({ question, isOver }) => !isOver && !question.signal.aborted)).toEqual([])
      expect(calls.ask(never()).call).toBeUndefined()
    }),
  )
})
