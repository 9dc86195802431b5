import { expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'

type WaitOutcome = Awaited<ReturnType<FakeSession['awaitCompletion']>>

const page = { mode: 'url', url: 'https://air.example/login', message: 'Sign in' }
const call = (id: string, more: object = {}): object => ({ id, method: 'tools/call', params: modern({}, { name: 'connect', ...more }) })
const asks = (id: unknown, requestState = 's-1'): object => ({
  id,
  result: { resultType: 'input_required', inputRequests: { go: { method: 'elicitation/create', params: page } }, requestState },
})
const comeBack = (id: unknown, requestState: string): object => ({ id, result: { resultType: 'input_required', requestState } })

class Page extends FakeSession {
  end: (outcome: WaitOutcome) => void = () => undefined
  override onAnswer = () => answered({ action: 'accept' })
  override onWait = () => new Promise<WaitOutcome>((resolve) => (this.end = resolve))
}

/** A client whose call was answered with a page that somebody here agreed to go to; the server has it again. */
async function talkOnPage(): Promise<{ readonly talk: Talk; readonly session: Page; readonly again: unknown }> {
  const session = new Page()
  const talk = new Talk({ session })
  talk.client(call('c-1')).server(asks('c-1'))
  await talk.settle()
  const again = talk.atServer.at(-1)!.id
  talk.forget()
  return { talk, session, again }
}

test('a card stays while the server works, and goes with its result', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  const [card] = session.waits
  talk.server({ id: again, result: { resultType: 'complete', content: [] } })
  await talk.settle()

  expect(card).toEqual({
    ids: [],
    urls: [page.url],
    message: 'Sign in',
    request: { revision: '2026-07-28', call: { kind: 'tool', name: 'connect' } },
    goesOn: true,
  })
  expect([session.signals[0]!.aborted, talk.atClient.map(({ id }) => id), talk.clock.pending]).toEqual([true, ['c-1'], 0])
})

test('it stays while the client comes back with the state of the server, again and again, as the very same card', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.server(comeBack(again, 's-2'))
  await talk.clock.pass(5000)
  talk.client(call('c-2', { requestState: 's-2' })).server(comeBack('c-2', 's-3'))
  await talk.clock.pass(5000)
  talk.client(call('c-3', { requestState: 's-3' }))
  await talk.settle()
  const isThere = !session.signals[0]!.aborted
  talk.server({ id: 'c-3', result: { content: [] } })
  await talk.settle()

  expect([session.waits.length, isThere, session.signals[0]!.aborted, talk.clock.pending]).toEqual([1, true, true, 0])
  expect(talk.atClient.map(({ id }) => id)).toEqual(['c-1', 'c-2', 'c-3'])
})

test('a person who gives up ends the request, once, for both sides', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  session.end('cancelled')
  await talk.settle()
  talk.server({ id: again, result: { content: [] } })

  expect(talk.atServer.map(({ method, params }) => [method, params?.['requestId']])).toEqual([['notifications/cancelled', again]])
  expect(talk.atClient.map(({ id, error }) => [id, error?.message])).toEqual([['c-1', 'The call was given up while its page was visited']])
  expect(talk.clock.pending).toBe(0)
})

test('a client that comes back after somebody has given up is told so, and the server is asked nothing', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.server(comeBack(again, 's-2'))
  await talk.settle()
  session.end('cancelled')
  await talk.settle()
  talk.forget()
  talk.client(call('c-2', { requestState: 's-2' }))

  expect([talk.atServer, talk.atClient.map(({ id, error }) => [id, error?.code])]).toEqual([[], [['c-2', -32603]]])
  await talk.clock.pass(60_000)
  expect(talk.clock.pending).toBe(0)
})

test('a person who goes on changes nothing, and the next question has a card of its own', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  session.end('continued')
  await talk.settle()
  talk.server(asks(again, 's-2'))
  await talk.clock.pass(1000)

  expect([session.asked.length, session.waits.length, session.signals[1]!.aborted]).toEqual([2, 2, false])
})

