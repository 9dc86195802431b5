import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/index.ts'
import { FakeClock } from '../fixtures/fake-session.ts'
import { connectRaw } from '../fixtures/raw-host.ts'
import { settled, type RawMessage } from '../fixtures/raw-peer.ts'
import { faultOf } from '../fixtures/setting.ts'

const form = (message = 'Who?'): JsonObject => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
})
const sampling: JsonObject = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }], maxTokens: 10 },
}
const required = (inputRequests: JsonObject, requestState?: string): object => ({
  result: { resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) },
})
const done = { result: { resultType: 'complete', content: [] } }

/** Answers the rounds of a call one after the other. */
function rounds(...replies: readonly object[]): (message: RawMessage) => object | undefined {
  let round = 0
  return ({ method }) => (method === 'tools/call' ? (replies[round++] ?? done) : undefined)
}

test('R108: a server of the modern era that sends requests all the same is neither heard nor answered', async () => {
  const { peer, person, call } = await connectRaw({
    era: 'modern',
    onRequest: (_, server) => {
      server.send({ id: 77, ...form() })
      return done
    },
  })
  await call()
  await settled()

  expect([person.reviews, peer.answersTo(77)]).toEqual([[], []])
})

describe('R109: tools, prompts and resources may ask, and nothing else', () => {
  test.each(['callTool', 'getPrompt', 'readResource'] as const)(
    '%s is answered with a question, asked again with the answer, and comes to its end',
    async (what) => {
      let round = 0
      const { host, peer } = await connectRaw({
        era: 'modern',
        decide: () => ({ action: 'accept', content: { name: 'Ada' } }),
        onRequest: () => ((round += 1) === 1 ? required({ who: form() }, 's') : { result: { resultType: 'complete', ended: true } }),
      })
      const results = {
        callTool: () => host.callTool({ server: 'raw', name: 'x' }),
        getPrompt: () => host.getPrompt({ server: 'raw', name: 'x' }),
        readResource: () => host.readResource({ server: 'raw', uri: 'trip://x' }),
      }

      expect(await results[what]()).toEqual({ ended: true })
      expect(peer.received.at(-1)?.params).toMatchObject({ requestState: 's', inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } } })
    },
  )

  test.each(['tools/list', 'prompts/list', 'completion/complete'])('%s that is answered with a question is a broken server', async (method) => {
    const { host, person } = await connectRaw({ era: 'modern', onRequest: () => required({ who: form() }, 's') })

    expect(await faultOf(host.request({ server: 'raw', method }))).toMatchObject({ code: 'PROTOCOL_VIOLATION' })
    expect(person.reviews).toEqual([])
  })
})

test('R110: the keys of questions are the server’s: odd ones come back with their answers, each exactly once', async () => {
  const keys = ['', '0', '__proto__', 'constructor', 'a.b', '한국어', '\u2028', 'x'.repeat(1000)]
  const questions = JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(form(key))}`).join(',')}}`) as JsonObject
  const { call, calls } = await connectRaw({
    era: 'modern',
    decide: (review) => ({ action: 'accept', content: { name: (review.subject as { message: string }).message } }),
    onRequest: rounds(required(questions, 's')),
  })
  await call()
  const answers = Object.entries(calls()[1]?.['inputResponses'] as Readonly<Record<string, { content: { name: string } }>>)

  expect(new Map(answers.map(([key, { content }]) => [key, content.name]))).toEqual(new Map(keys.map((key) => [key, key])))
})

test.each([{ method: 'tools/call', params: {} }, { method: 'sampling/createMessages' }, {}, null, 'roots/list', []])(
  'R110: an entry that is none of the three questions ends the call by its key: %j',
  async (entry) => {
    const { call, calls } = await connectRaw({ era: 'modern', onRequest: rounds(required({ odd: entry, who: form() })) })

    expect(await faultOf(call())).toMatchObject({ code: 'INPUT_REFUSED', data: { key: 'odd', cause: 'FEATURE_NOT_DECLARED' } })
    expect(calls()).toHaveLength(1)
  },
)

test.each<[string, JsonObject]>([
  ['neither questions nor a state', {}],
  ['no questions, as null, and no state', { inputRequests: null, requestState: null }],
  ['an empty set of questions and no state', { inputRequests: {} }],
  ['questions in a list', { inputRequests: [form()] }],
  ['a state that is no text', { requestState: 7 }],
])('R114: a result that requires input with %s is a broken server', async (_, result) => {
  const { call, calls } = await connectRaw({ era: 'modern', onRequest: rounds({ result: { resultType: 'input_required', ...result } }) })

  expect(await faultOf(call())).toMatchObject({ code: 'PROTOCOL_VIOLATION' })
  expect(calls()).toHaveLength(1)
})

test('R117: all questions of a round are answered before the call is sent again, declined and cancelled ones included', async () => {
  const { call, calls } = await connectRaw({
    era: 'modern',
    decide: (review) => {
      const { message } = review.subject as { message: string }
      return message === 'a' ? { action: 'accept', content: { name: 'Ada' } } : { action: message === 'b' ? 'decline' : 'cancel' }
    },
    onRequest: rounds(required({ a: form('a'), b: form('b'), c: form('c') }, 's')),
  })
  await call()

  expect(calls()).toEqual([
    { name: 'run' },
    {
      name: 'run',
      requestState: 's',
      inputResponses: { a: { action: 'accept', content: { name: 'Ada' } }, b: { action: 'decline' }, c: { action: 'cancel' } },
    },
  ])
})

