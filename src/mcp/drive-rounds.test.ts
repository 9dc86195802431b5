import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { answered, FakeClock } from '../../test/fixtures/fake-session.ts'
import { ConsentryError } from '../errors.ts'
import type { InputResponse, JsonObject } from '../protocol/index.ts'
import { sleep } from './clock.ts'
import { driveRounds, type RoundsNeeds } from './drive-rounds.ts'

const form = { method: 'elicitation/create', params: { message: 'm' } }
const ask = (inputRequests: JsonObject, requestState?: string): JsonObject => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && { requestState }),
})
const end: JsonObject = { resultType: 'complete', content: [], vendor: 1 }

function drive(answers: readonly JsonObject[], needs: Partial<RoundsNeeds> = {}): { result: Promise<JsonObject>; sent: JsonObject[] } {
  const sent: JsonObject[] = []
  const send = (retry: JsonObject): Promise<JsonObject> => {
    sent.push(JSON.parse(JSON.stringify(retry)) as JsonObject)
    return Promise.resolve(answers[sent.length - 1] ?? answers.at(-1)!)
  }
  const answer = (key: string): Promise<InputResponse> => Promise.resolve(answered({ action: 'accept', content: { key } }))
  return {
    result: driveRounds({
      send,
      answer,
      mayAsk: () => true,
      folderChanges: () => 0,
      pause: () => () => {},
      sleep: () => Promise.resolve(),
      signal: new AbortController().signal,
      ...needs,
    }),
    sent,
  }
}

test('a result that is complete, or says nothing about it, comes back as it is', async () => {
  const rest = { content: [], vendor: 1 }

  expect(await Promise.all([drive([end]).result, drive([rest]).result])).toEqual([rest, rest])
})

test('all questions of a round are answered, and go back once with the state as it came', async () => {
  const { result, sent } = drive([ask({ a: form, b: form }, 'one'), ask({ c: form }, 'two'), end])
  await result

  const accept = (key: string): JsonObject => ({ action: 'accept', content: { key } })
  expect(sent).toEqual([
    {},
    { inputResponses: { a: accept('a'), b: accept('b') }, requestState: 'one' },
    { inputResponses: { c: accept('c') }, requestState: 'two' },
  ])
})

test('folders that change while the rest of a round is answered are asked for again before it goes back', async () => {
  let changes = 0
  const asked: string[] = []
  const answer = async (key: string): Promise<InputResponse> => {
    asked.push(key)
    if (key === 'f') changes = 1
    return answered(key === 'r' ? { roots: changes === 0 ? [{ uri: 'file:///a' }] : [] } : { action: 'accept', content: {} })
  }
  const { result, sent } = drive([ask({ r: { method: 'roots/list' }, f: form }), end], { answer, folderChanges: () => changes })
  await result

  expect([asked, sent[1]]).toEqual([['r', 'f', 'r'], { inputResponses: { r: { roots: [] }, f: { action: 'accept', content: {} } } }])
})

test('the state is echoed byte for byte, whatever it looks like; an empty one is one, an absent one stays absent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant(''), fc.constant('x'.repeat(65_536)), fc.constant(undefined)),
      async (state) => {
        const { result, sent } = drive([ask({ a: form }, state), end])
        await result

        expect('requestState' in sent[1]! ? sent[1]['requestState'] : undefined).toBe(state)
      },
    ),
  )
})

test('keys are data: __proto__ and its like come back with their answers', async () => {
  const { result, sent } = drive([ask(JSON.parse(`{"__proto__": ${JSON.stringify(form)}, "constructor": ${JSON.stringify(form)}}`) as JsonObject), end])
  await result

  expect(Object.entries(sent[1]!['inputResponses'] as JsonObject).map(([key, value]) => [key, (value as JsonObject)['content']])).toEqual([
    ['__proto__', { key: '__proto__' }],
    ['constructor', { key: 'constructor' }],
  ])
})

test('questions are answered side by side, and one that is cancelled by a person does not touch the others', async () => {
  const order: string[] = []
  let finish = (): void => undefined
  const others = new Promise<void>((resolve) => (finish = resolve))
  const answer: RoundsNeeds['answer'] = async (key, _, __, signal) => {
    order.push(`asked ${key}`)
    await (key === 'slow' ? others : new Promise((resolve) => setImmediate(resolve)))
    if (order.filter((step) => step.startsWith('answered')).length === 1) finish()
    order.push(`answered ${key} ${signal.aborted}`)
    return answered({ action: key === 'no' ? 'cancel' : 'accept' })
  }
  const { result, sent } = drive([ask({ slow: form, no: form, quick: form }), end], { answer })
  await result

  expect(order.slice(0, 3)).toEqual(['asked slow', 'asked no', 'asked quick'])
  expect(order.at(-1)).toBe('answered slow false')
  expect(sent[1]).toEqual({ inputResponses: { slow: { action: 'accept' }, no: { action: 'cancel' }, quick: { action: 'accept' } } })
})

