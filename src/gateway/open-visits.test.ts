import { expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { Talk } from '../../test/fixtures/gateway-talk.ts'

type WaitOutcome = Awaited<ReturnType<FakeSession['awaitCompletion']>>

const visit = { mode: 'url', elicitationId: 'e-1', url: 'https://air.example/login', message: 'Sign in' }
const call = (id: string, more: object = {}): object => ({ id, method: 'tools/call', params: { name: 'connect', ...more } })
const asks = (params: object = visit): object => ({ id: 'q-1', method: 'elicitation/create', params })

/** A session where everybody agrees to go, and a test says how the card ends. */
class Page extends FakeSession {
  end: (outcome: WaitOutcome) => void = () => undefined
  override onAnswer = () => answered({ action: 'accept' })
  override onWait = () => new Promise<WaitOutcome>((resolve) => (this.end = resolve))
}

async function talkOnPage(capabilities: object = {}): Promise<{ readonly talk: Talk; readonly session: Page }> {
  const session = new Page()
  const talk = new Talk({ session }).shakeHands(capabilities)
  talk.client(call('c-1', { _meta: { progressToken: 'p' } })).server(asks())
  await talk.settle()
  return { talk, session }
}

test('consent is not completion: a card stays with what was agreed to, and the client hears that its call goes on', async () => {
  const { talk, session } = await talkOnPage()
  talk.forget()
  await talk.clock.pass(11_000)

  expect(session.waits).toEqual([
    { ids: ['e-1'], urls: [visit.url], message: 'Sign in', request: { revision: '2025-11-25', call: { kind: 'tool', name: 'connect' } }, goesOn: true },
  ])
  expect([talk.atServer, talk.atClient.map(({ method, params }) => [method, params?.['progressToken']])]).toEqual([
    [],
    [
      ['notifications/progress', 'p'],
      ['notifications/progress', 'p'],
    ],
  ])
})

test('the server reports that it is done: the session hears of it, and the client too', async () => {
  const { talk, session } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.forget()
  talk.server({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } })
  session.end('completed')
  await talk.settle()
  talk.server({ id: 'c-1', result: { content: [] } })

  expect([session.completed, talk.atClient.map(({ id, method }) => id ?? method), talk.clock.pending]).toEqual([
    ['e-1'],
    ['notifications/elicitation/complete', 'c-1'],
    0,
  ])
})

test('a person who goes on changes nothing of the call', async () => {
  const { talk, session } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.forget()
  session.end('continued')
  await talk.settle()
  talk.server({ id: 'c-1', result: { content: [] } })

  expect([talk.atServer, talk.atClient.map(({ id, error }) => [id, error]), talk.clock.pending]).toEqual([[], [['c-1', undefined]], 0])
})

test('a person who gives up ends the call, once, for both sides; a result that comes all the same is for nobody', async () => {
  const { talk, session } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.forget()
  session.end('cancelled')
  await talk.settle()
  talk.server({ id: 'c-1', result: { content: [] } })

  expect(talk.atServer.map(({ method, params }) => [method, params?.['requestId']])).toEqual([['notifications/cancelled', 'c-1']])
  expect(talk.atClient).toMatchObject([
    { id: 'c-1', error: { code: -32603, message: 'The call was given up while its page was visited', data: { reason: 'call-ended' } } },
  ])
  expect([talk.atClient.length, talk.clock.pending]).toEqual([1, 0])
})

test('what else the call asks here goes with it', async () => {
  const { talk, session } = await talkOnPage()
  await talk.clock.pass(1000)
  session.onAnswer = (() => undefined) as unknown as Page['onAnswer']
  talk.server({ id: 'q-2', method: 'elicitation/create', params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } } })
  await session.questions(2)
  talk.forget()
  session.end('cancelled')
  await talk.settle()

  expect(talk.atServer.filter(({ id }) => id === 'q-2')).toEqual([{ jsonrpc: '2.0', id: 'q-2', result: { action: 'cancel' } }])
})

test('where two calls are open, neither is guessed', async () => {
  const session = new Page()
  const talk = new Talk({ session }).shakeHands()
  talk.client(call('c-1')).client(call('c-2')).server(asks())
  await talk.settle()
  await talk.clock.pass(1000)
  talk.forget()
  session.end('cancelled')
  await talk.settle()

  expect([session.waits.map(({ request }) => request.call), talk.atServer, talk.atClient]).toEqual([[{ kind: 'one-of', count: 2 }], [], []])
})

test.each<[string, (talk: Talk) => void]>([
  ['has its result', (talk) => void talk.server({ id: 'c-1', result: { content: [] } })],
  ['is cancelled by the client', (talk) => void talk.client({ method: 'notifications/cancelled', params: { requestId: 'c-1' } })],
])('one of two calls that %s before anybody agrees makes the other no surer: giving up ends nothing', async (_, end) => {
  const session = new Page()
  let agree: () => void = () => undefined
  session.onAnswer = (() => new Promise((resolve) => (agree = () => resolve(answered({ action: 'accept' }))))) as unknown as Page['onAnswer']
  const talk = new Talk({ session }).shakeHands()
  talk.client(call('c-1')).client(call('c-2')).server(asks())
  await talk.settle()
  end(talk)
  await talk.settle()
  agree()
  await talk.settle()
  await talk.clock.pass(1000)
  talk.forget()
  session.end('cancelled')
  await talk.settle()

  expect([session.waits.map(({ request }) => request.call), talk.atServer, talk.atClient]).toEqual([[{ kind: 'one-of', count: 2 }], [], []])
})

test.each<[string, (talk: Talk) => void]>([
  ['has its result', (talk) => void talk.server({ id: 'c-1', result: { content: [] } })],
  ['is cancelled by the client', (talk) => void talk.client({ method: 'notifications/cancelled', params: { requestId: 'c-1' } })],
  ['loses its server', (talk) => talk.conversation.close(new Error('gone'))],
])('a call that %s at once needs nobody on its page: there is no card, and no clock', async (_, end) => {
  const { talk, session } = await talkOnPage()
  end(talk)
  await talk.clock.pass(5000)

  expect([session.waits, talk.clock.pending]).toEqual([[], 0])
})

test('a call that is over takes its card away', async () => {
  const { talk, session } = await talkOnPage()
  await talk.clock.pass(1000)
  talk.server({ id: 'c-1', result: { content: [] } })
  await talk.settle()
  talk.forget()
  session.end('cancelled')
  await talk.settle()

  expect([session.signals.map(({ aborted }) => aborted), talk.atServer, talk.atClient, talk.clock.pending]).toEqual([[true], [], [], 0])
})

test('a page that the client opens itself has no card here, and one that was declined neither', async () => {
  const passed = await talkOnPage({ elicitation: { url: {} } })
  const session = new FakeSession()
  session.onAnswer = () => answered({ action: 'decline' })
  const talk = new Talk({ session }).shakeHands()
  talk.client(call('c-1')).server(asks())
  await talk.clock.pass(5000)
  await passed.talk.clock.pass(5000)

  expect([passed.session.waits, session.waits]).toEqual([[], []])
})
