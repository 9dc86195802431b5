import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const accept = answered({ action: 'accept', content: { name: 'Ada' } })

test('a client that cancels forms faster than anybody reads is reported, once', async () => {
  const talk = new Talk().shakeHands({ elicitation: {} })
  for (let id = 1; id <= 5; id += 1) talk.server({ id, method: 'elicitation/create', params: form }).client({ id, result: { action: 'cancel' } })

  await talk.settle()

  expect([talk.notices, talk.session.reports]).toEqual([[expect.stringContaining('--take elicitation')], ['cancels']])
})

test('a client that never answers a form is reported after two minutes, once, and nothing is taken from it', async () => {
  const talk = new Talk().shakeHands({ elicitation: {} })
  talk.server({ id: 1, method: 'elicitation/create', params: form }).client({ id: 1, result: { action: 'decline' } })
  talk.server({ id: 2, method: 'elicitation/create', params: form }).server({ method: 'notifications/cancelled', params: { requestId: 2 } })
  await talk.clock.pass(120_000)
  const before = talk.notices.length
  talk.forget()
  for (const id of [3, 4]) talk.server({ id, method: 'elicitation/create', params: form })
  await talk.clock.pass(240_000)
  talk.client({ id: 3, result: { action: 'accept', content: {} } })

  expect([before, talk.notices, talk.clock.pending]).toEqual([0, [expect.stringContaining('has not answered one for 2 minutes')], 0])
  expect([talk.atClient.map(({ id }) => id), talk.atServer.map(({ id }) => id), talk.session.asked]).toEqual([[3, 4], [3], []])
})

test('whoever is silent is reported to the desk, and that it answers after all; what the user left to the client is not', async () => {
  const talk = new Talk().shakeHands({ elicitation: {} })
  const left = new Talk({ wishes: { take: new Set(), pass: new Set(['elicitation']) } }).shakeHands({ elicitation: {} })
  for (const one of [talk, left]) {
    one.server({ id: 1, method: 'elicitation/create', params: form })
    await one.clock.pass(120_000)
    one.client({ id: 1, result: { action: 'accept', content: {} } })
    for (let id = 2; id <= 4; id += 1) one.server({ id, method: 'elicitation/create', params: form }).client({ id, result: { action: 'cancel' } })
    await one.settle()
  }

  expect([talk.session.reports, left.session.reports]).toEqual([['silence', 'answers', 'cancels'], []])
})

test('a person who takes over answers what the client has now and what comes; a late answer of the client goes nowhere', async () => {
  const talk = new Talk().shakeHands({ elicitation: {}, roots: {} })
  talk.session.onAnswer = () => accept
  await talk.conversation.openDesk()
  talk.server({ id: 1, method: 'elicitation/create', params: form }).server({ id: 'r', method: 'roots/list' })
  talk.forget()
  talk.session.emit('take-over-asked', 'elicitation')
  talk.server({ id: 2, method: 'elicitation/create', params: form })
  await talk.session.questions(2)
  talk.client({ id: 1, result: { action: 'cancel' } }).client({ id: 'r', result: { roots: [] } })
  await talk.settle()

  expect(talk.atClient).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: expect.any(String) } }])
  expect(talk.atServer.map(({ id, result }) => [id, result?.['action'] ?? result])).toEqual([
    ['r', { roots: [] }],
    [1, 'accept'],
    [2, 'accept'],
  ])
})

test('a client without pages, whose forms are taken over, goes on being asked neither', async () => {
  const talk = new Talk().shakeHands({ elicitation: { form: {} } })
  await talk.conversation.openDesk()
  talk.session.emit('take-over-asked', 'elicitation')
  talk
    .server({ id: 1, method: 'elicitation/create', params: form })
    .server({ id: 2, method: 'elicitation/create', params: { mode: 'url', url: 'https://a.example/', message: 'm', elicitationId: 'e' } })
  await talk.session.questions(2)

  expect(talk.atClient).toEqual([])
})

test('what was taken over once and for all is asked here from the first question on, in either era; what the user left to the client stays there', async () => {
  const talks = [new Talk(), new Talk({ wishes: { take: new Set(), pass: new Set(['elicitation']) } })]
  for (const talk of talks) {
    talk.session.takenOver.add('elicitation')
    talk.session.onAnswer = () => accept
    talk.shakeHands({ elicitation: {} })
    await talk.conversation.openDesk()
    talk.server({ id: 'q', method: 'elicitation/create', params: form })
    talk.client({ id: 1, method: 'tools/call', params: modern({ elicitation: {} }, { name: 'run' }) })
    talk.server({ id: 1, result: { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create', params: form } } } })
    await talk.settle()
  }

  expect(talks.map((talk) => talk.atClient.map(({ id }) => id))).toEqual([[], ['q', 1]])
  expect(talks.map((talk) => talk.session.asked.length)).toEqual([2, 0])
})

test('a take-over that is revoked holds no longer in either era: the client is asked again what it declared', async () => {
  const talk = new Talk()
  talk.session.takenOver.add('elicitation')
  talk.session.onAnswer = () => accept
  talk.shakeHands({ elicitation: {} })
  await talk.conversation.openDesk()
  talk.session.emit('take-over-ended', 'elicitation')
  talk.server({ id: 'q', method: 'elicitation/create', params: form })
  talk.client({ id: 1, method: 'tools/call', params: modern({ elicitation: {} }, { name: 'run' }) })
  talk.server({ id: 1, result: { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create', params: form } } } })
  await talk.settle()

  expect([talk.atClient.map(({ id }) => id), talk.session.asked.length]).toEqual([['q', 1], 0])
})

test('2026-07-28: a client that comes back with nothing but cancels faster than anybody reads is reported, once; whoever takes their time, or answers, is not', async () => {
  const round = async (talk: Talk, id: number, milliseconds: number, action: string): Promise<void> => {
    const params = { name: 'run' }
    talk.client({ id, method: 'tools/call', params: modern({ elicitation: {} }, params) })
    talk.server({ id, result: { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create', params: form } } } })
    await talk.clock.pass(milliseconds)
    talk.client({ id: id + 1, method: 'tools/call', params: modern({ elicitation: {} }, { ...params, inputResponses: { k: { action } } }) })
    talk.server({ id: id + 1, result: { resultType: 'complete', content: [] } })
    await talk.settle()
  }
  const [silent, slow, mixed] = [new Talk(), new Talk(), new Talk()]
  for (let id = 0; id < 10; id += 2) {
    await round(silent, id, 10, 'cancel')
    await round(slow, id, 5000, 'cancel')
    await round(mixed, id, 10, id === 4 ? 'accept' : 'cancel')
  }

  expect([silent, slow, mixed].map(({ session }) => session.reports)).toEqual([['cancels'], [], []])
})
