import { expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import { ConsentryError } from '../errors.ts'
import { answerInputRequest } from './answer-input.ts'

function session(onAnswer: FakeSession['onAnswer']): FakeSession {
  return Object.assign(new FakeSession(), { onAnswer })
}

test('request in, response out, raw both ways', async () => {
  const desk = session(() => answered({ action: 'accept', content: { n: 1 } }))
  const params = { message: 'm', requestedSchema: { type: 'object', properties: { n: { type: 'integer', multipleOf: 2, 'x-vendor': [] } } } }

  expect(await answerInputRequest(desk, { method: 'elicitation/create', params }, { call: { kind: 'tool', name: 't' } })).toEqual({
    result: { action: 'accept', content: { n: 1 } },
  })
  expect(desk.asked).toEqual([{ kind: 'elicitation', params, revision: '2025-11-25', call: { kind: 'tool', name: 't' } }])
})

test.each([
  ['vendor/ask', {}, { code: -32601, message: 'Method not found' }],
  ['toString', {}, { code: -32601, message: 'Method not found' }],
])('%s is not one of the three', async (method, params, error) => {
  expect(
    await answerInputRequest(
      session(() => answered({})),
      { method, params },
    ),
  ).toEqual({ error })
})

test('what a session refuses goes out in the numbers of the protocol', async () => {
  const desk = session(() => ({ outcome: 'refused', by: 'none', error: new ConsentryError('NO_ONE_TO_ASK', 'x') }))

  expect(await answerInputRequest(desk, { method: 'sampling/createMessage' })).toEqual({
    error: { code: -32603, message: 'Nobody could be asked', data: { reason: 'no-one-to-ask' } },
  })
})

test('what was never promised does not reach the session', async () => {
  const desk = Object.assign(
    session(() => answered({})),
    { can: { roots: true, form: true, url: false, sampling: false, samplingTools: false } },
  )
  const ask = async (method: string, params: object): Promise<unknown> => {
    const reply = await answerInputRequest(desk, { method, params })
    return reply && 'error' in reply ? reply.error.code : 'answered'
  }

  expect(await Promise.all([ask('roots/list', {}), ask('elicitation/create', { mode: 'url' }), ask('sampling/createMessage', {})])).toEqual([
    'answered',
    -32602,
    -32601,
  ])
  expect(desk.asked.map(({ kind }) => kind)).toEqual(['roots'])
})

test('a question that was refused before it came there is told to the session, for its log', async () => {
  const told: unknown[] = []
  const desk = Object.assign(
    session(() => answered({})),
    { can: { roots: true, form: true, url: true, sampling: false, samplingTools: false } },
    { refused: ({ kind }: { kind: string }, { code }: ConsentryError) => told.push([kind, code]) },
  )
  const tooDeep = { error: { code: -32602, message: 'The question is nested deeper than 500 levels' } }
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown
  const replies = await Promise.all([
    answerInputRequest(desk, { method: 'sampling/createMessage', params: {} }),
    answerInputRequest(desk, { method: 'elicitation/create', params: { message: 'm', requestedSchema: deep } }),
    answerInputRequest(desk, { method: 'elicitation/create', params: deep }),
  ])

  expect([told, desk.asked, replies]).toMatchObject([
    [
      ['sampling', 'FEATURE_NOT_DECLARED'],
      ['elicitation', 'PROTOCOL_VIOLATION'],
      ['elicitation', 'PROTOCOL_VIOLATION'],
    ],
    [],
    [{ error: { code: -32601 } }, tooDeep, tooDeep],
  ])
})

test('elicitation is unknown to 2025-03-26', async () => {
  expect(
    await answerInputRequest(
      session(() => answered({})),
      { method: 'elicitation/create' },
      { revision: '2025-03-26' },
    ),
  ).toMatchObject({ error: { code: -32601 } })
})

test('a session that throws is an internal error, and says nothing of it', async () => {
  const desk = session(() => {
    throw new Error('/home/u/secret')
  })

  expect(await answerInputRequest(desk, { method: 'roots/list' })).toEqual({ error: { code: -32603, message: 'Internal error' } })
})

test('a question that was taken back has no response, even if the session ignores its signal', async () => {
  const controller = new AbortController()
  const desk = Object.assign(new FakeSession(), { answer: () => new Promise<never>(() => {}) })
  const reply = answerInputRequest(desk, { method: 'roots/list' }, { signal: controller.signal })
  controller.abort()

  expect(await reply).toBeUndefined()
})

test('the task that a question belongs to is echoed, other _meta stays', async () => {
  const task = { 'io.modelcontextprotocol/related-task': { taskId: '7' } }
  const ask = (own: object): Promise<unknown> =>
    answerInputRequest(
      session(() => answered({ roots: [], ...own })),
      { method: 'roots/list', params: { _meta: { ...task, progressToken: 1 } } },
    )

  expect(await Promise.all([ask({}), ask({ _meta: { mine: 1 } })])).toEqual([
    { result: { roots: [], _meta: task } },
    { result: { roots: [], _meta: { mine: 1, ...task } } },
  ])
})
