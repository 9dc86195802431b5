import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { capabilitiesIn, modern, Talk } from '../../test/fixtures/gateway-talk.ts'
// Loaded with the first round that is split; here before anything is timed.
import './fingerprint.ts'

const questions = {
  form: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } },
  page: { method: 'elicitation/create', params: { mode: 'url', message: 'Visit', url: 'https://a.example/' } },
  model: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
  folders: { method: 'roots/list' },
}
const names = Object.keys(questions) as (keyof typeof questions)[]
type Declared = Readonly<Record<keyof typeof questions, boolean>>

const answers = {
  elicitation: answered({ action: 'accept', content: { by: 'the desk' } }),
  sampling: answered({ role: 'assistant', content: { type: 'text', text: 'by the desk' }, model: 'm' }),
  roots: answered({ roots: [] }, 'rule'),
}

function capabilitiesOf({ form, page, model, folders }: Declared): object {
  const elicitation = { ...(form && { form: {} }), ...(page && { url: {} }) }
  return { ...((form || page) && { elicitation }), ...(model && { sampling: {} }), ...(folders && { roots: {} }) }
}

function talking(): Talk {
  const talk = new Talk()
  talk.session.onAnswer = ({ kind }) => answers[kind]
  return talk
}

const call = (id: number, capabilities: object, params: object = {}): object => ({
  id,
  method: 'tools/call',
  params: modern(capabilities, { name: 'run', ...params }),
})

const declarations = fc.record({ form: fc.boolean(), page: fc.boolean(), model: fc.boolean(), folders: fc.boolean() })

test('a client of 2026-07-28 that declares something else with each call is asked, for each, what it declared with it and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(declarations, { minLength: 1, maxLength: 6 }), async (calls) => {
      const talk = talking()
      for (const [id, declared] of calls.entries()) talk.client(call(id, capabilitiesOf(declared)))
      const promised = talk.atServer.map((message) => Object.keys(capabilitiesIn(message) as object).toSorted())
      // The calls are all open, and the server asks in the last one first.
      for (const id of calls.map((_, index) => index).toReversed())
        talk.server({ id, result: { resultType: 'input_required', inputRequests: questions, requestState: `of ${id}` } })
      await talk.settle()
      const given = calls.map((_, id) => talk.atClient.find((message) => message.id === id)?.result?.['inputRequests'])

      expect(given).toEqual(
        calls.map((declared) => {
          const own = names.filter((name) => declared[name])
          return own.length === 0 ? undefined : Object.fromEntries(own.map((name) => [name, questions[name]]))
        }),
      )
      expect(promised).toEqual(calls.map(() => ['elicitation', 'roots', 'sampling']))
      talk.conversation.close(new Error('over'))
    }),
    { numRuns: 100 },
  )
})

test('a client that comes back and declares less is asked no more than that: its answer goes to the server, and the next question of the same kind to the desk', async () => {
  const talk = talking()
  talk.client(call(1, { elicitation: { form: {} } }))
  talk.server({ id: 1, result: { resultType: 'input_required', inputRequests: { f: questions.form, r: questions.folders }, requestState: 'first' } })
  await talk.settle()
  const { requestState } = talk.atClient[0]!.result!
  talk.client(call(2, {}, { requestState, inputResponses: { f: { action: 'accept', content: { by: 'the client' } } } }))
  const retry = talk.atServer.at(-1)!
  talk.server({ id: 2, result: { resultType: 'input_required', inputRequests: { again: questions.form }, requestState: 'second' } })
  await talk.settle()
  const last = talk.atServer.at(-1)!
  talk.server({ id: last.id, result: { resultType: 'complete', content: [] } })

  expect(retry.params?.['inputResponses']).toEqual({ f: { action: 'accept', content: { by: 'the client' } }, r: { roots: [] } })
  expect(last.params?.['inputResponses']).toEqual({ again: { action: 'accept', content: { by: 'the desk' } } })
  expect(talk.atClient.slice(1)).toEqual([{ jsonrpc: '2.0', id: 2, result: { resultType: 'complete', content: [] } }])
})
