import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLocalDesk } from '../../src/desk/index.ts'
import { isInputMethod, type JsonObject } from '../../src/protocol/index.ts'
import { connectPair, createScriptedPerson, createScriptedServer, formQuestion, modelQuestion, urlQuestion } from '../../src/testing/index.ts'
import { everyCapability, questionsIn, RawTravel, stateIn, type Reply } from '../fixtures/raw-travel.ts'

// The server role, on the travel server of the demo: it asks folders, a form, a completion and a visit.

const asking = ['list_trips', 'book_trip', 'findBestFlight', 'connect_airline'] as const
const booked = { booking: { action: 'accept', content: { confirmBooking: true } } }
const invalid = { code: -32602 }

const textIn = ({ result }: Reply): string => JSON.stringify(result?.['content'])

test('R108: everything is asked in results; no request of its own ever leaves the server', async () => {
  const travel = new RawTravel()
  for (const tool of asking) await travel.call(tool)
  await travel.call('book_trip', { inputResponses: booked, requestState: stateIn(await travel.call('book_trip')) })

  expect(travel.received.filter(({ method, id }) => method !== undefined && id !== undefined)).toEqual([])
  expect(travel.received).toHaveLength(6)
})

test('R109: only a call is answered with a question, never a list', async () => {
  const travel = new RawTravel()
  const [listed, called] = [await travel.request('tools/list', {}), await travel.call('book_trip')]

  expect([listed.result?.['resultType'], called.result?.['resultType']]).toEqual(['complete', 'input_required'])
})

test('R110: each key stands for one of the three questions', async () => {
  const travel = new RawTravel()
  const asked = await Promise.all(asking.map(async (tool) => Object.values(questionsIn(await travel.call(tool)))))

  expect(asked.map((questions) => questions.map(({ method }) => method))).toEqual([
    ['roots/list'],
    ['elicitation/create'],
    ['sampling/createMessage'],
    ['elicitation/create'],
  ])
  expect(asked.flat().every(({ method }) => isInputMethod(method))).toBe(true)
})

describe('R111: a state is whatever an attacker says', () => {
  test('cut, altered anywhere, made up, of another call, or empty: nothing is booked', async () => {
    const travel = new RawTravel()
    const [state, other] = [stateIn(await travel.call('book_trip')), stateIn(await travel.call('findBestFlight'))]
    const flip = (at: number): string => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
    const positions = fc.sample(fc.nat(state.length - 1), { numRuns: 60, seed: 1 })
    const attacks = [...positions.map(flip), state.slice(0, -1), state.slice(1), `${state}A`, other, '', 'state', state.split('.').toReversed().join('.')]
    const replies = await Promise.all(
      attacks.filter((attack) => attack !== state).map((requestState) => travel.call('book_trip', { requestState, inputResponses: booked })),
    )

    expect(replies.filter(({ error }) => error?.code !== invalid.code)).toEqual([])
  })
})

test('R112: a state belongs to its tool, its arguments and its connection', async () => {
  const [travel, stranger] = [new RawTravel(), new RawTravel()]
  const state = stateIn(await travel.call('book_trip'))
  const replies = await Promise.all([
    travel.call('findBestFlight', { requestState: state }),
    travel.call('book_trip', { requestState: state, arguments: { trip: 'other' }, inputResponses: booked }),
    stranger.call('book_trip', { requestState: state, inputResponses: booked }),
  ])

  expect(replies.map(({ error }) => error?.code)).toEqual([invalid.code, invalid.code, invalid.code])
})

test('R113: a state is good once: what it books is booked once', async () => {
  const travel = new RawTravel()
  const requestState = stateIn(await travel.call('book_trip'))
  const first = await travel.call('book_trip', { requestState, inputResponses: booked })
  const replays = await Promise.all([1, 2, 3].map(() => travel.call('book_trip', { requestState, inputResponses: booked })))

  expect(textIn(first)).toContain('Booked')
  expect(replays.map(({ error }) => error?.code)).toEqual([invalid.code, invalid.code, invalid.code])
})

test('R114: what requires input has questions, or a state, or both', async () => {
  const travel = new RawTravel()
  const server = createScriptedServer({ era: 'modern', tools: { waits: async ({ pause }) => (await pause(), 'done') } })
  const { desk } = createLocalDesk()
  const pair = await connectPair({ desk, era: 'modern', server })
  const asked = await Promise.all(asking.map(async (tool) => (await travel.call(tool)).result))
  const result = await pair.client.callTool({ name: 'waits' })
  await pair.close()
  await server.close()

  expect(asked).toMatchObject(asking.map(() => ({ resultType: 'input_required', inputRequests: expect.any(Object), requestState: expect.any(String) })))
  expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] })
})

