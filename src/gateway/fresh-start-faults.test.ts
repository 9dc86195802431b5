import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'
import type { ConsentryError } from '../errors.ts'
import type { FreshStart } from './fresh-start.ts'

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const call = (id: number | string, name = 'run'): object => ({ id, method: 'tools/call', params: { name } })
const agreed = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
const lost = expect.objectContaining({ data: { reason: 'restarted' } }) as unknown

/** A conversation of which the server is about to be started afresh. */
async function start(): Promise<Talk> {
  const talk = new Talk().shakeHands()
  await talk.settle()
  talk.forget()
  return talk
}

/** The server is gone. */
async function cutOff(talk: Talk): Promise<FreshStart> {
  const change = await talk.conversation.freshStart()
  await change.drain(Promise.resolve())
  change.cutOff()
  await talk.settle()
  return change
}

/** The fresh server takes the handshake. */
async function greet(talk: Talk, change: FreshStart, result: object = agreed): Promise<void> {
  const greeted = change.greet()
  talk.server({ id: talk.atServer.at(-1)!.id!, result })
  await Promise.all([greeted, talk.settle()])
}

/** A call of 2026-07-28 for which somebody is asked here. */
async function ask(talk: Talk): Promise<void> {
  talk.client({ id: 1, method: 'tools/call', params: modern({}, { name: 'run' }) })
  talk.server({ id: 1, result: { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create', params: form } }, requestState: 's' } })
  await talk.session.questions(1)
  talk.forget()
}

const person = answered({ action: 'accept', content: { name: 'Ada' } })
const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } }

test('a call that is answered here while there is no server goes on after the handshake, once', async () => {
  const talk = await start()
  await ask(talk)
  const change = await cutOff(talk)
  talk.session.waiting[0]!.settle(person)
  await talk.settle()
  talk.client(call(2))
  const meanwhile = [...talk.serverLines]
  await greet(talk, change)
  change.goOn()
  await talk.settle()

  expect([meanwhile, talk.atServer.map(({ method }) => method)]).toEqual([[], ['initialize', 'notifications/initialized', 'tools/call', 'tools/call']])
  expect(talk.atServer.filter(({ params }) => params?.['requestState'] === 's')).toHaveLength(1)
})

test.each(['before', 'after'])(
  'a call that the client gives up while there is no server is not run by the fresh one, be it %s the person answers',
  async (when) => {
    const talk = await start()
    await ask(talk)
    const change = await cutOff(talk)
    if (when === 'before') talk.client(cancel)
    talk.session.waiting[0]!.settle(person)
    await talk.settle()
    if (when === 'after') talk.client(cancel)
    await greet(talk, change)
    change.goOn()
    await talk.settle()

    expect(talk.atServer.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized'])
    expect([talk.atClient.filter(({ id }) => id !== undefined), JSON.stringify(talk.serverLines)]).toEqual([[], expect.not.stringContaining('Ada')])
  },
)

test('what was answered for a call is let go of when everything ends before the fresh server is there', async () => {
  const talk = await start()
  await ask(talk)
  await cutOff(talk)
  talk.session.waiting[0]!.settle(person)
  await talk.settle()
  talk.conversation.close(new Error('gone'))
  await talk.settle()

  expect([talk.serverLines, talk.clock.pending]).toEqual([[], 0])
})

test('a subscription that the server had not answered ends, and is not made with the fresh one behind the client\u2019s back', async () => {
  const talk = await start()
  talk.client({ id: 1, method: 'resources/subscribe', params: { uri: 'a:1' } }).server({ id: 1, result: {} })
  talk.client({ id: 2, method: 'resources/subscribe', params: { uri: 'a:2' } })
  talk.client({ id: 3, method: 'resources/subscribe', params: { uri: 'a:3' } }).server({ id: 3, error: { code: -32602, message: 'no' } })
  const change = await cutOff(talk)
  const ended = talk.atClient.at(-1)!
  talk.forget()
  const greeted = change.greet()
  talk.server({ id: talk.atServer[0]!.id!, result: agreed })
  await talk.settle()

  expect([ended.id, ended.error]).toEqual([2, lost])
  expect(talk.atServer.slice(2).map(({ params }) => params)).toEqual([{ uri: 'a:1' }])
  talk.server({ id: talk.atServer[2]!.id!, result: {} })
  await greeted
})

test('a fresh server that is silent about what it is told once more holds nobody up for longer than one of these takes', async () => {
  const talk = await start()
  for (const uri of ['a:1', 'a:2', 'a:3']) talk.client({ id: uri, method: 'resources/subscribe', params: { uri } }).server({ id: uri, result: {} })
  talk.forget()
  const change = await cutOff(talk)
  const greeted = change.greet()
  talk.server({ id: talk.atServer[0]!.id!, result: agreed })
  await talk.settle()
  const told = talk.atServer.slice(2).map(({ params }) => params?.['uri'])
  await talk.clock.pass(5000)
  await greeted

  expect([told, talk.clock.pending]).toEqual([['a:1', 'a:2', 'a:3'], 0])
})

test('a fresh server of another revision is not gone on with', async () => {
  const talk = await start()
  const change = await cutOff(talk)
  const message = greet(talk, change, { ...agreed, protocolVersion: '2024-11-05' }).catch((error: ConsentryError) => error.message)

  expect([await message, talk.atServer.map(({ method }) => method)]).toEqual([
    'The fresh server speaks 2024-11-05, and the client was told of 2025-11-25: start the client afresh too',
    ['initialize'],
  ])
})

test('what the fresh server answers before it was asked goes no further, and the call gets its own answer', async () => {
  const talk = await start()
  await ask(talk)
  talk.client(call(2))
  const change = await cutOff(talk)
  talk.forget()
  talk.client(call(3))
  const greeted = change.greet()
  for (const id of [3, 2, 1]) talk.server({ id, result: { content: [], by: 'nobody' } })
  talk.server({ id: talk.atServer[0]!.id!, result: agreed })
  await greeted
  change.goOn()
  talk.server({ id: 3, result: { content: [] } })
  await talk.settle()

  expect(talk.atClient.filter(({ id }) => id !== undefined)).toEqual([{ jsonrpc: '2.0', id: 3, result: { content: [] } }])
  expect(talk.notices).toEqual(Array(3).fill('the server answered a request that it does not have, which is refused'))
})

test('calls that have one id all end, those that are under way and those that wait', async () => {
  const talk = await start()
  talk
    .client(call(1))
    .client(call(1))
    .client(call(1))
    .server({ id: 1, result: { content: [] } })
  await cutOff(talk)
  const ended = talk.atClient.map(({ id, error }) => [id, error])
  talk
    .client(call(7))
    .client(call(7))
    .client({ method: 'notifications/cancelled', params: { requestId: 7 } })
  talk.conversation.goOn()

  expect([ended, talk.atServer.filter(({ id }) => id === 7)]).toEqual([
    [
      [1, undefined],
      [1, lost],
      [1, lost],
    ],
    [],
  ])
})