test('R117: a question that can have no answer gives up the whole call: nothing is sent, and the others are withdrawn', async () => {
  const { call, calls, person } = await connectRaw({
    era: 'modern',
    decide: ({ kind }) => (kind === 'prompt' ? { action: 'deny' } : undefined),
    onRequest: rounds(required({ who: form(), advice: sampling }, 's')),
  })

  expect(await faultOf(call())).toMatchObject({ code: 'INPUT_REFUSED', data: { key: 'advice', request: 'sampling', cause: 'SAMPLING_DENIED' } })
  expect([calls().length, person.reviews.map(({ kind }) => kind).toSorted()]).toEqual([1, ['form', 'prompt']])
})

test('R117: rounds that only carry a state go on at a pace, within the bounds of the human clock', async () => {
  const clock = new FakeClock()
  const { call, calls } = await connectRaw({ era: 'modern', clock, onRequest: ({ method }) => (method === 'tools/call' ? required({}, 's') : undefined) })
  const fault = faultOf(call())
  await clock.pass(60_000)
  const afterAMinute = calls().length
  await clock.pass(60 * 60_000)

  expect(afterAMinute).toBeLessThan(12)
  expect(await fault).toMatchObject({ code: 'CALL_TIMED_OUT' })
})

test.each(['', ' ', 'null', '{"a":1}', '"', '\u0000\u2028', 'a'.repeat(65_536), '\ud83d\ude42 한국어'])(
  'R118: the state %j comes back as it is',
  async (state) => {
    const { call, calls } = await connectRaw({ era: 'modern', decide: () => ({ action: 'decline' }), onRequest: rounds(required({ who: form() }, state)) })
    await call()

    expect(calls()[1]?.['requestState']).toBe(state)
  },
)

test('R118: where there was no state, none comes back', async () => {
  const { call, calls } = await connectRaw({ era: 'modern', decide: () => ({ action: 'decline' }), onRequest: rounds(required({ who: form() })) })
  await call()

  expect(Object.hasOwn(calls()[1]!, 'requestState')).toBe(false)
})

test('R119: each round has an id of its own, and its own answers and state only', async () => {
  const { call, calls, peer } = await connectRaw({
    era: 'modern',
    decide: (review) => ({ action: 'accept', content: { name: (review.subject as { message: string }).message } }),
    onRequest: rounds(required({ a: form('first') }, 'one'), required({ b: form('second') }), required({}, 'three')),
  })
  await call()
  await call()
  const ids = peer.received.filter(({ method }) => method === 'tools/call').map(({ id }) => id)

  expect(new Set(ids).size).toBe(5)
  expect(calls()).toEqual([
    { name: 'run' },
    { name: 'run', inputResponses: { a: { action: 'accept', content: { name: 'first' } } }, requestState: 'one' },
    { name: 'run', inputResponses: { b: { action: 'accept', content: { name: 'second' } } } },
    { name: 'run', requestState: 'three' },
    { name: 'run' },
  ])
})

test('R119: parallel calls of one tool keep their questions, answers and states apart', async () => {
  const { host, peer } = await connectRaw({
    era: 'modern',
    decide: (review) => ({ action: 'accept', content: { name: (review.subject as { message: string }).message } }),
    onRequest: ({ method, params }) => {
      if (method !== 'tools/call') return undefined
      const { number } = (params as { arguments: { number: number } }).arguments
      if (params?.['requestState'] === undefined) return required({ who: form(`number ${number}`) }, `state ${number}`)
      return { result: { resultType: 'complete', state: params['requestState'], answers: params['inputResponses'], number } }
    },
  })
  const results = await Promise.all(Array.from({ length: 8 }, (_, number) => host.callTool({ server: 'raw', name: 'run', arguments: { number } })))

  expect(results).toEqual(
    Array.from({ length: 8 }, (_, number) => ({
      number,
      state: `state ${number}`,
      answers: { who: { action: 'accept', content: { name: `number ${number}` } } },
    })),
  )
  expect(peer.received.filter(({ method }) => method === 'tools/call')).toHaveLength(16)
})

test('R120: a result without a type is complete', async () => {
  const { call } = await connectRaw({ era: 'modern', onRequest: () => ({ result: { content: [], 'x-more': 1 } }) })

  expect(await call()).toEqual({ content: [], 'x-more': 1 })
})

test.each(['incomplete', '', 'Complete', null, 7, {}])('R120: a result of the unknown type %j is a broken server', async (resultType) => {
  const { call } = await connectRaw({ era: 'modern', onRequest: () => ({ result: { resultType, content: [] } }) })

  expect(await faultOf(call())).toMatchObject({ code: 'PROTOCOL_VIOLATION' })
})

test('a request that the agreed revision does not have is the caller’s mistake, not the server’s', async () => {
  const { host, peer } = await connectRaw({ era: 'modern', onRequest: () => done })

  expect(await faultOf(host.request({ server: 'raw', method: 'ping' }))).toMatchObject({ code: 'USAGE' })
  expect(peer.methods).not.toContain('ping')
})
