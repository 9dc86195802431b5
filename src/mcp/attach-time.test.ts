import { afterEach, expect, test, vi } from 'vitest'
import { asksDuringCall, connected, form, outcomeOf } from '../../test/fixtures/connected.ts'
import { answered, FakeClock, FakeSession } from '../../test/fixtures/fake-session.ts'
import { settled, type RawMessage, type RawPeer } from '../../test/fixtures/raw-peer.ts'
import { ConsentryError } from '../errors.ts'

afterEach(() => {
  vi.useRealTimers()
})

const done = { result: { content: [{ type: 'text', text: 'done' }] } }

test('a question that the server takes back is withdrawn and not answered, the next one is (B16)', async () => {
  const { peer, session } = await connected()
  peer.send({ id: 5, method: 'elicitation/create', params: form })
  await session.questions(1)
  peer.send({ method: 'notifications/cancelled', params: { requestId: 5, reason: 'late' } })
  await settled()
  const taken = session.waiting[0]!.signal.aborted
  session.waiting[0]!.settle(answered({ action: 'accept', content: {} }))
  peer.send({ id: 6, method: 'elicitation/create', params: form })
  await session.questions(2)
  session.waiting[1]!.settle(answered({ action: 'decline' }))
  await settled()

  expect({ taken, five: peer.answersTo(5), six: peer.answersTo(6)[0]?.result }).toEqual({ taken: true, five: [], six: { action: 'decline' } })
})

test('a cancelled call is told to the server once, its question ends with cancel, and what is typed later goes nowhere (B68)', async () => {
  const { attached, session, peer, calls } = await connected({ onRequest: asksDuringCall({ id: 3, method: 'elicitation/create', params: form }) })
  const controller = new AbortController()
  const outcome = outcomeOf(attached.callTool({ name: 'run' }, { signal: controller.signal }))
  await session.questions(1)
  controller.abort()
  controller.abort()
  const error = await outcome
  session.waiting[0]!.settle(answered({ action: 'accept', content: { name: 'late' } }))
  await settled()

  expect(error).toMatchObject({ code: 'CALL_CANCELLED' })
  expect(peer.answersTo(3)).toEqual([{ jsonrpc: '2.0', id: 3, result: { action: 'cancel' } }])
  expect(peer.received.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params?.['requestId'])).toEqual([calls()[0]?.id])
})

test('a sampling request of a cancelled call ends with an error', async () => {
  const { attached, session, peer } = await connected({ onRequest: asksDuringCall({ id: 3, method: 'sampling/createMessage', params: {} }) })
  const controller = new AbortController()
  const outcome = outcomeOf(attached.callTool({ name: 'run' }, { signal: controller.signal }))
  await session.questions(1)
  controller.abort()
  await outcome

  expect((await peer.next(({ id }) => id === 3)).error).toEqual({
    code: -32603,
    message: 'The call that this belonged to was cancelled',
    data: { reason: 'call-ended' },
  })
})

test('somebody who thinks for 75 seconds costs the call nothing (B01)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { attached, session } = await connected({ onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }) })
  const result = attached.callTool({ name: 'run' })
  await session.questions(1)
  await vi.advanceTimersByTimeAsync(75_000)
  session.waiting[0]!.settle(answered({ action: 'accept', content: {} }))
  await vi.advanceTimersByTimeAsync(1000)

  expect(await result).toMatchObject({ answer: { result: { action: 'accept' } } })
})

const visit = { mode: 'url', elicitationId: 'e1', url: 'https://air.example/login', message: 'Sign in' }
const asksForVisit =
  (then: (message: RawMessage, peer: RawPeer) => unknown = () => undefined) =>
  (message: RawMessage, peer: RawPeer) => {
    if (message.method === 'tools/call') peer.send({ id: 0, method: 'elicitation/create', params: visit })
    return then(message, peer)
  }

test('somebody who is on a page that a call sent them to costs the call nothing, until the server reports that they are done', async () => {
  const clock = new FakeClock()
  const session = new FakeSession()
  let report: (outcome: 'completed') => void = () => undefined
  session.onAnswer = () => answered({ action: 'accept' })
  session.onWait = () => new Promise((resolve) => (report = resolve))
  const { attached, peer } = await connected({ clock, session, onRequest: asksForVisit() })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await peer.next(({ id, method }) => id === 0 && method === undefined)
  await clock.pass(1000)
  await clock.pass(600_000)
  const { waits } = session
  report('completed')
  await settled()
  await clock.pass(59_999)
  const isOpen = session.waits.length === 1 && peer.methods.every((method) => method !== 'notifications/cancelled')
  await clock.pass(1)

  expect(waits).toEqual([
    { ids: ['e1'], urls: [visit.url], message: 'Sign in', request: { revision: '2025-11-25', call: { kind: 'tool', name: 'run' } }, goesOn: true },
  ])
  expect([isOpen, await outcome]).toMatchObject([true, { code: 'CALL_TIMED_OUT', data: { clock: 'machine' } }])
  expect(clock.pending).toBe(0)
})

