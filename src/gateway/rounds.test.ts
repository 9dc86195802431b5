import { expect, onTestFinished, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { capabilitiesIn, modern, Talk, type Said } from '../../test/fixtures/gateway-talk.ts'
import { ConsentryError } from '../errors.ts'
// Loaded with the first round that is split; here before anything is timed.
import './fingerprint.ts'
import type { InputRequest, InputResponse } from '../protocol/index.ts'

const form = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } }
const completion = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
const roots = { method: 'roots/list' }
const call = (id: string | number, capabilities: object, params: object = {}): object => ({
  id,
  method: 'tools/call',
  params: modern(capabilities, { name: 'run', arguments: { a: 1 }, ...params }),
})
const asks = (id: unknown, inputRequests: object, rest: object = { requestState: 'mine' }): object => ({
  id,
  result: { resultType: 'input_required', inputRequests, ...rest },
})
const done = { resultType: 'complete', content: [] }
const byKind = ({ kind }: InputRequest): InputResponse =>
  kind === 'roots'
    ? answered({ roots: [{ uri: 'file:///a' }] }, 'rule')
    : kind === 'sampling'
      ? answered({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' })
      : answered({ action: 'accept', content: { x: 'y' } })

function talking(): Talk {
  const talk = new Talk()
  talk.session.onAnswer = byKind
  return talk
}

const last = <Item>(items: readonly Item[]): Item => items.at(-1)!
const state = ({ result }: Said): string => result?.['requestState'] as string

test('a round that is all ours is answered here: the retry is ours, with a new id, the same arguments and the very state of the server', async () => {
  const talk = talking()
  talk.client(call('c-1', {}))
  talk.server(
    `{"jsonrpc":"2.0","id":"c-1","result":{"resultType":"input_required","requestState":"\\u0061 \\/","inputRequests":{"__proto__":${JSON.stringify(form)}}}}\n`,
  )
  await talk.settle()
  const [first, retry] = talk.atServer
  talk.server({ id: retry!.id, result: done })

  expect(talk.serverLines[1]).toContain('"requestState":"\\u0061 \\/"')
  expect(talk.serverLines[1]).toContain('"inputResponses":{"__proto__":{"action":"accept","content":{"x":"y"}}}')
  expect([retry!.params?.['arguments'], typeof retry!.id, retry!.id === first!.id]).toEqual([{ a: 1 }, 'string', false])
  expect(capabilitiesIn(retry!)).toEqual({ roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } })
  expect(talk.atClient).toEqual([{ jsonrpc: '2.0', id: 'c-1', result: done }])
})

test('a round of hundreds of questions is answered whole, and Node warns of no listeners', async () => {
  const talk = new Talk()
  const warnings: Error[] = []
  const keep = (warning: Error): void => void warnings.push(warning)
  process.on('warning', keep)
  onTestFinished(() => void process.off('warning', keep))
  const keys = Array.from({ length: 300 }, (_, index) => `q-${index}`)
  talk.client(call(1, {}))
  talk.server(asks(1, Object.fromEntries(keys.map((key) => [key, form]))))
  for (const at of keys.keys()) {
    await talk.session.questions(at + 1)
    talk.session.waiting[at]!.settle(byKind(talk.session.asked[at]!))
  }
  await talk.settle()

  expect(Object.keys(last(talk.atServer).params?.['inputResponses'] as object)).toEqual(keys)
  expect(warnings).toEqual([])
})

test.each(['taken back', 'beyond the reach of a lost desk'])(
  'folders that are %s by the time of the retry are not told: the server asks again',
  async (how) => {
    const talk = talking()
    const elicitation = { elicitation: { form: {} } }
    talk.client(call(1, elicitation))
    talk.server(asks(1, { s: completion, f: form, r: roots }))
    await talk.settle()
    if (how === 'taken back') talk.session.emit('roots-changed')
    else {
      talk.session.can = { ...talk.session.can, roots: false }
      talk.session.emit('capabilities-changed')
    }
    talk.client(call(2, elicitation, { requestState: state(last(talk.atClient)), inputResponses: { f: { action: 'decline' } } }))

    expect(Object.keys(last(talk.atServer).params?.['inputResponses'] as object)).toEqual(['f', 's'])
  },
)

test('folders that change while the rest of a round is answered are not told as they were', async () => {
  const talk = new Talk()
  talk.session.onAnswer = (request) => (request.kind === 'elicitation' ? undefined : byKind(request))
  talk.client(call(1, {}))
  talk.server(asks(1, { f: form, r: roots }))
  await talk.session.questions(2)
  talk.session.emit('roots-changed')
  talk.session.waiting[0]!.settle(byKind(talk.session.waiting[0]!.request))
  await talk.settle()

  expect(last(talk.atServer).params?.['inputResponses']).toEqual({ f: { action: 'accept', content: { x: 'y' } } })
})

test('a second round goes with its own answers and its own state only', async () => {
  const talk = talking()
  talk.client(call(1, {}))
  talk.server(asks(1, { a: form }))
  await talk.settle()
  talk.server(asks(last(talk.atServer).id, { b: roots }, {}))
  await talk.settle()
  const { params } = last(talk.atServer)

  expect([params?.['inputResponses'], params !== undefined && 'requestState' in params]).toEqual([{ b: { roots: [{ uri: 'file:///a' }] } }, false])
})

test('a round that is all the client’s passes as the same bytes', () => {
  const talk = talking()
  const line =
    '{"jsonrpc":"2.0","id":1,"result":{ "resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form"}}},"requestState":"s"}}\n'
  talk.client(call(1, { elicitation: { form: {} } })).server(line)

  expect([talk.clientLines, talk.sessionsOpened]).toEqual([[line], 0])
})

test('a state without questions, and a question of a kind that nobody knows, are the client’s affair', () => {
  const talk = talking()
  talk.client(call(1, {})).server({ id: 1, result: { resultType: 'input_required', requestState: 's' } })
  talk.client(call(2, {})).server(asks(2, { k: { method: 'vendor/ask' } }))

  expect(talk.atClient.map(({ id, result }) => [id, result?.['resultType']])).toEqual([
    [1, 'input_required'],
    [2, 'input_required'],
  ])
})

test('a split round: our part first, then the client gets its own questions and a handle, and brings both together', async () => {
  const talk = talking()
  const elicitation = { elicitation: { form: {} } }
  talk.client(call(1, elicitation))
  talk.server(asks(1, { s: completion, f: form, r: roots }))
  await talk.settle()
  const [share] = talk.atClient
  talk.client(call(2, elicitation, { requestState: state(share!), inputResponses: { f: { action: 'decline' }, s: { forged: true } } }))
  const retry = last(talk.atServer)

  expect([share!.result?.['inputRequests'], state(share!) === 'mine']).toEqual([{ f: form }, false])
  expect([retry.id, retry.params?.['requestState'], retry.params?.['inputResponses']]).toEqual([
    2,
    'mine',
    {
      f: { action: 'decline' },
      s: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
      r: { roots: [{ uri: 'file:///a' }] },
    },
  ])
})

test('a split round without a state of the server: the handle is taken out again', async () => {
  const talk = talking()
  talk.client(call(1, { elicitation: {} })).server(asks(1, { r: roots, f: form }, { requestState: null }))
  await talk.settle()
  talk.client(call(2, { elicitation: {} }, { requestState: state(talk.atClient[0]!), inputResponses: { f: { action: 'cancel' } } }))
  const { params } = last(talk.atServer)

  expect([Object.keys(params?.['inputResponses'] as object).toSorted(), params !== undefined && 'requestState' in params]).toEqual([['f', 'r'], false])
})

test('a handle that was changed in any one place, or cut, is refused and never reaches the server; the true one works, and works again', async () => {
  const talk = talking()
  talk.client(call(1, { elicitation: {} })).server(asks(1, { r: roots, f: form }))
  await talk.settle()
  const handle = state(talk.atClient[0]!)
  const forged = handle.split('').map((character, at) => handle.slice(0, at) + (character === 'x' ? 'y' : 'x') + handle.slice(at + 1))
  for (const [index, one] of [...forged, handle.slice(0, -1), handle.slice(1), `${handle}x`].entries()) {
    talk.client(call(`f-${index}`, { elicitation: {} }, { requestState: one, inputResponses: {} }))
  }
  const refused = talk.atClient.slice(1)
  const before = talk.atServer.length
  for (const id of ['t-1', 't-2']) talk.client(call(id, { elicitation: {} }, { requestState: handle, inputResponses: {} }))

  expect([new Set(refused.map(({ error }) => error?.code)), refused.length, before]).toEqual([new Set([-32602]), forged.length + 3, 1])
  expect(talk.atServer.slice(1).map(({ id, params }) => [id, params?.['requestState']])).toEqual([
    ['t-1', 'mine'],
    ['t-2', 'mine'],
  ])
})

test.each([
  ['says nothing of its client', undefined],
  ['says only its revision', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
  ['declares what is no object', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': null }],
])('a retry with a handle that %s is refused: the server does not know the handle, and what was answered here is kept for the true one', async (_, meta) => {
  const talk = talking()
  talk.client(call(1, { elicitation: {} }))
  talk.server(asks(1, { s: completion, f: form }))
  await talk.settle()
  const handle = state(talk.atClient[0]!)
  talk.forget()
  const retry = { requestState: handle, inputResponses: { f: { action: 'cancel' } } }
  talk.client({ id: 2, method: 'tools/call', params: { name: 'run', arguments: { a: 1 }, ...retry, _meta: meta } })
  expect([talk.atServer, last(talk.atClient).id, last(talk.atClient).error?.code]).toEqual([[], 2, -32602])

  talk.client(call(3, { elicitation: {} }, retry))
  expect(Object.keys(last(talk.atServer).params?.['inputResponses'] as object)).toEqual(['f', 's'])
})

test('a handle is good for the same request only, whatever order its members have, and not for ever', async () => {
  const talk = talking()
  const retry = (id: string, params: object, method = 'tools/call'): void => void talk.client({ id, method, params: modern({ elicitation: {} }, params) })
  talk.client(call(1, { elicitation: {} })).server(asks(1, { r: roots, f: form }))
  await talk.settle()
  const requestState = state(talk.atClient[0]!)
  retry('other-arguments', { name: 'run', arguments: { a: 2 }, requestState })
  retry('other-tool', { name: 'walk', arguments: { a: 1 }, requestState })
  retry('other-method', { name: 'run', arguments: { a: 1 }, requestState }, 'prompts/get')
  retry('other-order', { requestState, arguments: { a: 1 }, name: 'run' })
  await talk.clock.pass(31 * 60_000)
  retry('too-late', { name: 'run', arguments: { a: 1 }, requestState })

  expect(talk.atClient.slice(1).map(({ id, error }) => [id, error?.code])).toEqual([
    ['other-arguments', -32602],
    ['other-tool', -32602],
    ['other-method', -32602],
    ['too-late', -32602],
  ])
  expect(talk.atServer.slice(1).map(({ id }) => id)).toEqual(['other-order'])
})

test('a state of the server itself is no handle', () => {
  const talk = talking()
  talk.client(call(1, {}, { requestState: 'whatever', inputResponses: {} }))

  expect(talk.atServer[0]!.params?.['requestState']).toBe('whatever')
})

test('a question that can have no answer ends the request with one error that names it; the others are not asked for longer', async () => {
  const talk = new Talk()
  talk.session.onAnswer = ({ kind }) =>
    kind === 'sampling' ? { outcome: 'refused', by: 'person', error: new ConsentryError('SAMPLING_DENIED', 'no') } : undefined
  talk.client(call(1, {})).server(asks(1, { f: form, s: completion }))
  await talk.settle()

  expect(talk.atClient).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32603,
        message: 'The server\'s question "s" (sampling/createMessage) cannot be answered, so that the request ends: User rejected sampling request',
        data: { key: 's', method: 'sampling/createMessage', error: { code: -1, message: 'User rejected sampling request' } },
      },
    },
  ])
  expect([talk.session.waiting[0]!.signal.aborted, talk.atServer.length]).toEqual([true, 1])
})