describe('R115: nothing is asked that the client did not declare in this very request', () => {
  const without = (name: string, value?: JsonObject): JsonObject => {
    const { [name]: _, ...rest } = everyCapability
    return value === undefined ? rest : { ...rest, [name]: value }
  }

  test.each<[string, JsonObject, JsonObject]>([
    ['list_trips', without('roots'), { roots: {} }],
    ['book_trip', without('elicitation'), { elicitation: { form: {} } }],
    ['book_trip', without('elicitation', { url: {} }), { elicitation: { form: {} } }],
    ['connect_airline', without('elicitation'), { elicitation: { url: {} } }],
    ['connect_airline', without('elicitation', { form: {} }), { elicitation: { url: {} } }],
    ['connect_airline', without('elicitation', {}), { elicitation: { url: {} } }],
    ['findBestFlight', without('sampling'), { sampling: {} }],
  ])('%s for a client with %j is refused with what it needs', async (tool, capabilities, requiredCapabilities) => {
    const travel = new RawTravel()

    expect((await travel.call(tool, {}, capabilities)).error).toMatchObject({ code: -32021, data: { requiredCapabilities } })
  })

  test('an elicitation that says nothing of modes means forms', async () => {
    const travel = new RawTravel()

    expect(Object.keys(questionsIn(await travel.call('book_trip', {}, without('elicitation', {}))))).toEqual(['booking'])
  })
})

test('R116: a client that never comes back keeps nothing open, and the same call asks again', async () => {
  const travel = new RawTravel()
  const abandoned = await Promise.all(Array.from({ length: 50 }, () => travel.call('book_trip')))
  const again = await travel.call('book_trip')

  expect(new Set([...abandoned, again].map(stateIn)).size).toBe(51)
  expect(textIn(await travel.call('book_trip', { requestState: stateIn(again), inputResponses: booked }))).toContain('Booked')
})

describe('R121: answers are checked before they are used', () => {
  test.each([{ booking: { action: 'maybe' } }, { booking: { action: 'accept', content: 'yes' } }, { booking: { roots: [] } }])(
    'what is no answer to this question is a protocol error: %j',
    async (inputResponses) => {
      const travel = new RawTravel()
      const requestState = stateIn(await travel.call('book_trip'))
      const reply = await travel.call('book_trip', { requestState, inputResponses })

      expect([reply.error?.code, textIn(reply)]).toEqual([invalid.code, undefined])
    },
  )

  test.each<[JsonObject[string]]>([[{ booking: null }], [{ booking: 'accept' }], [[]], ['booking']])(
    'what is not even an answer is as good as none, and the question is asked again: %j',
    async (inputResponses) => {
      const travel = new RawTravel()
      const requestState = stateIn(await travel.call('book_trip'))

      expect(Object.keys(questionsIn(await travel.call('book_trip', { requestState, inputResponses })))).toEqual(['booking'])
    },
  )

  test('what is missing is asked for again, and what nobody asked for is ignored', async () => {
    const travel = new RawTravel()
    const first = stateIn(await travel.call('book_trip'))
    const again = await travel.call('book_trip', { requestState: first, inputResponses: { other: { action: 'accept' } } })
    const end = await travel.call('book_trip', { requestState: stateIn(again), inputResponses: { ...booked, other: { action: 'accept' } } })

    expect([Object.keys(questionsIn(again)), textIn(end)]).toEqual([['booking'], expect.stringContaining('Booked')])
  })

  test('content outside the form books nothing', async () => {
    const travel = new RawTravel()
    const requestState = stateIn(await travel.call('book_trip'))
    const content = { confirmBooking: 'yes', seatPreference: 'cockpit' }
    const reply = await travel.call('book_trip', { requestState, inputResponses: { booking: { action: 'accept', content } } })

    expect(JSON.stringify(reply)).not.toContain('Booked')
  })
})

test('the scripted server of the testing door refuses foreign states, and asks again for what is missing', async () => {
  const server = createScriptedServer({
    era: 'modern',
    tools: { book: [formQuestion('Who?', {}), modelQuestion('Well?'), urlQuestion('Go', 'https://a.example/')] },
  })
  const { desk, inbox } = createLocalDesk()
  createScriptedPerson({
    inbox,
    decide: ({ kind }) => {
      if (kind === 'form') return { action: 'accept', content: {} }
      return kind === 'url' ? { action: 'accept' } : { action: 'write', completion: { content: [{ type: 'text', text: 'Yes.' }], model: 'person' } }
    },
  })
  const pair = await connectPair({ desk, era: 'modern', server })
  await pair.client.callTool({ name: 'book' })
  const foreign = pair.client.request('tools/call', { name: 'book', requestState: 'state-1', inputResponses: {} })

  await expect(foreign).rejects.toMatchObject({ code: 'SERVER_ERROR', data: invalid })
  expect(server.answers).toHaveLength(3)
  await pair.close()
  await server.close()
})
