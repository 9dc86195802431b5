import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { capabilitiesIn, Talk } from '../../test/fixtures/gateway-talk.ts'

const nobodyThere = { roots: true, form: false, url: false, sampling: false, samplingTools: false }
const user = (content: object): object => ({ role: 'user', content })
const text = { type: 'text', text: 'Which flight?' }
const tools = [{ name: 'look_up', inputSchema: { type: 'object' } }]
const ask = (id: number, params: object): object => ({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { maxTokens: 9, ...params } })

/** What the server was told in its handshake that it may ask. */
function promisedTo(declared: object, can?: typeof nobodyThere): unknown {
  const talk = new Talk()
  if (can) talk.session.can = can
  talk.client({ id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: declared, clientInfo: { name: 'c', version: '1' } } })
  return (capabilitiesIn(talk.atServer[0]!) as { readonly sampling?: unknown }).sampling
}

test('R87: a client without sampling.tools never sees a request with tools: it is refused where nobody here can answer it, and answered here where somebody can', async () => {
  const alone = new Talk()
  alone.session.can = nobodyThere
  alone.shakeHands({ sampling: {} }).server(ask(1, { messages: [user(text)], tools }))
  const attended = new Talk().shakeHands({ sampling: {} })
  attended.session.onAnswer = () => answered({ role: 'assistant', content: [text], model: 'm' })
  attended.server(ask(1, { messages: [user(text)], tools }))
  attended.server(ask(2, { messages: [user(text)], toolChoice: { mode: 'auto' } }))
  attended.server(ask(3, { messages: [user(text)] }))
  await Promise.all([alone.settle(), attended.settle()])

  expect([promisedTo({ sampling: {} }, nobodyThere), promisedTo({ sampling: {} })]).toEqual([{}, { tools: {} }])
  expect([alone.atClient, alone.atServer]).toMatchObject([[], [{ id: 1, error: { code: -32602, data: { path: 'tools' } } }]])
  expect([attended.atClient.map(({ id }) => id), attended.atServer.map(({ id }) => id)]).toEqual([[3], [1, 2]])
})

test('R88: sampling.context is promised by a client or by nobody: we never add it', () => {
  expect([promisedTo({}), promisedTo({ sampling: { context: {} } }), promisedTo({ sampling: { tools: {} } })]).toEqual([
    { tools: {} },
    { context: {}, tools: {} },
    { tools: {} },
  ])
})

test('R98: images and sound pass a gateway byte for byte, in questions and in answers', () => {
  const talk = new Talk().shakeHands({ sampling: { tools: {} } })
  const data = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256)).toString('base64')
  const image = `{"type":"image","data" : "${data}","mimeType":"image\\/png"}`
  const sound = `{ "type":"audio","data":"${data}", "mimeType":"audio/wav","_meta":{"x":1.0}}`
  const question = `{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":[${image}, ${sound}]}],"maxTokens":1e1}}\n`
  const reply = `{"jsonrpc":"2.0","id":5,"result":{"role":"assistant","content":[${sound},${image}],"model":"m","stopReason":"endTurn"}}\n`
  talk.server(question).client(reply)

  expect([talk.clientLines, talk.serverLines, talk.sessionsOpened]).toEqual([[question], [reply], 0])
})

test('R98: images and sound that are answered here reach the desk, and come back, as they are', async () => {
  const talk = new Talk().shakeHands()
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
  const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }
  talk.session.onAnswer = () => answered({ role: 'assistant', content: [sound, image], model: 'm' })
  talk.server(ask(6, { messages: [user([image, sound])] }))
  await talk.settle()

  expect(talk.session.asked).toMatchObject([{ kind: 'sampling', params: { messages: [{ content: [image, sound] }] } }])
  expect(talk.atServer).toMatchObject([{ id: 6, result: { content: [sound, image] } }])
})

test('R105: results of tools pass to whoever answers as the server wrote them: none is added, none is lost', async () => {
  const use = { type: 'tool_use', id: 't1', name: 'look_up', input: { city: 'Bergen' } }
  const result = { type: 'tool_result', toolUseId: 't1', content: [{ type: 'text', text: '7 °C' }], isError: false }
  const messages = [user(text), { role: 'assistant', content: [use] }, user([result])]
  const here = new Talk().shakeHands()
  const there = new Talk().shakeHands({ sampling: { tools: {} } })
  here.session.onAnswer = () => answered({ role: 'assistant', content: [text], model: 'm' })
  for (const talk of [here, there]) talk.server(ask(7, { messages, tools }))
  await here.settle()

  expect([here.session.asked[0]?.params, there.atClient[0]?.params]).toEqual([
    { maxTokens: 9, messages, tools },
    { maxTokens: 9, messages, tools },
  ])
})