test('a question that was never offered ends the request before anybody is asked the others', async () => {
  const talk = talking()
  talk.session.can = { ...talk.session.can, sampling: false, samplingTools: false }
  talk.client(call(1, { roots: {} })).server(asks(1, { f: form, r: roots, s: completion }))
  await talk.settle()

  expect([talk.session.asked, talk.atClient.map(({ error }) => error?.data), talk.atServer.length]).toEqual([
    [],
    [{ key: 's', method: 'sampling/createMessage', error: expect.objectContaining({ code: -32601 }) }],
    1,
  ])
})

test('the client gives up while it is asked here: nothing is said to anybody, and the review goes', async () => {
  const talk = new Talk()
  talk.client(call(1, {})).server(asks(1, { f: form }))
  await talk.session.questions(1)
  talk.forget()
  talk.client({ method: 'notifications/cancelled', params: { requestId: 1 } })
  talk.session.waiting[0]!.settle(answered({ action: 'accept', content: {} }))
  await talk.settle()

  expect([talk.serverLines, talk.clientLines, talk.session.waiting[0]!.signal.aborted, talk.clock.pending]).toEqual([[], [], true, 0])
})

test('the client gives up while our retry is under way: the server is told by the id that it knows, and its late answer goes nowhere', async () => {
  const talk = talking()
  talk.client(call(1, {})).server(asks(1, { f: form }))
  await talk.settle()
  const { id } = last(talk.atServer)
  talk.client({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } })
  talk.server({ id, result: done })

  expect([last(talk.atServer).params, talk.clientLines]).toEqual([{ requestId: id, reason: 'enough' }, []])
})