test('two calls that are to come back with the same state: the card of the later one stays, and goes with its result', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.client(call('c-9')).server(asks('c-9'))
  await talk.clock.pass(1000)
  const second = talk.atServer.at(-1)!.id
  talk.server(comeBack(again, 'same')).server(comeBack(second, 'same'))
  await talk.settle()
  talk.client(call('c-10', { requestState: 'same' }))
  await talk.settle()
  const isThere = session.signals.map(({ aborted }) => !aborted)
  talk.server({ id: 'c-10', result: { content: [] } })
  await talk.settle()

  expect([isThere, session.signals.map(({ aborted }) => aborted), talk.clock.pending]).toEqual([[false, true], [true, true], 0])
})

test.each([
  ['goes with its result', undefined],
  ['is told to its client where somebody gives it up', 'cancelled'],
] as const)('the card of the later one %s, also where that of the earlier one was not shown yet', async (_, outcome) => {
  const { talk, session, again } = await talkOnPage()
  talk.client(call('c-9')).server(asks('c-9'))
  await talk.settle()
  const second = talk.atServer.at(-1)!.id
  talk.server(comeBack(again, 'same')).server(comeBack(second, 'same'))
  await talk.settle()
  await talk.clock.pass(1000)
  if (outcome !== undefined) session.end(outcome)
  await talk.settle()
  talk.client(call('c-10', { requestState: 'same' }))
  await talk.settle()
  await talk.clock.pass(59_999)
  const isThere = !session.signals[0]!.aborted
  const isGivenUp = talk.atClient.at(-1)!.error !== undefined
  talk.server({ id: 'c-10', result: { content: [] } })
  await talk.clock.pass(60_000)

  expect([session.waits.length, isThere, isGivenUp, session.signals[0]!.aborted]).toEqual([1, outcome === undefined, outcome !== undefined, true])
})

test('the next question takes the card of the page before away', async () => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.server(asks(again, 's-2'))

  expect(session.signals[0]!.aborted).toBe(true)
})

test('where the client answers the other part of a round, the card stays until it has brought it back', async () => {
  const session = new Page()
  const talk = new Talk({ session })
  const form = { method: 'elicitation/create', params: { message: 'Seat?', requestedSchema: { type: 'object', properties: {} } } }
  const params = { name: 'connect' }
  const inputRequests = { go: { method: 'elicitation/create', params: page }, seat: form }
  talk.client({ id: 'c-1', method: 'tools/call', params: modern({ elicitation: { form: {} } }, params) })
  talk.server({ id: 'c-1', result: { resultType: 'input_required', inputRequests, requestState: 's-1' } })
  // What makes the handle is loaded first.
  while (talk.atClient.length === 0) await talk.settle()
  const { requestState } = talk.atClient[0]!.result!
  await talk.clock.pass(1000)
  const retry = { ...params, requestState, inputResponses: { seat: { action: 'accept', content: {} } } }
  talk.client({ id: 'c-2', method: 'tools/call', params: modern({ elicitation: { form: {} } }, retry) })
  await talk.settle()
  const isThere = !session.signals[0]!.aborted
  talk.server({ id: 'c-2', result: { content: [] } })
  await talk.settle()

  expect([session.waits.length, isThere, session.signals[0]!.aborted, talk.atServer.at(-1)!.params?.['requestState']]).toEqual([1, true, true, 's-1'])
})

test.each<[string, (talk: Talk, again: unknown) => Promise<void>]>([
  [
    'a client that does not come back',
    async (talk, again) => {
      talk.server(comeBack(again, 's-2'))
      await talk.clock.pass(60_000)
    },
  ],
  [
    'a client that is gone while it rests',
    async (talk, again) => {
      talk.server(comeBack(again, 's-2'))
      talk.conversation.close(new Error('gone'))
    },
  ],
  ['a client that gives its request up', async (talk) => void talk.client({ method: 'notifications/cancelled', params: { requestId: 'c-1' } })],
])('%s leaves no card and no clock', async (_, leave) => {
  const { talk, session, again } = await talkOnPage()
  await talk.clock.pass(1000)
  await leave(talk, again)
  await talk.settle()

  expect([session.signals[0]!.aborted, talk.clock.pending]).toEqual([true, 0])
})
