import { expect, test } from 'vitest'
import { answered } from '../fixtures/fake-session.ts'
import { capabilitiesIn, modern, Talk, type Said } from '../fixtures/gateway-talk.ts'

/*
 * Faults that users of other gateways met, each as a kind, between a client and a server that `wrap` stands between. At an address (B11) they stand in
 * `src/gateway/http-server-streams.test.ts`, those of pipes and processes (B76) also in `src/gateway/gateway.test.ts`.
 */

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const completion = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 }
const accept = answered({ action: 'accept', content: { name: 'Ada' } })
const call = (id: string | number, params: object = {}): object => ({ id, method: 'tools/call', params: { name: 'run', ...params } })
const nothing = { roots: true, form: false, url: false, sampling: false, samplingTools: false }
const endOf = ({ id, result, error }: Said): readonly unknown[] => [id, error?.code ?? result]

test('B01: a call waits as long as a person thinks, hears of it meanwhile, and ends with its own result', async () => {
  const talk = new Talk().shakeHands()
  talk.client(call(7, { _meta: { progressToken: 'p' } })).server({ id: 0, method: 'elicitation/create', params: form })
  await talk.session.questions(1)
  await talk.clock.pass(75_000)
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()
  talk.server({ id: 7, result: { content: [] } })

  expect(talk.atClient.filter(({ method }) => method === 'notifications/progress').length).toBeGreaterThan(2)
  expect(talk.atServer.filter(({ id }) => id === 0).map(endOf)).toEqual([[0, { action: 'accept', content: { name: 'Ada' } }]])
  expect(talk.atClient.filter(({ id }) => id !== undefined).map(endOf)).toEqual([[7, { content: [] }]])
})

test('B01: where nobody answers in time the question ends as cancel, once, and the call is the server’s to end', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => answered({ action: 'cancel' }, 'none')
  talk.client(call(7)).server({ id: 0, method: 'elicitation/create', params: form })
  await talk.settle()
  talk.server({ id: 7, result: { content: [], isError: true } })

  expect([talk.atServer.slice(1).map(endOf), talk.atClient.map(endOf)]).toEqual([[[0, { action: 'cancel' }]], [[7, { content: [], isError: true }]]])
})

test('B02: what nobody can answer is not declared, and is unknown; nobody there any more is a cancel, at once', async () => {
  const talk = new Talk()
  talk.session.can = nothing
  talk.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  talk.server({ id: 2, method: 'elicitation/create', params: form })
  const gone = new Talk().shakeHands()
  gone.session.can = nothing
  gone.session.onAnswer = () => answered({ action: 'cancel' }, 'none')
  gone.server({ id: 3, method: 'elicitation/create', params: form })
  await gone.settle()

  expect([capabilitiesIn(talk.atServer[0]!), talk.atServer.slice(1).map(endOf), gone.atServer.map(endOf)]).toEqual([
    { roots: { listChanged: true } },
    [[2, -32601]],
    [[3, { action: 'cancel' }]],
  ])
})

test('B05: a request of the server reaches the client that can be asked, and its response comes back, with the id as it was written', () => {
  const talk = new Talk().shakeHands({ sampling: {} })
  const question = '{"jsonrpc":"2.0","id":"s-1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":10}}\n'
  const response = '{"jsonrpc":"2.0","id":"s\\u002d1","result":{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}}\n'
  talk.client(call(1)).server(question).client(response)

  expect([talk.clientLines, talk.serverLines.slice(1)]).toEqual([[question], [response]])
})

test('B10: one id in both directions is two requests, and three nested questions all come to their end', async () => {
  const talk = new Talk().shakeHands({ sampling: {} })
  talk.client(call(1)).server({ id: 1, method: 'sampling/createMessage', params: completion })
  talk.client(call(2)).server({ id: 2, method: 'elicitation/create', params: form })
  await talk.session.questions(1)
  talk.client({ id: 3, method: 'ping' }).server({ id: 3, result: {} })
  talk.session.waiting[0]!.settle(accept)
  await talk.settle()
  talk.server({ id: 2, result: { content: [] } }).client({ id: 1, result: { model: 'm' } })
  talk.server({ id: 1, result: { content: ['last'] } })

  expect(talk.atClient.filter(({ method }) => method === undefined).map(endOf)).toEqual([
    [3, {}],
    [2, { content: [] }],
    [1, { content: ['last'] }],
  ])
  expect(talk.atServer.filter(({ method }) => method === undefined).map(endOf)).toEqual([
    [2, { action: 'accept', content: { name: 'Ada' } }],
    [1, { model: 'm' }],
  ])
})

test('B13: whoever asks for folders in the moment of initialized is told them', async () => {
  const talk = new Talk()
  talk.session.onAnswer = () => answered({ roots: [{ uri: 'file:///w' }] }, 'rule')
  talk.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  talk.server({ id: 1, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } })
  talk.client({ method: 'notifications/initialized' }).server({ id: 0, method: 'roots/list' })
  await talk.settle()

  expect(talk.atServer.filter(({ method }) => method === undefined).map(endOf)).toEqual([[0, { roots: [{ uri: 'file:///w' }] }]])
})

