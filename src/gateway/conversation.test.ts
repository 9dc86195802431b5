import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { capabilitiesIn, Talk } from '../../test/fixtures/gateway-talk.ts'
import { ConsentryError } from '../errors.ts'

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const url = { mode: 'url', elicitationId: 'e-1', url: 'https://login.example/', message: 'Sign in' }
const accept = answered({ action: 'accept', content: { name: 'Ada' } })
const everything = { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } }
const foldersOnly = { roots: true, form: false, url: false, sampling: false, samplingTools: false }

test('a client that can be asked everything notices nothing: every line passes as its own bytes', () => {
  const talk = new Talk().shakeHands(everything)
  const client = [
    '{ "jsonrpc" : "2.0","id" : 7.0, "method":"tools\\/call","params":{"name":"run"} }\n',
    '{"jsonrpc":"2.0","method":"vendor/x","params":[1]}\r\n',
  ]
  const server = [
    '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"form"}}\n',
    '{"jsonrpc":"2.0","id":0,"method":"roots/list"}\n',
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"tools":[],"messages":12345678901234567890}}\n',
    '{"jsonrpc":"2.0","result":{"content":[]},"id":7}\n',
  ]
  for (const line of client) talk.client(line)
  for (const line of server) talk.server(line)

  expect([talk.serverLines, talk.clientLines, talk.sessionsOpened]).toEqual([client, server, 0])
})

test('what the client did not declare is answered here, with the id as it was written, and never reaches it', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = ({ kind }) => (kind === 'roots' ? answered({ roots: [] }, 'rule') : accept)
  talk.server('{"jsonrpc":"2.0","id":1.0,"method":"roots/list"}\n')
  talk.server('{"jsonrpc":"2.0","id":"\\u0061","method":"elicitation/create","params":{"message":"m"}}\n')
  await talk.settle()

  expect(talk.clientLines).toEqual([])
  expect(talk.serverLines.toSorted()).toEqual([
    '{"jsonrpc":"2.0","id":"\\u0061","result":{"action":"accept","content":{"name":"Ada"}}}\n',
    '{"jsonrpc":"2.0","id":1.0,"result":{"roots":[]}}\n',
  ])
})

test('the server is told the union, and the client is named to the desk', async () => {
  let named: string | undefined
  const talk: Talk = new Talk({ openSession: (client) => ((named = client), Promise.resolve(talk.session)) })
  talk.client({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo: { name: 'Cursor', version: '1' } },
  })
  talk.server({ id: 1, result: { protocolVersion: '2025-11-25' } })
  talk.server({ id: 2, method: 'roots/list' })
  await talk.settle()

  expect([capabilitiesIn(talk.atServer[0]!), named]).toEqual([
    { sampling: { tools: {} }, roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
    'Cursor',
  ])
})

test('modes and tools that the client lacks are answered here, and the rest passes', async () => {
  const talk = new Talk().shakeHands({ elicitation: { form: {} }, sampling: {} })
  talk.session.onAnswer = () => accept
  talk.server({ id: 1, method: 'elicitation/create', params: url })
  talk.server({ id: 2, method: 'elicitation/create', params: form })
  talk.server({ id: 3, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } })
  talk.server({ id: 4, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
  await talk.settle()

  expect([talk.atClient.map(({ id }) => id), talk.session.asked.map(({ kind }) => kind)]).toEqual([
    [2, 4],
    ['elicitation', 'sampling'],
  ])
})

test('a mode that stands twice is nobody’s: the server gets an error, nobody is asked', async () => {
  const talk = new Talk().shakeHands({ elicitation: { form: {} } })
  talk.server('{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","mode":"url"}}\n')
  await talk.settle()

  expect([talk.atServer.map(({ id, error }) => [id, error?.code]), talk.atClient, talk.session.asked]).toEqual([[[1, -32600]], [], []])
})

test.each([
  ['a form', { method: 'elicitation/create', params: form }, -32601],
  ['a completion', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }, -32601],
])('%s that was not promised is refused at once, and nobody is asked', async (_, question, code) => {
  const talk = new Talk({ before: () => foldersOnly }).shakeHands()
  talk.session.can = foldersOnly
  talk.server({ id: 5, ...question })
  await talk.settle()

  expect([talk.atServer[0]?.error?.code, talk.session.asked]).toEqual([code, []])
})

test('a mode that was not promised is invalid, not unknown', async () => {
  const talk = new Talk({ before: () => foldersOnly }).shakeHands({ elicitation: { form: {} } })
  talk.session.can = foldersOnly
  talk.server({ id: 5, method: 'elicitation/create', params: url })
  await talk.settle()

  expect(talk.atServer[0]?.error?.code).toBe(-32602)
})

test('before the handshake folders are told, and nothing else was promised', async () => {
  const talk = new Talk()
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  talk.server({ id: 1, method: 'roots/list' }).server({ id: 2, method: 'elicitation/create', params: form })
  await talk.settle()

  expect(Object.fromEntries(talk.atServer.map(({ id, result, error }) => [id, result ?? error?.code]))).toEqual({ 1: { roots: [] }, 2: -32601 })
})