test('a question that is refused ends the call: it is named, the others are withdrawn, nothing is sent again', async () => {
  const withdrawn = vi.fn()
  const answer: RoundsNeeds['answer'] = (key, _, __, signal) =>
    key === 'denied'
      ? Promise.resolve({ outcome: 'refused', by: 'person', error: new ConsentryError('SAMPLING_DENIED', 'no') })
      : new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            withdrawn(key)
            resolve({ outcome: 'withdrawn', reason: 'x' })
          })
        })
  const { result, sent } = drive([ask({ waits: form, denied: { method: 'sampling/createMessage' } }, 's'), end], { answer })

  await expect(result).rejects.toMatchObject({
    code: 'INPUT_REFUSED',
    data: { key: 'denied', request: 'sampling', cause: 'SAMPLING_DENIED', error: { code: -1, message: 'User rejected sampling request' } },
  })
  expect({ withdrawn: withdrawn.mock.calls, sent }).toEqual({ withdrawn: [['waits']], sent: [{}] })
})

test.each([{ method: 'vendor/ask' }, {}, 'x', null])('a question that is none of the three ends the call: %j', async (entry) => {
  await expect(drive([ask({ k: entry })]).result).rejects.toMatchObject({
    code: 'INPUT_REFUSED',
    data: { key: 'k', cause: 'FEATURE_NOT_DECLARED', error: { code: -32601 } },
  })
})

test.each([
  ['of an unknown method', { method: 'vendor/ask' }],
  ['of what was not promised', { method: 'roots/list' }],
])('where one question of a round is %s, nobody is asked the others', async (_, hopeless) => {
  const asked: string[] = []
  const answer: RoundsNeeds['answer'] = (key, method) => {
    asked.push(key)
    return Promise.resolve(
      method === 'roots/list' ? { outcome: 'refused', by: 'none', error: new ConsentryError('FEATURE_NOT_DECLARED', 'no') } : answered({ action: 'accept' }),
    )
  }
  const { result } = drive([ask({ a: form, bad: hopeless, b: form })], { answer, mayAsk: (method) => method !== 'roots/list' })

  await expect(result).rejects.toMatchObject({ code: 'INPUT_REFUSED', data: { key: 'bad', cause: 'FEATURE_NOT_DECLARED' } })
  expect(asked.filter((key) => key !== 'bad')).toEqual([])
})

test.each([
  ['an unknown type', { resultType: 'later' }],
  ['a type that is no text', { resultType: 7 }],
  ['neither questions nor a state', { resultType: 'input_required' }],
  ['no questions in the list and no state', { resultType: 'input_required', inputRequests: {} }],
  ['questions that are no object', { resultType: 'input_required', inputRequests: [form], requestState: 's' }],
  ['a state that is no text', { resultType: 'input_required', inputRequests: { a: form }, requestState: { a: 1 } }],
])('a result with %s is PROTOCOL_VIOLATION', async (_, answer) => {
  await expect(drive([answer as JsonObject]).result).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' })
})

test('more than ten rounds that ask end the call', async () => {
  const { result, sent } = drive([ask({ a: form }, 's')])

  await expect(result).rejects.toMatchObject({ code: 'TOO_MANY_ROUNDS' })
  expect(sent).toHaveLength(11)
})

test('rounds that only carry a state do not count, wait 1 s rising to 15 s, and start at 1 s again after a question', async () => {
  const waits: number[] = []
  const only = { resultType: 'input_required', requestState: 's' }
  const { result, sent } = drive([...Array.from({ length: 12 }, () => only), ask({ a: form }), only, end], {
    sleep: (milliseconds) => {
      waits.push(milliseconds)
      return Promise.resolve()
    },
  })
  await result

  expect(waits).toEqual([1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000, 15000, 15000, 15000, 15000, 1000])
  expect(sent.slice(1, 13)).toEqual(Array.from({ length: 12 }, () => ({ requestState: 's' })))
})

test("the person's clock runs while anything is asked or waited for, never while the server works", async () => {
  const clock: string[] = []
  const pause = (): (() => void) => {
    clock.push('person')
    return () => clock.push('server')
  }
  await drive([ask({ a: form }), { resultType: 'input_required', requestState: 's' }, end], { pause }).result

  expect(clock).toEqual(['person', 'server', 'person', 'server'])
})

test('a call that is cancelled while it waits for the next round ends there, and leaves no timer', async () => {
  const clock = new FakeClock()
  const controller = new AbortController()
  const { result, sent } = drive([{ resultType: 'input_required', requestState: 's' }], {
    signal: controller.signal,
    sleep: (milliseconds) => sleep(clock, milliseconds, controller.signal),
  })
  const outcome = result.catch((error: unknown) => error)
  await clock.pass(500)
  controller.abort('cancelled')

  expect({ outcome: await outcome, sent: sent.length, timers: clock.pending }).toEqual({ outcome: 'cancelled', sent: 1, timers: 0 })
})