test('a person who gives up the page gives up the call; where several are open, none is guessed', async () => {
  const ends: unknown[] = []
  for (const count of [1, 2]) {
    const clock = new FakeClock()
    const session = new FakeSession()
    session.onAnswer = () => answered({ action: 'accept' })
    session.onWait = () => 'cancelled'
    let calls = 0
    const onRequest = (message: RawMessage, peer: RawPeer): void => {
      if (message.method === 'tools/call' && (calls += 1) === count) peer.send({ id: 0, method: 'elicitation/create', params: visit })
    }
    const { attached, peer } = await connected({ clock, session, onRequest })
    const outcomes = Array.from({ length: count }, () => outcomeOf(attached.callTool({ name: 'run' })))
    await peer.next(({ id, method }) => id === 0 && method === undefined)
    await clock.pass(1000)
    await settled()
    ends.push([session.waits.length, peer.methods.filter((method) => method === 'notifications/cancelled').length])
    attached.close()
    await Promise.all(outcomes)
  }

  expect(ends).toEqual([
    [1, 1],
    [1, 0],
  ])
})

test('a call that ends right after consent shows nobody that it waits', async () => {
  const clock = new FakeClock()
  const session = new FakeSession()
  session.onAnswer = () => answered({ action: 'accept' })
  const { attached } = await connected({ clock, session, onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: visit }) })
  await attached.callTool({ name: 'run' })
  await clock.pass(5000)

  expect([session.asked.length, session.waits, clock.pending]).toEqual([1, [], 0])
})

test('when the cap on human time ends, the question ends with cancel and the call is cancelled once (B01)', async () => {
  const clock = new FakeClock()
  const { attached, session, peer } = await connected({ clock, onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }) })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await session.questions(1)
  await clock.pass(1_800_000)

  expect(await outcome).toMatchObject({ code: 'CALL_TIMED_OUT', data: { clock: 'human' } })
  expect({
    signal: session.waiting[0]!.signal.aborted,
    answer: peer.answersTo(0),
    cancelled: peer.methods.filter((method) => method === 'notifications/cancelled'),
  }).toEqual({
    signal: true,
    answer: [{ jsonrpc: '2.0', id: 0, result: { action: 'cancel' } }],
    cancelled: ['notifications/cancelled'],
  })
  expect(clock.pending).toBe(0)
})

test('a server that says nothing for 60 seconds is given up, one that reports progress is not', async () => {
  const clock = new FakeClock()
  const heard: number[] = []
  const { attached, peer, calls } = await connected({ clock })
  const silent = outcomeOf(attached.callTool({ name: 'silent' }))
  const busy = attached.callTool({ name: 'busy' }, { onProgress: ({ progress }) => heard.push(progress) })
  await settled()
  const progressToken = (calls()[1]!.params!['_meta'] as { progressToken: number }).progressToken
  for (let progress = 1; progress <= 3; progress += 1) {
    await clock.pass(50_000)
    peer.send({ method: 'notifications/progress', params: { progressToken, progress } })
  }
  await clock.pass(10)
  peer.send({ id: calls()[1]!.id, ...done })

  expect(await silent).toMatchObject({ code: 'CALL_TIMED_OUT', data: { clock: 'machine' } })
  expect({ result: await busy, heard }).toEqual({ result: done.result, heard: [1, 2, 3] })
})

test("a server's own request is kept alive with progress while somebody thinks, where it asked for that", async () => {
  const clock = new FakeClock()
  const { peer, session } = await connected({ clock })
  peer.send({ id: 1, method: 'elicitation/create', params: { ...form, _meta: { progressToken: 0 } } })
  peer.send({ id: 2, method: 'elicitation/create', params: form })
  await session.questions(2)
  await clock.pass(12_000)
  for (const { settle } of session.waiting) settle(answered({ action: 'decline' }))
  await clock.pass(60_000)

  expect(peer.received.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params)).toEqual([
    { progressToken: 0, progress: 1, message: 'Waiting for an answer' },
    { progressToken: 0, progress: 2, message: 'Waiting for an answer' },
  ])
  expect(clock.pending).toBe(0)
})

test('a connection that ends rejects the call at once and withdraws what waits', async () => {
  const { attached, session, peer } = await connected({
    onRequest: asksDuringCall({ id: 0, method: 'elicitation/create', params: form }),
    describeLoss: () => new ConsentryError('CONNECTION_LOST', 'exit 7'),
  })
  const outcome = outcomeOf(attached.callTool({ name: 'run' }))
  await session.questions(1)
  await peer.close()

  expect(await outcome).toMatchObject({ code: 'CONNECTION_LOST', message: 'exit 7' })
  expect(session.waiting[0]!.signal.aborted).toBe(true)
  await expect(attached.callTool({ name: 'again' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
})