test('what is taken is answered here though the client could; what is passed reaches a client that declared nothing', async () => {
  const talk = new Talk({ wishes: { take: new Set(['roots']), pass: new Set(['elicitation']) } }).shakeHands({ roots: { listChanged: true } })
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  talk.server({ id: 1, method: 'roots/list' }).server({ id: 2, method: 'elicitation/create', params: form })
  talk.client({ method: 'notifications/roots/list_changed' })
  await talk.settle()

  expect([talk.atServer.map(({ id, result }) => [id, result]), talk.atClient.map(({ id }) => id)]).toEqual([[[1, { roots: [] }]], [2]])
})

test('what the client said that it can be asked, and then does not know, is asked here; it is told to a person once', async () => {
  const talk = new Talk({ wishes: { take: new Set(), pass: new Set(['roots']) } }).shakeHands({ sampling: {}, elicitation: { form: {} }, roots: {} })
  talk.session.onAnswer = () => accept
  const unknown = { code: -32601, message: 'Method not found' }
  talk.server({ id: 'a', method: 'elicitation/create', params: form }).client({ id: 'a', error: unknown })
  talk.server({ id: 'b', method: 'elicitation/create', params: form }).client({ id: 'b', error: unknown })
  talk.server({ id: 'c', method: 'elicitation/create', params: form }).client({ id: 'c', error: { code: -32603, message: 'no' } })
  talk.server({ id: 'd', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, task: {} } }).client({ id: 'd', error: unknown })
  talk.server({ id: 'e', method: 'roots/list' }).client({ id: 'e', error: unknown })
  await talk.settle()

  expect(Object.fromEntries(talk.atServer.map(({ id, result, error }) => [id, result?.['action'] ?? error?.code]))).toEqual({
    a: 'accept',
    b: 'accept',
    c: -32603,
    d: -32601,
    e: -32601,
  })
  expect(talk.notices).toEqual(['the client said that it can be asked elicitation/create, and does not know it: it is answered here'])
})

test('a question that nobody here can answer leaves the client’s error as it is', async () => {
  const talk = new Talk({ before: () => foldersOnly }).shakeHands({ sampling: {} })
  talk.session.can = foldersOnly
  talk.server({ id: 1, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
  talk.client('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}\n')
  await talk.settle()

  expect([talk.serverLines.at(-1), talk.session.asked]).toEqual(['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}\n', []])
})

test('a response of the client that answers nothing, or answers for the second time, is dropped; the first one passes', () => {
  const talk = new Talk().shakeHands()
  talk.client({ id: 9, result: {} })
  talk.server({ id: 9, method: 'ping' })
  talk
    .client({ id: '9', result: { not: 'this one' } })
    .client({ id: 9, result: { n: 1 } })
    .client({ id: 9, result: { n: 2 } })

  expect(talk.atServer.map(({ result }) => result)).toEqual([{ n: 1 }])
})

test('a second request of the server with an id that is still open is refused, and the first is answered', async () => {
  const talk = new Talk().shakeHands()
  talk.server({ id: 1, method: 'elicitation/create', params: form }).server({ id: 1, method: 'ping' }).server({ id: '1', method: 'ping' })
  await talk.session.questions(1)
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()

  expect([talk.atServer.map(({ id, result, error }) => [id, error?.code ?? result?.['action']]), talk.atClient.map(({ id }) => id)]).toEqual([
    [
      [1, -32600],
      [1, 'accept'],
    ],
    ['1'],
  ])
})

test('a question that the server takes back ends here without a response, and the client is not bothered', async () => {
  const talk = new Talk().shakeHands({ sampling: {} })
  talk.server({ id: 5, method: 'elicitation/create', params: form }).server({ id: 6, method: 'sampling/createMessage', params: {} })
  await talk.session.questions(1)
  talk.server({ method: 'notifications/cancelled', params: { requestId: 5 } }).server({ method: 'notifications/cancelled', params: { requestId: 6 } })
  talk.client({ id: 6, result: { late: true } })
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()

  expect([talk.serverLines, talk.atClient.map(({ id, params }) => id ?? params?.['requestId']), talk.session.waiting[0]!.signal.aborted]).toEqual([
    [],
    [6, 6],
    true,
  ])
})

test('a call that the client cancels takes its question with it, once no other call can own it', async () => {
  const talk = new Talk().shakeHands()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'a' } }).client({ id: 2, method: 'tools/call', params: { name: 'b' } })
  talk.server({ id: 'q', method: 'elicitation/create', params: form })
  await talk.session.questions(1)
  talk.forget()
  talk.client({ method: 'notifications/cancelled', params: { requestId: 1 } })
  const afterOne = talk.atServer.length
  talk.client({ method: 'notifications/cancelled', params: { requestId: 2 } })
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()

  expect([afterOne, talk.session.asked[0]!.call, talk.atServer.map(({ id, result, params }) => (id === undefined ? params?.['requestId'] : result))]).toEqual([
    1,
    { kind: 'one-of', count: 2 },
    [1, 2, { action: 'cancel' }],
  ])
})

