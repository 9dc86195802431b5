import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'
import type { ConsentryError } from '../errors.ts'
import type { FreshStart } from './fresh-start.ts'

const never = new Promise<never>(() => undefined)
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const call = (id: number | string, name = 'run'): object => ({ id, method: 'tools/call', params: { name } })
const lost = { code: -32603, message: expect.stringContaining('is not sent again') as string, data: { reason: 'restarted' } }
const promised = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: { listChanged: true } }

interface Change {
  readonly talk: Talk
  readonly change: FreshStart
}

/** A handshake is over, and what was said in it forgotten. */
async function start(declared: object = {}, offered: object = promised): Promise<Change> {
  const talk = new Talk()
  talk.client({ id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: declared, clientInfo: { name: 'c', version: '1' } } })
  talk.server({ id: 'init', result: { protocolVersion: '2025-11-25', capabilities: offered, serverInfo: { name: 's', version: '1' } } })
  talk.client({ method: 'notifications/initialized' })
  await talk.settle()
  talk.session.onAnswer = ({ kind }) => (kind === 'roots' ? answered({ roots: [] }, 'rule') : undefined)
  talk.forget()
  return { talk, change: await talk.conversation.freshStart() }
}

/** The server makes room at once, and nothing of that is left in what was said. */
async function cutOff(given: Change): Promise<Change> {
  await given.change.drain(Promise.resolve())
  given.change.cutOff()
  await given.talk.settle()
  return given
}

/** A fresh server answers whatever it is told; with what it offers. */
async function greet({ talk, change }: Change, offered: object = promised): Promise<void> {
  let heard = talk.atServer.length
  const greeted = change.greet()
  let isOver = false
  void greeted.then(() => (isOver = true))
  while (!isOver) {
    for (const { id, method } of talk.atServer.slice(heard))
      if (id !== undefined && method !== undefined)
        talk.server({ id, result: method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: offered, serverInfo: {} } : {} })
    heard = talk.atServer.length
    await talk.settle()
  }
}

test('a call that is under way gets a moment, then an error, and is never sent again; what comes later waits for the fresh server', async () => {
  const given = await start()
  const { talk, change } = given
  talk.client(call(1)).client(call(2))
  const drained = change.drain(never)
  talk.client(call(3)).client({ method: 'vendor/note' })
  talk.server({ id: 1, result: { content: [] } })
  await talk.clock.pass(2000)
  await drained
  change.cutOff()
  const before = talk.atServer.map(({ id }) => id)
  await greet(given)
  change.goOn()
  await talk.settle()

  expect(before).toEqual([1, 2])
  expect(talk.atClient.filter(({ id }) => id !== undefined).map(({ id, result, error }) => [id, error ?? result])).toEqual([
    [1, { content: [] }],
    [2, lost],
  ])
  expect(talk.atServer.slice(2).map(({ id, method }) => [typeof id === 'number' ? id : undefined, method])).toEqual([
    [undefined, 'initialize'],
    [undefined, 'notifications/initialized'],
    [3, 'tools/call'],
    [undefined, 'vendor/note'],
  ])
})

test('a server that has nothing to do makes room at once', async () => {
  const { talk, change } = await start()
  talk.client(call(1))
  const drained = change.drain(never)
  talk.server({ id: 1, result: {} })
  await drained

  expect([talk.clock.now(), talk.clock.pending]).toEqual([0, 0])
})

test('the fresh server hears what the old one heard: the same handshake under an id of ours, the log level, what is subscribed to', async () => {
  const { talk, change } = await start({ experimental: { x: 1 } })
  for (const [method, params] of [
    ['resources/subscribe', { uri: 'a:1' }],
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'a:2' }],
    ['resources/unsubscribe', { uri: 'a:1' }],
  ] as const) {
    talk.client({ id: JSON.stringify(params), method, params }).server({ id: JSON.stringify(params), result: {} })
  }
  talk.forget()
  await cutOff({ talk, change })
  await greet({ talk, change })

  expect(talk.atServer.map(({ method, params }) => [method, params])).toEqual([
    [
      'initialize',
      {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'c', version: '1' },
        capabilities: { experimental: { x: 1 }, roots: { listChanged: true }, elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
      },
    ],
    ['notifications/initialized', undefined],
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'a:2' }],
  ])
  expect(talk.atClient).toEqual([])
})

test('the client is told of the lists that may have changed, where the server said that it tells of them', async () => {
  const { talk, change } = await cutOff(await start())
  await greet({ talk, change })
  change.goOn()

  expect(talk.atClient.map(({ method }) => method)).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed'])
  expect(talk.notices).toEqual([])
})

test('a fresh server that offers other things is reported', async () => {
  const { talk, change } = await cutOff(await start())
  await greet({ talk, change }, { tools: {} })

  expect(talk.notices).toEqual([expect.stringContaining('offers other things')])
})

test('one that refuses the handshake, or does not answer it, is said to', async () => {
  const refused = await cutOff(await start())
  const greeted = refused.change.greet().catch((error: ConsentryError) => error.message)
  const { id } = refused.talk.atServer.at(-1)!
  refused.talk.server({ id: id!, error: { code: -32602, message: 'no' } })
  const silent = await cutOff(await start())
  const waited = silent.change.greet().catch((error: ConsentryError) => error.message)
  await silent.talk.clock.pass(120_000)

  expect([await greeted, await waited]).toEqual(['The fresh server refused the handshake', 'The fresh server did not answer the handshake'])
})