test('progress of the server passes while our retry is under way, and ours comes while it is not', async () => {
  const talk = new Talk()
  talk.client({ id: 1, method: 'tools/call', params: { name: 'run', _meta: { ...(modern({}) as { _meta: object })._meta, progressToken: 't' } } })
  talk.server(asks(1, { f: form }))
  await talk.session.questions(1)
  await talk.clock.pass(5000)

  expect(talk.atClient.map(({ method, params }) => [method, params?.['progressToken']])).toEqual([['notifications/progress', 't']])
})

test('a server that asks for ever is stopped', async () => {
  const talk = talking()
  talk.client(call(1, {}))
  for (let round = 0; round < 20 && talk.atClient.length === 0; round += 1) {
    talk.server(asks(last(talk.atServer).id, { f: form }))
    await talk.settle()
  }

  expect([talk.atClient.map(({ error }) => error?.message), talk.session.asked.length]).toEqual([[expect.stringContaining('more than 10 times')], 10])
})

test.each([
  ['two answers to what it is', '"resultType":"complete","resultType":"input_required","inputRequests":{}'],
  ['an escaped member', '"resultType":"input_required","inputR\\u0065quests":{}'],
  ['two questions of one name', `"resultType":"input_required","inputRequests":{"a":${JSON.stringify(form)},"\\u0061":${JSON.stringify(roots)}}`],
  ['a question with two methods', '"resultType":"input_required","inputRequests":{"a":{"method":"roots/list","method":"vendor/x"}}'],
  ['no JSON inside', `"resultType":"input_required","inputRequests":{"a":${JSON.stringify(form)}},"x":[undefined]`],
])('a round with %s is an error to whoever waits, and nobody is asked', async (_, members) => {
  const talk = talking()
  talk.client(call(1, {})).server(`{"jsonrpc":"2.0","id":1,"result":{${members}}}\n`)
  await talk.settle()

  expect([talk.atClient.map(({ id, error }) => [id, error?.code]), talk.session.asked]).toEqual([[[1, -32603]], []])
})

