import { expect, test } from 'vitest'
import { connected } from '../../test/fixtures/connected.ts'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { settled } from '../../test/fixtures/raw-peer.ts'

const done = { result: { content: [{ type: 'text', text: 'done' }] } }

test('folders that change are told to a server that was promised so, after the handshake, once a tick', async () => {
  const session = new FakeSession()
  const { peer, attached } = await connected({
    session,
    beforeConnect: (peer) => void peer.next(({ method }) => method === 'initialize').then(() => session.emit('roots-changed')),
  })
  await settled()
  for (let times = 0; times < 3; times += 1) session.emit('roots-changed')
  await settled()
  attached.close()
  session.emit('roots-changed')
  await settled()

  expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'notifications/roots/list_changed', 'notifications/roots/list_changed'])
  expect(session.listeners).toBe(0)
})

test('folders are no news to a server that was not promised any, nor to one of the modern era', async () => {
  const withoutRoots = Object.assign(new FakeSession(), { can: { roots: false, form: true, url: false, sampling: false, samplingTools: false } })
  const [legacy, modern] = await Promise.all([connected({ session: withoutRoots }), connected({ era: 'modern' })])
  for (const { session } of [legacy, modern]) session.emit('roots-changed')
  await settled()

  expect([...legacy.peer.methods, ...modern.peer.methods].filter((method) => method.includes('roots'))).toEqual([])
})

test('the end of a visit is told to the session', async () => {
  const { peer, session } = await connected()
  peer.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-3' } })
  peer.send({ method: 'notifications/elicitation/complete', params: {} })
  await settled()

  expect(session.completed).toEqual(['e-3'])
})

const required = {
  code: -32042,
  message: 'need auth',
  data: { elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://x.example/', message: 'Sign in' }] },
}

test('a call that needs a visit is asked for, and sent again under a new id when the visit is over', async () => {
  let attempts = 0
  const { attached, session, calls } = await connected({ onRequest: () => ((attempts += 1) === 1 ? { error: required } : done) })
  session.onAnswer = () => answered({ action: 'accept' })
  session.onWait = () => 'completed'
  const result = await attached.callTool({ name: 'run', arguments: { a: 1 } })

  expect(result).toEqual(done.result)
  expect(session.asked).toEqual([{ kind: 'elicitation', params: required.data.elicitations[0], revision: '2025-11-25', call: { kind: 'tool', name: 'run' } }])
  expect(new Set(calls().map(({ id }) => id)).size).toBe(2)
  expect(calls().map(({ params }) => params?.['arguments'])).toEqual([{ a: 1 }, { a: 1 }])
})

test.each([
  ['declined', 'decline', 1],
  ['accepted by a script, and required again', 'accept', 2],
])('a visit that is %s ends the call with that error', async (_, action, times) => {
  const { attached, session, calls } = await connected({ onRequest: () => ({ error: required }) })
  session.onAnswer = () => answered({ action }, 'script')

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ code: 'SERVER_ERROR', data: required })
  expect(calls()).toHaveLength(times)
})

test('2025-06-18 knows no visits: the error is just an error', async () => {
  const { attached, session } = await connected({ agreed: '2025-06-18', onRequest: () => ({ error: required }) })

  await expect(attached.callTool({ name: 'run' })).rejects.toMatchObject({ data: required })
  expect(session.asked).toEqual([])
})