test('what the old server asked here ends, and what it asked the client is taken back', async () => {
  const { talk, change } = await start({ elicitation: {} })
  talk.server({ id: 1, method: 'elicitation/create', params: form }).server({ id: 'p', method: 'ping' })
  talk.server({ id: 2, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
  await talk.session.questions(1)
  talk.forget()
  await cutOff({ talk, change })

  expect(talk.atClient.map(({ method, params }) => [method, params?.['requestId']])).toEqual([
    ['notifications/cancelled', 1],
    ['notifications/cancelled', 'p'],
  ])
  expect([talk.session.waiting[0]!.signal.aborted, talk.serverLines]).toEqual([true, []])
})

test('an answer to a question of the old server is never taken for one to the fresh server, though both count alike', async () => {
  const { talk, change } = await start({ elicitation: {} })
  talk.server({ id: 1, method: 'elicitation/create', params: { ...form, _meta: { progressToken: 1 } } })
  await cutOff({ talk, change })
  await greet({ talk, change })
  change.goOn()
  talk.forget()
  talk.server('{"jsonrpc":"2.0","id":1.0,"method":"elicitation/create","params":{"message":"fresh"}}\n')
  const { id } = talk.atClient[0]!
  talk.client({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
  talk.client({ id: 1, result: { action: 'accept', content: { name: 'old' } } })
  const between = [...talk.serverLines]
  talk.client({ id: id!, result: { action: 'accept', content: { name: 'fresh' } } })
  const answered = [...talk.serverLines]
  // The client is done with the old one: whatever has its token now is of a new one.
  talk.forget()
  talk.client({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })

  expect(talk.serverLines.length).toBe(1)
  expect([typeof id, between]).toEqual(['string', []])
  expect(answered).toEqual(['{"jsonrpc":"2.0","id":1.0,"result":{"action":"accept","content":{"name":"fresh"}}}\n'])
})

test('a question of the fresh server that goes under another id can be taken back', async () => {
  const { talk, change } = await start({ elicitation: {} })
  talk.server({ id: 1, method: 'elicitation/create', params: form })
  await cutOff({ talk, change })
  await greet({ talk, change })
  change.goOn()
  talk.forget()
  talk.server({ id: 1, method: 'elicitation/create', params: form }).server({ method: 'notifications/cancelled', params: { requestId: 1 } })
  talk.server({ id: 1, method: 'ping' })
  const [asked, back, ping] = talk.atClient

  expect([back?.params?.['requestId'], ping?.id === asked?.id]).toEqual([asked?.id, false])
})

test('a call that the client gives up while it waits is never sent', async () => {
  const { talk, change } = await cutOff(await start())
  talk.client(call(7)).client({ method: 'notifications/cancelled', params: { requestId: 7 } })
  talk.client({ method: 'notifications/cancelled', params: { requestId: 'unknown' } })
  await greet({ talk, change })
  change.goOn()

  expect(talk.atServer.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized'])
})

test('progress of the client’s calls goes on under their own tokens', async () => {
  const { talk, change } = await start()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'run', _meta: { progressToken: 't' } } })
  await cutOff({ talk, change })
  await greet({ talk, change })
  change.goOn()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'run', _meta: { progressToken: 't' } } })
  talk.forget()
  talk.server({ method: 'notifications/progress', params: { progressToken: 't', progress: 1 } }).server({ id: 1, result: { content: [] } })

  expect(talk.atClient.map(({ id, method }) => id ?? method)).toEqual(['notifications/progress', 1])
})

test('a call of 2026-07-28 that waits for an answer here does not depend on which process goes on with it', async () => {
  const { talk, change } = await start()
  talk.client({ id: 1, method: 'tools/call', params: modern({}, { name: 'run' }) })
  const inputRequests = { who: { method: 'elicitation/create', params: form } }
  talk.server({ id: 1, result: { resultType: 'input_required', inputRequests, requestState: 's' } })
  await talk.session.questions(1)
  await cutOff({ talk, change })
  await greet({ talk, change })
  change.goOn()
  talk.session.waiting[0]!.settle(answered({ action: 'accept', content: { name: 'Ada' } }))
  await talk.settle()
  const retry = talk.atServer.at(-1)!
  talk.server({ id: retry.id!, result: { resultType: 'complete', content: [] } })

  expect([retry.params?.['requestState'], talk.atClient.at(-1)]).toEqual(['s', expect.objectContaining({ id: 1, result: expect.anything() as object })])
})

test('calls wait until the fresh server has read its folders, as the old one did, and not longer than it takes', async () => {
  const given = await start()
  const { talk, change } = given
  talk.server({ id: 9, method: 'roots/list' })
  await talk.settle()
  await cutOff(given)
  await greet(given)
  change.goOn()
  talk.client(call(1)).client({ id: 2, method: 'tools/list' })
  talk.server({ id: 9, method: 'roots/list' })
  await talk.settle()
  const early = talk.atServer.slice(-2).map(({ id }) => id)
  await talk.clock.pass(100)

  expect([early, talk.atServer.at(-1)!.id, talk.clock.pending]).toEqual([[2, 9], 1, 0])
})

test('with nobody left there is nothing to go on with', async () => {
  const { talk, change } = await cutOff(await start())
  talk.client(call(1))
  talk.conversation.close(new Error('gone'))

  expect(await change.greet().catch((error: ConsentryError) => error.code)).toBe('CONNECTION_LOST')
  expect(talk.clock.pending).toBe(0)
})