test('only requests that may ask are looked at: everything else passes', () => {
  const talk = talking()
  talk.client({ id: 1, method: 'tools/list', params: modern({}) }).server(asks(1, { f: form }))

  expect([talk.atClient[0]!.result?.['resultType'], talk.session.asked]).toEqual(['input_required', []])
})

test('what is promised is what can be answered when the request leaves, and when it leaves again', async () => {
  const talk = talking()
  await talk.conversation.openDesk()
  talk.client(call(1, {})).server(asks(1, { f: form }))
  talk.session.can = { roots: true, form: false, url: false, sampling: false, samplingTools: false }
  await talk.settle()
  talk.server(asks(last(talk.atServer).id, { s: completion }))
  await talk.settle()

  expect([capabilitiesIn(last(talk.atServer)), talk.atClient.map(({ error }) => error?.data)]).toEqual([
    { roots: {} },
    [expect.objectContaining({ key: 's', error: expect.objectContaining({ code: -32601 }) as unknown })],
  ])
})

test('two requests with one id: their questions are nobody’s, and neither hangs', async () => {
  const talk = talking()
  talk.client(call(1, {})).client(call(1, {}))
  talk.server(asks(1, { f: form })).server({ id: 1, result: done })
  await talk.settle()

  expect([talk.atClient.map(({ error, result }) => error?.code ?? result), talk.session.asked]).toEqual([[-32603, done], []])
})

test('an id that is under way again under another one is refused to a newcomer', async () => {
  const talk = talking()
  talk.client(call(1, {})).server(asks(1, { f: form }))
  await talk.settle()
  talk.client({ id: 1, method: 'ping' })
  talk.server({ id: last(talk.atServer).id, result: done })

  expect(talk.atClient.map(({ id, error, result }) => [id, error?.code ?? result])).toEqual([
    [1, -32600],
    [1, done],
  ])
})
