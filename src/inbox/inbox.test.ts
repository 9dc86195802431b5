import fc from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import type { Decision, Origin, ReviewRequest, Settlement } from '../protocol/index.ts'
import { Inbox } from './inbox.ts'

afterEach(() => {
  vi.useRealTimers()
})

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel-server.js'] } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}
const terminal = { name: 'terminal', kinds: ['form', 'url'] } as const
const question = (check?: ReviewRequest<'form'>['check']): ReviewRequest<'form'> => ({
  kind: 'form',
  origin,
  subject: { message: 'Sure?', form: { fields: [], notes: [], schema: {} } },
  draft: {},
  check,
})
const accept: Decision<'form'> = { action: 'accept', content: {} }

test('without a surface nobody can be asked, and the question ends at once', async () => {
  const inbox = new Inbox()

  const settlement = await inbox.review(question(), new AbortController().signal)

  expect({ settlement, can: inbox.canReview('form') }).toEqual({ settlement: { outcome: 'nobody' }, can: false })
})

test('the first decision wins and every other is told so', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  const settled = inbox.review(question(), new AbortController().signal)
  const id = inbox.list()[0]!.id

  const results = await Promise.all([inbox.decide(id, { action: 'decline' }, 'terminal'), inbox.decide(id, accept, 'console')])

  expect({ settlement: await settled, results }).toEqual({
    settlement: { outcome: 'decided', decision: { action: 'decline' }, by: 'person', surface: 'terminal' },
    results: [{ status: 'decided' }, { status: 'ended', outcome: 'decided', surface: 'terminal' }],
  })
})

test('of two decisions the first good one wins, even if its check takes longer', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  let finishCheck = (): void => undefined
  const slow = new Promise<void>((resolve) => (finishCheck = resolve))
  const check: ReviewRequest<'form'>['check'] = async (decision) => {
    if (decision.action === 'accept') await slow
    return []
  }
  const settled = inbox.review(question(check), new AbortController().signal)
  const id = inbox.list()[0]!.id

  const first = inbox.decide(id, accept, 'terminal')
  const second = inbox.decide(id, { action: 'decline' }, 'console')
  finishCheck()

  expect([await first, await second, await settled]).toEqual([
    { status: 'decided' },
    { status: 'ended', outcome: 'decided', surface: 'terminal' },
    { outcome: 'decided', decision: accept, by: 'person', surface: 'terminal' },
  ])
})

test('a decision with faults keeps the review open and names them', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  const faults = [{ field: 'seats', problem: 'required', message: 'seats: an answer is needed' }]
  const settled = inbox.review(
    question(async (decision) => (decision.action === 'accept' ? faults : [])),
    new AbortController().signal,
  )
  const id = inbox.list()[0]!.id

  const faulty = await inbox.decide(id, accept, 'terminal')
  const stillWaiting = inbox.size
  await inbox.decide(id, { action: 'cancel' }, 'terminal')

  expect({ faulty, stillWaiting, settlement: await settled }).toEqual({
    faulty: { status: 'faulty', faults },
    stillWaiting: 1,
    settlement: { outcome: 'decided', decision: { action: 'cancel' }, by: 'person', surface: 'terminal' },
  })
})

test('a decision of another kind of review is refused and nothing is decided', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  void inbox.review(question(), new AbortController().signal)
  const id = inbox.list()[0]!.id

  await expect(inbox.decide(id, { action: 'approve' } as unknown as Decision, 'terminal')).rejects.toMatchObject({ code: 'USAGE' })
  await expect(inbox.decide(id, { action: 'accept' } as unknown as Decision, 'terminal')).rejects.toMatchObject({ code: 'USAGE' })
  expect(inbox.size).toBe(1)
})

test('a decision counts as it was when it was made, whatever is done to it while it is checked', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  const content: Record<string, unknown> = { seat: 'aisle' }
  const check: ReviewRequest<'form'>['check'] = async () => {
    content['seat'] = 'cockpit'
    return []
  }
  const { signal } = new AbortController()
  const settled = [inbox.review(question(check), signal), inbox.review(question(), signal)]
  const [filled, declined] = inbox.list().map(({ id }) => id)
  let looks = 0
  const changing = {
    get action() {
      return (looks += 1) === 1 ? 'decline' : 'pwned'
    },
  } as unknown as Decision

  await inbox.decide(filled!, { action: 'accept', content }, 'terminal')
  await inbox.decide(declined!, changing, 'terminal')

  expect(await Promise.all(settled)).toMatchObject([{ decision: { action: 'accept', content: { seat: 'aisle' } } }, { decision: { action: 'decline' } }])
})

test.each<[string, unknown]>([
  ['a function', { action: 'accept', content: { seat: () => 'aisle' } }],
  ['a proxy', new Proxy({ action: 'decline' }, {})],
  [
    'a getter that fails',
    {
      get action() {
        throw new Error('no')
      },
    },
  ],
])('what is not plain data (%s) is no decision, and the review stays', async (_, decision) => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  void inbox.review(question(), new AbortController().signal)

  await expect(inbox.decide('review-1', decision as Decision, 'terminal')).rejects.toMatchObject({ code: 'USAGE' })
  expect(inbox.size).toBe(1)
})

test('a question that is taken back leaves the inbox at once, and a decision that comes late is told', async () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  const asker = new AbortController()
  const settled = inbox.review(question(), asker.signal)
  const id = inbox.list()[0]!.id

  asker.abort(new Error('the server took it back'))

  expect({ settlement: await settled, size: inbox.size, late: await inbox.decide(id, accept, 'terminal') }).toEqual({
    settlement: { outcome: 'withdrawn', reason: 'the server took it back' },
    size: 0,
    late: { status: 'ended', outcome: 'withdrawn' },
  })
})

