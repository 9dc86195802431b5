import { expect, test } from 'vitest'
import type { AnswerCapabilities, ConnectionOrigin, Desk, DeskSession, Era, InputRequest, InputResponse } from '../protocol/index.ts'
import { connectPair } from './connect-pair.ts'
import { formQuestion, modelQuestion, rootsQuestion } from './questions.ts'
import { createScriptedServer } from './scripted-server.ts'

const eras: readonly Era[] = ['legacy', 'modern']
const seat = formQuestion('Window or aisle?', { seat: { type: 'string' } })
const everything: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }

/** A desk where every question has one answer. */
class PlainDesk implements Desk {
  readonly asked: InputRequest[] = []
  readonly origins: ConnectionOrigin[] = []
  closed = 0
  readonly #results = {
    roots: { roots: [{ uri: 'file:///trip' }] },
    elicitation: { action: 'accept', content: { seat: 'aisle' } },
    sampling: { role: 'assistant', model: 'person', content: { type: 'text', text: 'Lisbon' } },
  } as const

  open(origin: ConnectionOrigin): DeskSession {
    this.origins.push(origin)
    return {
      origin,
      capabilities: () => everything,
      answer: async (request): Promise<InputResponse> => {
        this.asked.push(request)
        return { outcome: 'answered', by: 'person', result: this.#results[request.kind] }
      },
      complete: () => {},
      awaitCompletion: async () => 'continued',
      on: () => () => {},
      close: () => void (this.closed += 1),
    }
  }

  async close(): Promise<void> {}
}

test.each(eras)('the desk answers what the server asks, in the %s era', async (era) => {
  const desk = new PlainDesk()
  const pair = await connectPair({ desk, era, name: 'travel', server: { tools: { book: [rootsQuestion(), seat, modelQuestion('Where to?')] } } })

  await pair.client.callTool({ name: 'book' })

  await pair.close()
  expect(pair.server.answers.map(({ question, answer, ...rest }) => [question.method, 'result' in answer, rest])).toEqual([
    ['roots/list', true, { era, during: 'book' }],
    ['elicitation/create', true, { era, during: 'book' }],
    ['sampling/createMessage', true, { era, during: 'book' }],
  ])
  const book = { kind: 'tool', name: 'book' }
  expect(desk.asked.map(({ kind, call, isInCall }) => [kind, call ?? isInCall])).toEqual([
    ['roots', era === 'legacy' ? true : book],
    ['elicitation', book],
    ['sampling', book],
  ])
  expect(desk.origins).toMatchObject([{ server: { name: 'travel', named: true } }])
})

test('a server that is there already can be joined, more than once', async () => {
  const desk = new PlainDesk()
  const server = createScriptedServer({ tools: { book: [seat] } })
  const pairs = [await connectPair({ desk, server }), await connectPair({ desk, server, era: 'modern' })]

  await Promise.all(pairs.map(({ client }) => client.callTool({ name: 'book' })))

  await pairs[0]!.close()
  await pairs[1]!.client.callTool({ name: 'book' })
  await pairs[1]!.close()
  await server.close()
  expect(server.answers.map(({ era }) => era).toSorted()).toEqual(['legacy', 'modern', 'modern'])
  expect(new Set(desk.origins.map(({ connection }) => connection)).size).toBe(2)
})

test('closing ends the session, and may be done twice', async () => {
  const desk = new PlainDesk()
  const pair = await connectPair({ desk, server: { tools: {} } })

  await pair.close()
  await pair.close()

  expect(desk.closed).toBeGreaterThan(0)
  await expect(pair.client.callTool({ name: 'book' })).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
})

test('what cannot be joined leaves nothing open', async () => {
  const desk = new PlainDesk()

  await expect(connectPair({ desk, era: 'modern', server: { era: 'legacy', tools: {} } })).rejects.toThrow()

  expect(desk.closed).toBe(1)
})
