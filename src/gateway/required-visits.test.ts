import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'

const listed = [{ mode: 'url', elicitationId: 'e-1', url: 'https://svc.example/connect', message: 'Authorise' }]
const required = (id: unknown, elicitations: readonly object[] = listed): object => ({
  id,
  error: { code: -32042, message: 'More is needed', data: { elicitations, more: 1 } },
})
const call = { id: 'c-1', method: 'tools/call', params: { name: 'run', arguments: { n: 12345678901234567890n.toString() } } }

function talking(capabilities: object = { elicitation: { form: {} } }): Talk {
  const talk = new Talk().shakeHands(capabilities)
  talk.session.onAnswer = () => answered({ action: 'accept' }, 'script')
  return talk
}

test('accepted: the same request goes again under another id, and the client gets only what comes of it', async () => {
  const talk = talking()
  talk.client(call).server(required('c-1'))
  await talk.settle()
  const [first, again] = talk.atServer
  talk.server({ id: again!.id, result: { content: [] } })

  expect([again!.params, again!.id === first!.id, talk.atClient]).toEqual([first!.params, false, [{ jsonrpc: '2.0', id: 'c-1', result: { content: [] } }]])
  expect(talk.session.waits.map(({ ids }) => ids)).toEqual([['e-1']])
})

test('declined: the client gets the error as the server wrote it', async () => {
  const talk = talking()
  talk.session.onAnswer = () => answered({ action: 'decline' })
  const line =
    ' {"error":{"code":-32042 , "message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"1","url":"https://a.example/","message":"m"}],"x":1.0}},"id":"c-1","jsonrpc":"2.0"}\n'
  talk.client(call).server(line)
  await talk.settle()

  expect([talk.clientLines, talk.atServer.length]).toEqual([[line], 1])
})

test('the same list again ends the call, with the id of the client', async () => {
  const talk = talking()
  talk.client(call).server(required('c-1'))
  await talk.settle()
  talk.server(required(talk.atServer[1]!.id))
  await talk.settle()

  expect([talk.atClient.map(({ id, error }) => [id, error?.code]), talk.atServer.length]).toEqual([[['c-1', -32042]], 2])
})

test.each([
  ['the client opens pages itself', { elicitation: { form: {}, url: {} } }, required('c-1')],
  ['it is another error', {}, { id: 'c-1', error: { code: -32000, message: 'm' } }],
])('%s: the error passes', (_, capabilities, error) => {
  const talk = talking(capabilities)
  talk.client(call).server(error)

  expect([talk.atClient, talk.sessionsOpened]).toEqual([[{ jsonrpc: '2.0', ...error }], 0])
})

test('R58: the error of a modern server passes as it is, and nobody is sent anywhere', async () => {
  const talk = new Talk()
  talk.client({ id: 'c-1', method: 'tools/call', params: modern({}, { name: 'run' }) }).server(required('c-1'))
  await talk.settle()

  expect([talk.atClient, talk.session.asked, talk.atServer.length]).toEqual([[{ jsonrpc: '2.0', ...required('c-1') }], [], 1])
})

test('a list that breaks the protocol is not asked, and the error passes', async () => {
  const talk = talking()
  talk.client(call).server(required('c-1', [{ mode: 'form' }]))
  await talk.settle()

  expect([talk.session.asked, talk.atClient[0]!.error?.code]).toEqual([[], -32042])
})

test('the client gives up meanwhile: nothing goes to anybody', async () => {
  const talk = talking()
  talk.session.onAnswer = () => undefined
  talk.client(call).server(required('c-1'))
  await talk.session.questions(1)
  talk.forget()
  talk.client({ method: 'notifications/cancelled', params: { requestId: 'c-1' } })
  await talk.settle()

  expect([talk.serverLines, talk.clientLines, talk.session.waiting[0]!.signal.aborted]).toEqual([[], [], true])
})