test('a review that nobody answers in time ends as timed out, never as consent', async () => {
  vi.useFakeTimers()
  const inbox = new Inbox({ humanTimeoutMs: 60_000 })
  inbox.attach(terminal)
  const settled = inbox.review(question(), new AbortController().signal)

  vi.advanceTimersByTime(59_999)
  const before = inbox.size
  vi.advanceTimersByTime(1)

  expect({ before, settlement: await settled, size: inbox.size, timers: vi.getTimerCount() }).toEqual({
    before: 1,
    settlement: { outcome: 'timed-out' },
    size: 0,
    timers: 0,
  })
})

test('a clock that is set, forward or back, ends no question before its time and keeps none longer', async () => {
  vi.useFakeTimers()
  const time = { now: 1_000_000 }
  const inbox = new Inbox({ humanTimeoutMs: 60_000, now: () => time.now })
  inbox.attach(terminal)
  const { signal } = new AbortController()
  const ended = [inbox.review(question(), signal), inbox.review(question(), signal), inbox.review(question(), signal)]

  time.now += 3_600_000
  await inbox.decide(inbox.list()[0]!.id, { action: 'decline' }, 'terminal')
  vi.advanceTimersByTime(59_999)
  const before = inbox.size
  time.now -= 7_200_000
  vi.advanceTimersByTime(1)

  expect([before, (await Promise.all(ended)).map(({ outcome }) => outcome)]).toEqual([2, ['decided', 'timed-out', 'timed-out']])
})

test('when the last surface goes away, what only it could show ends as nobody', async () => {
  const inbox = new Inbox()
  const detach = inbox.attach(terminal)
  const settled = inbox.review(question(), new AbortController().signal)

  detach()

  expect(await settled).toEqual({ outcome: 'nobody' })
})

test('more questions than the inbox holds are turned away, and those that wait stay', async () => {
  const inbox = new Inbox({ maximumWaiting: 2 })
  inbox.attach(terminal)
  const { signal } = new AbortController()
  void inbox.review(question(), signal)
  void inbox.review(question(), signal)

  expect({ third: await inbox.review(question(), signal), size: inbox.size }).toEqual({ third: { outcome: 'too-many-waiting' }, size: 2 })
})

test('a page of reviews starts after the one that was seen last', () => {
  const inbox = new Inbox()
  inbox.attach(terminal)
  for (let index = 0; index < 5; index += 1) void inbox.review(question(), new AbortController().signal)

  expect(inbox.list({ after: 'review-2', limit: 2 }).map(({ id }) => id)).toEqual(['review-3', 'review-4'])
})

test('rule 6: whatever the order of answer, cancel, timeout, disconnect and close, each review ends exactly once and nothing is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  const step = fc.oneof(
    fc.record({ do: fc.constant('decide' as const), which: fc.nat(4), accept: fc.boolean() }),
    fc.record({ do: fc.constant('abort' as const), which: fc.nat(4) }),
    fc.record({ do: fc.constant('expire' as const) }),
    fc.record({ do: fc.constant('yield' as const) }),
    fc.record({ do: fc.constant('detach' as const) }),
    fc.record({ do: fc.constant('close' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const inbox = new Inbox({ humanTimeoutMs: 1_000_000 })
      const detach = inbox.attach(terminal)
      const ends: string[] = []
      inbox.on('review-closed', ({ review }) => ends.push(review.id))
      const askers = Array.from({ length: 5 }, () => new AbortController())
      const settled: Promise<Settlement<'form'>>[] = askers.map((asker) =>
        inbox.review(
          question(async () => []),
          asker.signal,
        ),
      )
      const ids = inbox.list().map(({ id }) => id)

      const decisions: Promise<unknown>[] = []
      for (const one of steps) {
        if (one.do === 'decide') decisions.push(inbox.decide(ids[one.which]!, one.accept ? accept : { action: 'decline' }, 'terminal'))
        if (one.do === 'abort') askers[one.which]!.abort()
        if (one.do === 'detach') detach()
        if (one.do === 'close') inbox.close()
        if (one.do === 'expire') vi.advanceTimersByTime(700_000)
        if (one.do === 'yield') await Promise.resolve()
      }
      await Promise.all(decisions)
      inbox.close()
      await Promise.all(settled)

      expect({ ends: ends.toSorted(), size: inbox.size, timers: vi.getTimerCount() }).toEqual({ ends: ids, size: 0, timers: 0 })
    }),
    { numRuns: 200 },
  )
})

test('what was in a review is let go of when it ends; only how it ended is remembered', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const inbox = new Inbox()
  inbox.attach(terminal)
  const { id, subject } = await (async (): Promise<{ id: string; subject: WeakRef<object> }> => {
    const asked = question()
    const settled = inbox.review(asked, new AbortController().signal)
    const { id: waiting } = inbox.list()[0]!
    await inbox.decide(waiting, accept, 'console')
    await settled
    return { id: waiting, subject: new WeakRef(asked.subject) }
  })()
  await new Promise(setImmediate)
  collectGarbage()

  expect(subject.deref()).toBeUndefined()
  expect(await inbox.decide(id, accept, 'terminal')).toEqual({ status: 'ended', outcome: 'decided', surface: 'console' })
})
