import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk } from '../../test/fixtures/gateway-talk.ts'
import type { InputKind, InputMethod } from '../protocol/index.ts'

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 }
const declared = { elicitation: {}, roots: { listChanged: true }, sampling: {} }

interface Feature {
  readonly method: InputMethod
  readonly params?: object
  /** What the client says where nobody saw it. */
  readonly refusal: object
  /** The same in a round of 2026-07-28; absent: it leaves it out. */
  readonly inRound?: object
  readonly answer: object
}

const error = { error: { code: -1, message: 'rejected' } }
const features: Readonly<Record<InputKind, Feature>> = {
  roots: { method: 'roots/list', refusal: error, answer: { roots: [] } },
  elicitation: {
    method: 'elicitation/create',
    params: form,
    refusal: { result: { action: 'cancel' } },
    inRound: { action: 'cancel' },
    answer: { action: 'accept', content: {} },
  },
  sampling: {
    method: 'sampling/createMessage',
    params: prompt,
    refusal: error,
    answer: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } },
  },
}
const kinds = Object.keys(features) as InputKind[]
const reported = (kind: InputKind, how: string): string => (kind === 'elicitation' ? how : `${kind}: ${how}`)

/** The server asks in a round, and the client comes back after so long: with what it says, or with nothing of it. */
async function playRound(
  talk: Talk,
  id: number,
  { method, params }: Feature,
  { response, after = 10, client = declared, more = {} }: RoundOptions,
): Promise<void> {
  const question = { method, ...(params && { params }) }
  talk.client({ id, method: 'tools/call', params: modern(client, { name: 'run' }) })
  talk.server({ id, result: { resultType: 'input_required', inputRequests: { k: question, ...more }, requestState: `s${id}` } })
  const given = await answerTo(talk, id)
  await talk.clock.pass(after)
  const inputResponses = response === undefined ? {} : { k: response }
  talk.client({ id: id + 1, method: 'tools/call', params: modern(client, { name: 'run', inputResponses, requestState: given['requestState'] }) })
  talk.server({ id: id + 1, result: { resultType: 'complete', content: [] } })
  await talk.settle()
}

/** What the client gets for a request, at some time: what splits a round is loaded with the first one. */
async function answerTo(talk: Talk, id: number): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const said = talk.atClient.find((one) => one.id === id && one.result)
    if (said) return said.result!
    await talk.settle()
  }
}

interface RoundOptions {
  readonly response: object | undefined
  readonly after?: number
  readonly client?: object
  readonly more?: object
}

test.each(kinds)(
  '%s that a client refuses faster than anybody reads is noticed, once, in either era; what takes its time, or is answered, is not',
  async (kind) => {
    const feature = features[kind]
    const { method, params, refusal, inRound, answer } = feature
    const [legacy, rounds, slow, mixed] = [new Talk().shakeHands(declared), new Talk(), new Talk(), new Talk()]
    for (let id = 0; id < 10; id += 2) {
      legacy.server({ id, method, ...(params && { params }) }).client({ id, ...refusal })
      await playRound(rounds, id, feature, { response: inRound })
      await playRound(slow, id, feature, { response: inRound, after: 5000 })
      await playRound(mixed, id, feature, { response: id === 4 ? answer : inRound })
    }
    await legacy.settle()

    expect([legacy, rounds, slow, mixed].map(({ session }) => session.reports)).toEqual([[reported(kind, 'cancels')], [reported(kind, 'cancels')], [], []])
    for (const { notices } of [legacy, rounds]) expect(notices).toEqual([expect.stringContaining(`--take ${kind}`)])
  },
)

test.each(kinds)('%s that a client does not answer for two minutes is noticed, once, in either era, and that it answers after all', async (kind) => {
  const feature = features[kind]
  const { method, params, answer } = feature
  const [legacy, rounds] = [new Talk().shakeHands(declared), new Talk()]
  legacy.server({ id: 1, method, ...(params && { params }) })
  await legacy.clock.pass(240_000)
  legacy.client({ id: 1, result: answer })
  await playRound(rounds, 1, feature, { response: answer, after: 240_000 })
  await legacy.settle()

  for (const { session, notices, clock } of [legacy, rounds]) {
    expect([session.reports, clock.pending]).toEqual([[reported(kind, 'silence'), reported(kind, 'answers')], 0])
    expect(notices).toEqual([expect.stringContaining(`--take ${kind}`)])
  }
})