test('B14: a server that asks for folders before it has answered initialize is answered, and a client that is silent about them holds up nobody', async () => {
  const early = new Talk()
  early.session.onAnswer = () => answered({ roots: [] }, 'rule')
  early.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  early.server({ id: 0, method: 'roots/list' })
  await early.settle()
  const silent = new Talk().shakeHands({ roots: {} })
  silent.server({ id: 0, method: 'roots/list' })
  for (const id of [1, 2, 3]) silent.client(call(id)).server({ id, result: { content: [] } })

  expect(early.atServer.filter(({ method }) => method === undefined).map(endOf)).toEqual([[0, { roots: [] }]])
  expect(silent.atClient.filter(({ method }) => method === undefined).map(({ id }) => id)).toEqual([1, 2, 3])
})

test('B16: a question that was taken back is gone, and the next one of the same call is shown at once', async () => {
  const talk = new Talk().shakeHands()
  talk.client(call(7)).server({ id: 1, method: 'elicitation/create', params: form })
  await talk.session.questions(1)
  talk.server({ method: 'notifications/cancelled', params: { requestId: 1 } }).server({ id: 2, method: 'elicitation/create', params: form })
  await talk.session.questions(2)
  talk.session.waiting[1]!.settle(accept)
  await talk.settle()

  expect(talk.session.waiting.map(({ signal }) => signal.aborted)).toEqual([true, false])
  expect(talk.atServer.slice(1).map(endOf)).toEqual([[2, { action: 'accept', content: { name: 'Ada' } }]])
})

test('B22: a client without sampling: the server is promised it, and gets a completion', async () => {
  const talk = new Talk()
  const completed = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm', stopReason: 'endTurn' }
  talk.session.onAnswer = () => answered(completed)
  talk.client({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } })
  talk.server({ id: 1, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } })
  talk.client({ method: 'notifications/initialized' }).client(call(2)).server({ id: 3, method: 'sampling/createMessage', params: completion })
  await talk.settle()

  expect(capabilitiesIn(talk.atServer[0]!)).toMatchObject({ sampling: {} })
  expect(talk.atServer.filter(({ id }) => id === 3).map(endOf)).toEqual([[3, completed]])
})

test('B68: a call that is cancelled is cancelled for the server; what it had asked here is withdrawn, and no completion leaves', async () => {
  const talk = new Talk().shakeHands()
  talk.client(call(7)).server({ id: 3, method: 'sampling/createMessage', params: completion })
  await talk.session.questions(1)
  talk.client({ method: 'notifications/cancelled', params: { requestId: 7 } })
  talk.session.waiting[0]!.settle(answered({ role: 'assistant', content: { type: 'text', text: 'late' }, model: 'm' }))
  await talk.settle()

  expect(talk.session.waiting[0]!.signal.aborted).toBe(true)
  expect(talk.atServer.slice(1).map(({ method, params, ...end }) => (method === undefined ? endOf(end as Said) : [method, params?.['requestId']]))).toEqual([
    ['notifications/cancelled', 7],
    [3, -32603],
  ])
})

test('B68: a call of 2026-07-28 that was sent again is cancelled by the id that its server knows', async () => {
  const talk = new Talk()
  talk.session.onAnswer = () => accept
  talk
    .client(call(7, modern({})))
    .server({ id: 7, result: { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params: form } } } })
  await talk.settle()
  const again = talk.atServer[1]!.id
  talk.client({ method: 'notifications/cancelled', params: { requestId: 7 } }).server({ id: again, result: { resultType: 'complete', content: [] } })

  expect([talk.atServer.at(-1)!.params, talk.atClient]).toEqual([{ requestId: again }, []])
})

test('B68: a cancel of what is unknown, or already answered, changes nothing', () => {
  const talk = new Talk().shakeHands()
  talk.client({ method: 'notifications/cancelled', params: { requestId: 'never' } })
  talk
    .client(call(7))
    .server({ id: 7, result: { content: [] } })
    .client({ method: 'notifications/cancelled', params: { requestId: 7 } })
  talk.client(call(8)).server({ id: 8, result: { content: [] } })

  expect(talk.atClient.map(({ id }) => id)).toEqual([7, 8])
})

test.each(['client', 'server'] as const)('B70: what the %s writes is told apart by the presence of an id, and never by its truth', async (sender) => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  const lines = [
    '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
    '{"jsonrpc":"2.0","id":0,"method":"roots/list"}',
    '{"jsonrpc":"2.0","id":null,"method":"roots/list"}',
    '{"jsonrpc":"2.0","id":"","method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}',
  ]
  for (const line of lines) talk[sender](`${line}\n`)
  await talk.settle()
  const [own, other] = sender === 'client' ? [talk.atClient, talk.atServer] : [talk.atServer, talk.atClient]

  expect(own.map(({ id, error }) => [id, error?.code])).toEqual(
    sender === 'client'
      ? [[null, -32600]]
      : [
          [null, -32600],
          [0, undefined],
        ],
  )
  expect(other.map(({ id, method }) => [id, method])).toEqual(
    sender === 'client'
      ? [
          [0, 'roots/list'],
          ['', 'ping'],
        ]
      : [
          [undefined, 'notifications/roots/list_changed'],
          ['', 'ping'],
        ],
  )
})