test('a question names its call where only one is open', async () => {
  const talk = new Talk().shakeHands()
  talk.client({ id: 1, method: 'resources/list' }).client({ id: 2, method: 'resources/read', params: { uri: 'file:///a' } })
  talk.server({ id: 'q', method: 'elicitation/create', params: form })
  await talk.session.questions(1)

  expect(talk.session.asked[0]!.call).toEqual({ kind: 'resource', name: 'file:///a' })
})

test('news of our folders waits for initialized, and for the promise', async () => {
  const early = new Talk()
  early.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  await early.conversation.openDesk()
  early.session.emit('roots-changed')
  early.forget()
  early.client({ method: 'notifications/initialized' })
  await early.settle()
  early.session.emit('roots-changed')
  const theirs = new Talk().shakeHands({ roots: {} })
  await theirs.conversation.openDesk()
  theirs.session.emit('roots-changed')

  expect([early.atServer.map(({ method }) => method), theirs.atServer]).toEqual([
    ['notifications/initialized', 'notifications/roots/list_changed', 'notifications/roots/list_changed'],
    [],
  ])
})

test('the older the revision, the less may be asked', async () => {
  const talk = new Talk().shakeHands({}, '2024-11-05')
  talk.session.onAnswer = () => accept
  talk.server({ id: 1, method: 'elicitation/create', params: form })
  await talk.settle()

  expect(talk.atServer[0]?.error?.code).toBe(-32601)
})

test('the revision that the server agrees to is the one that questions are of', async () => {
  const talk = new Talk()
  talk.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  talk.server({ id: 1, result: { protocolVersion: '2025-06-18' } })
  talk.server({ id: 2, method: 'elicitation/create', params: form })
  await talk.session.questions(1)

  expect(talk.session.asked[0]!.revision).toBe('2025-06-18')
})

test('while somebody thinks, whoever gave a token hears of it, and the progress of the server stays ahead of ours', async () => {
  const talk = new Talk().shakeHands()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 'call' } } })
  talk.server({ method: 'notifications/progress', params: { progressToken: 'call', progress: 3 } })
  talk.server({ id: 'q', method: 'elicitation/create', params: { ...form, _meta: { progressToken: 7 } } })
  await talk.session.questions(1)
  talk.forget()
  await talk.clock.pass(11_000)
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()
  await talk.clock.pass(60_000)

  const told = talk.atClient.map(({ params }) => params?.['progress'] as number)
  expect(told.length).toBe(2)
  expect(told.every((progress, index) => progress > (told[index - 1] ?? 3) && progress < 4)).toBe(true)
  expect(talk.atServer.filter(({ method }) => method !== undefined).map(({ params }) => [params?.['progressToken'], params?.['progress']])).toEqual([
    [7, 1],
    [7, 2],
  ])
})

test('a desk that cannot be opened is an error to whoever asked, and the next question tries again', async () => {
  let tries = 0
  const talk: Talk = new Talk({
    openSession: () => {
      tries += 1
      return tries === 1 ? Promise.reject(new ConsentryError('CONFIG_INVALID', 'secret path')) : Promise.resolve(talk.session)
    },
  })
  talk.shakeHands()
  talk.session.onAnswer = () => accept
  talk.server({ id: 1, method: 'elicitation/create', params: form })
  await talk.settle()
  talk.server({ id: 2, method: 'elicitation/create', params: form })
  await talk.settle()

  expect(talk.atServer.map(({ result, error }) => error ?? result?.['action'])).toEqual([{ code: -32603, message: 'Internal error' }, 'accept'])
})

test('what the desk withdraws is cancelled for the server, never left open', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => ({ outcome: 'withdrawn', reason: 'the desk is gone' })
  talk.server({ id: 1, method: 'elicitation/create', params: form }).server({ id: 2, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
  await talk.settle()

  expect(talk.atServer.map(({ result, error }) => error?.code ?? result)).toEqual([{ action: 'cancel' }, -32603])
})

test('a question that only we would accept is not answered', async () => {
  const talk = new Talk().shakeHands()
  talk.server('{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":[x]}}\n')
  await talk.settle()

  expect([talk.atServer[0]?.error?.code, talk.session.asked]).toEqual([-32600, []])
})

test('an answer that echoes what is nested deeper than can be written is an error, and no crash', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => accept
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  talk.server(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","_meta":{"io.modelcontextprotocol/related-task":${deep}}}}\n`)
  await talk.settle()

  expect(talk.atServer.map(({ id, error }) => [id, error?.code])).toEqual([[1, -32602]])
})

test('after the end nothing is answered, and nobody is asked any more', async () => {
  const talk = new Talk().shakeHands()
  talk.server({ id: 1, method: 'elicitation/create', params: form })
  await talk.session.questions(1)
  talk.conversation.close(new Error('gone'))
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()

  expect([talk.serverLines, talk.session.waiting[0]!.signal.aborted, talk.session.isClosed, talk.clock.pending]).toEqual([[], true, true, 0])
})

test('a visit that the server reports done reaches the desk', async () => {
  const talk = new Talk().shakeHands()
  await talk.conversation.openDesk()
  talk.server({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-7' } })

  expect(talk.session.completed).toEqual(['e-7'])
})