test('2026-07-28: a client that has answered before, and drops a call with what it was asked, is not called silent', async () => {
  const talk = new Talk()
  await playRound(talk, 1, features.elicitation, { response: { action: 'cancel' }, after: 5000 })
  talk.client({ id: 8, method: 'tools/call', params: modern(declared, { name: 'run' }) })
  talk.server({ id: 8, result: { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create', params: form } } } })
  await talk.clock.pass(600_000)

  expect([talk.session.reports, talk.clock.pending]).toEqual([[], 0])
})

test('2026-07-28: the part of a split round that a client closes unseen counts as well', async () => {
  const talk = new Talk()
  talk.session.onAnswer = () => answered({ roots: [] })
  const options = { response: { action: 'cancel' }, client: { elicitation: {} }, more: { ours: { method: 'roots/list' } } }
  for (let id = 0; id < 6; id += 2) await playRound(talk, id, features.elicitation, options)

  expect([talk.session.reports, talk.session.asked.length]).toEqual([['cancels'], 3])
})

test.each(kinds)('%s that is taken over is asked here in either era, and nothing else is; given back, it is the client that is asked', async (kind) => {
  const others = kinds.filter((one) => one !== kind)
  const talk = new Talk().shakeHands(declared)
  talk.session.onAnswer = () => answered({ done: true })
  await talk.conversation.openDesk()
  talk.session.emit('take-over-asked', kind)
  const ask = async (id: number): Promise<readonly string[]> => {
    for (const one of kinds) {
      const { method, params } = features[one]
      talk.server({ id: `${one}${id}`, method, ...(params && { params }) })
    }
    talk.client({ id, method: 'tools/call', params: modern(declared, { name: 'run' }) })
    const inputRequests = Object.fromEntries(kinds.map((one) => [one, { method: features[one].method, params: features[one].params }]))
    talk.server({ id, result: { resultType: 'input_required', inputRequests } })
    return Object.keys((await answerTo(talk, id))['inputRequests'] as object)
  }
  const inRound = await ask(1)
  const asked = talk.session.asked.map((request) => [request.kind, request.isTakenOver])
  const left = talk.atClient.flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]))
  talk.session.emit('take-over-ended', kind)
  talk.forget()
  await ask(2)
  const news = talk.serverLines.filter((line) => line.includes('list_changed')).length

  expect(asked).toEqual([
    [kind, true],
    [kind, true],
  ])
  expect([left, inRound]).toEqual([others.map((one) => `${one}1`), others])
  expect([talk.session.asked.length, talk.atClient.length, news]).toEqual([2, 4, 0])
})

test('folders that change hands are read again by a server that was told that they may', async () => {
  const told = [declared, { roots: {} }].map((capabilities) => new Talk().shakeHands(capabilities))
  for (const talk of told) {
    await talk.conversation.openDesk()
    talk.session.emit('take-over-asked', 'roots')
    talk.session.emit('take-over-ended', 'roots')
  }

  expect(told.map((talk) => talk.atServer.map(({ method }) => method))).toEqual([['notifications/roots/list_changed', 'notifications/roots/list_changed'], []])
})

test('a question that is not taken over any more when it comes to the desk goes to the client, once, and its answer to the server, in either era', async () => {
  const talk = new Talk().shakeHands(declared)
  talk.session.onAnswer = ({ isTakenOver }) => (isTakenOver ? { outcome: 'withdrawn', reason: 'revoked', isForClient: true } : answered({ roots: [] }))
  await talk.conversation.openDesk()
  talk.session.emit('take-over-asked', 'elicitation')
  talk.server({ id: 'q', method: 'elicitation/create', params: form })
  await talk.settle()
  const legacy = talk.clientLines
  talk.client({ id: 'q', result: { action: 'decline' } })
  talk.forget()
  const client = { elicitation: {} }
  talk.client({ id: 1, method: 'tools/call', params: modern(client, { name: 'run' }) })
  const inputRequests = { k: { method: 'elicitation/create', params: form }, ours: { method: 'roots/list' } }
  talk.server({ id: 1, result: { resultType: 'input_required', inputRequests, requestState: 's' } })
  const given = await answerTo(talk, 1)
  talk.client({
    id: 2,
    method: 'tools/call',
    params: modern(client, { name: 'run', inputResponses: { k: { action: 'decline' } }, requestState: given['requestState'] }),
  })
  await talk.settle()

  expect(legacy.map((line) => JSON.parse(line) as unknown)).toEqual([{ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form }])
  expect(Object.keys(given['inputRequests'] as object)).toEqual(['k'])
  expect(talk.atServer.at(-1)!.params).toMatchObject({ inputResponses: { k: { action: 'decline' }, ours: { roots: [] } }, requestState: 's' })
})