const errors = [
  '{"code":-32042,"message":"need auth","data":{"elicitations":[{"mode":"url","elicitationId":"1","url":"https://a.example/","message":"m"}],"n":1.0}}',
  '{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{}}}}',
  '{"code":-1,"message":"User rejected sampling request"}',
]

test.each(errors)('B71: through two gateways the error %s is the same bytes', (error) => {
  const able = { elicitation: { form: {}, url: {} }, sampling: {} }
  const [outer, inner] = [new Talk().shakeHands(able), new Talk().shakeHands(able)]
  const [ofServer, ofClient] = [`{"jsonrpc":"2.0","id":1,"error":${error}}\n`, `{"jsonrpc":"2.0","id":9,"error":${error}}\n`]
  for (const talk of [outer, inner]) talk.client(call(1)).server({ id: 9, method: 'sampling/createMessage', params: completion }).forget()
  outer.server(inner.server(ofServer).clientLines.join(''))
  inner.client(outer.client(ofClient).serverLines.join(''))

  expect([outer.clientLines, inner.serverLines]).toEqual([[ofServer], [ofClient]])
})

test('B71: what went wrong between them says so, and where', async () => {
  const talk = new Talk({ openSession: () => Promise.reject(new Error('secret')) }).shakeHands({ sampling: {} })
  talk.server({ id: 1, method: 'elicitation/create', params: form })
  talk.server({ id: 2, method: 'sampling/createMessage', params: completion }).client('{"jsonrpc":"2.0","id":2,"result":{},"result":{}}\n')
  talk.client(call(3)).server('{"jsonrpc":"2.0","id":3,"result":{},"error":{}}\n')
  await talk.settle()

  expect(talk.atServer.filter(({ error }) => error).map(({ id, error }) => [id, error])).toEqual([
    [2, { code: -32603, message: expect.stringMatching(/^The response of the client is broken: /) as unknown, data: { hop: 'consentry wrap' } }],
    [1, { code: -32603, message: expect.not.stringContaining('secret') as unknown }],
  ])
  expect(talk.atClient.filter(({ error }) => error).map(({ error }) => [error?.message, error?.data])).toEqual([
    [expect.stringMatching(/^The response of the server is broken: /), { hop: 'consentry wrap' }],
  ])
})

test('B73: each request promises what its client can be asked and what can be answered here now; what is missing then comes down as the server wrote it', async () => {
  const talk = new Talk()
  await talk.conversation.openDesk()
  talk.session.can = { roots: false, form: false, url: true, sampling: true, samplingTools: true }
  talk.client(call(1, modern({ elicitation: { form: {} } })))
  talk.session.can = { roots: false, form: false, url: false, sampling: false, samplingTools: false }
  talk.session.emit('capabilities-changed')
  talk.client(call(2, modern({ elicitation: { form: {} } })))
  const refused = '{"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}}\n'
  talk.server(refused)

  expect([talk.atServer.map(capabilitiesIn), talk.clientLines]).toEqual([
    [{ elicitation: { form: {}, url: {} }, sampling: { tools: {} } }, { elicitation: { form: {} } }],
    [refused],
  ])
})

test('B74: an era is a request’s own: a question of one era never reaches a client of the other, and a state that is foreign is refused', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => accept
  talk.client(call(1)).client(call(2, modern({})))
  talk.server({ id: 2, result: { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params: form } } } })
  talk.server({ id: 'q', method: 'elicitation/create', params: form })
  await talk.settle()
  talk.server({ id: talk.atServer.at(-1)!.id === 'q' ? talk.atServer.at(-2)!.id : talk.atServer.at(-1)!.id, result: { resultType: 'complete', content: [] } })
  talk.server({ id: 1, result: { content: [] } })

  expect(talk.atClient.map(({ id, method, result }) => [id, method, result?.['resultType']])).toEqual([
    [2, undefined, 'complete'],
    [1, undefined, undefined],
  ])
})

test('B76: a stray line is told and skipped, a letter that came in two pieces is whole, and the session lives', () => {
  const talk = new Talk().shakeHands()
  const line = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"é"}}\n')
  const cut = line.indexOf(0xc3) + 1
  talk.server('starting up…\n').server(line.subarray(0, cut)).server(line.subarray(cut))
  talk.client(call(1)).server({ id: 1, result: { content: [] } })

  expect([talk.notices.length, talk.clientLines[0], talk.atClient.at(-1)!.id]).toEqual([1, line.toString(), 1])
})
