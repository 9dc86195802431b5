import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { Talk } from '../../test/fixtures/gateway-talk.ts'

/** A server that has read its folders of its own accord. */
async function start(): Promise<Talk> {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  await talk.conversation.openDesk()
  talk.server({ id: 1, method: 'roots/list' })
  await talk.settle()
  talk.forget()
  return talk
}

const call = { id: 7, method: 'tools/call', params: { name: 'run' } }

test('a call that comes after the news of a change reaches the server after it has read its folders again, and nothing else waits', async () => {
  const talk = await start()
  talk.session.emit('roots-changed')
  talk.client('{ "jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run"} }\r\n').client({ id: 8, method: 'tools/list' })
  talk.client({ method: 'vendor/x' })
  const early = talk.atServer.map(({ id, method }) => id ?? method)
  talk.server({ id: 2, method: 'roots/list' })
  await talk.settle()
  await talk.clock.pass(100)

  expect(early).toEqual(['notifications/roots/list_changed', 8, 'vendor/x'])
  expect(talk.serverLines.slice(3)).toEqual([
    '{"jsonrpc":"2.0","id":2,"result":{"roots":[]}}\n',
    '{ "jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run"} }\r\n',
  ])
})

test('folders that are asked for while a call is open are not said to be for that call, and a form is', async () => {
  const talk = new Talk().shakeHands()
  talk
    .client(call)
    .server({ id: 1, method: 'roots/list' })
    .server({ id: 2, method: 'elicitation/create', params: { message: 'm' } })
  await talk.session.questions(2)

  expect(talk.session.asked.map(({ kind, call: parent, isInCall }) => [kind, parent ?? isInCall])).toEqual([
    ['roots', true],
    ['elicitation', { kind: 'tool', name: 'run' }],
  ])
})

test('a server that does not read again is waited for once, and for a second', async () => {
  const talk = await start()
  talk.session.emit('roots-changed')
  talk.client(call)
  await talk.clock.pass(999)
  const early = talk.atServer.length
  await talk.clock.pass(1)
  const late = talk.atServer.length
  talk.session.emit('roots-changed')
  talk.client({ ...call, id: 9 })

  expect([early, late, talk.atServer.at(-1)!.id, talk.clock.pending]).toEqual([1, 2, 9, 0])
})

test('a call that is given up while it waits is never sent, and its cancellation goes nowhere', async () => {
  const talk = await start()
  talk.session.emit('roots-changed')
  talk.client(call).client({ method: 'notifications/cancelled', params: { requestId: 7 } })
  await talk.clock.pass(1000)

  expect(talk.atServer.map(({ method }) => method)).toEqual(['notifications/roots/list_changed'])
})

test('a server that never asked for its folders, or only in the middle of calls, is not waited for', async () => {
  const talk = new Talk().shakeHands()
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  await talk.conversation.openDesk()
  talk.client(call).server({ id: 1, method: 'roots/list' })
  await talk.settle()
  talk.server({ id: 7, result: {} })
  talk.session.emit('roots-changed')
  talk.client({ ...call, id: 8 })

  expect(talk.atServer.at(-1)!.id).toBe(8)
})
