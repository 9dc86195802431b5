import { describe, expect, test } from 'vitest'
import { Policy } from '../../src/policy/index.ts'
import type { Completion, Decision, Review, SamplingRequest } from '../../src/protocol/index.ts'
import { createModels, createScriptedProvider, type Models } from '../../src/sampling/index.ts'
import { modelQuestion } from '../../src/testing/index.ts'
import { answersOf, eras, faultOf, withAnswers, withPerson } from '../fixtures/setting.ts'

const question = modelQuestion('Which flight is best?', { systemPrompt: 'You are a travel expert.', maxTokens: 1500 })
const written: Completion = { content: [{ type: 'text', text: 'The 10:05, of course.' }], model: 'whatever' }

function modelSaying(text: string): { readonly models: Models; readonly asked: SamplingRequest[] } {
  const asked: SamplingRequest[] = []
  const provider = createScriptedProvider((request) => {
    asked.push(request)
    return { content: [{ type: 'text', text }], model: 'sage-2026-07', stopReason: 'endTurn' }
  })
  return { asked, models: createModels({ entries: [{ provider: 'lab', model: 'sage' }], providers: new Map([['lab', provider]]) }) }
}

const byKind =
  (decisions: Partial<Record<Review['kind'], Decision>>) =>
  ({ kind }: Review): Decision | undefined =>
    decisions[kind]

describe.each(eras)('a completion in the %s era', (era) => {
  test('that a person writes leaves as theirs', async () => {
    const setting = await withPerson({ era, server: { tools: { find: [question] } }, decide: [{ action: 'write', completion: written }] })
    await setting.call('find')

    expect(setting.person.reviews).toMatchObject([
      {
        kind: 'prompt',
        origin: { server: { name: 'travel' }, call: { kind: 'tool', name: 'find' } },
        subject: { request: { systemPrompt: 'You are a travel expert.', maxTokens: 1500 }, choice: { model: 'person' } },
      },
    ])
    expect(answersOf(setting)).toEqual([
      { role: 'assistant', content: { type: 'text', text: 'The 10:05, of course.' }, model: 'person', stopReason: 'endTurn' },
    ])
  })

  test('of a model is seen twice: as it is asked, and as it is answered; edited is what is shown, sent and told', async () => {
    const { models, asked } = modelSaying('The 6:00.')
    const setting = await withPerson({
      era,
      models,
      server: { tools: { find: [question] } },
      decide: (review) => {
        if (review.kind === 'prompt') {
          const { request } = review.subject
          return { action: 'approve', request: { ...request, messages: [{ role: 'user', content: [{ type: 'text', text: 'Which train?' }] }], maxTokens: 100 } }
        }
        if (review.kind !== 'completion') return undefined
        return { action: 'approve', completion: { ...review.subject.completion, content: [{ type: 'text', text: 'The 6:00, from platform 2.' }] } }
      },
    })
    await setting.call('find')

    expect(setting.person.reviews.map(({ kind }) => kind)).toEqual(['prompt', 'completion'])
    expect(asked).toMatchObject([{ messages: [{ content: [{ text: 'Which train?' }] }], systemPrompt: 'You are a travel expert.', maxTokens: 100 }])
    expect(answersOf(setting)).toMatchObject([{ content: { text: 'The 6:00, from platform 2.' }, model: 'sage-2026-07', stopReason: 'endTurn' }])
  })

  test.each<[string, Partial<Record<Review['kind'], Decision>>, number]>([
    ['before the model is asked', { prompt: { action: 'deny' } }, 0],
    ['after the model answered', { prompt: { action: 'approve' }, completion: { action: 'deny' } }, 1],
  ])('denied %s reaches the server as rejected by the user', async (_, decisions, timesAsked) => {
    const { models, asked } = modelSaying('The 6:00.')
    const setting = await withPerson({ era, models, server: { tools: { find: [question] } }, decide: byKind(decisions) })
    const { code, data } = await faultOf(setting.call('find'))

    expect(asked).toHaveLength(timesAsked)
    expect(setting.ends).toMatchObject([{ response: { outcome: 'refused', by: 'person', error: { code: 'SAMPLING_DENIED' } } }])
    if (era === 'legacy')
      expect(setting.server.answers.map(({ answer }) => answer)).toEqual([{ error: { code: -1, message: 'User rejected sampling request' } }])
    else expect([code, data?.['cause'], answersOf(setting)]).toEqual(['INPUT_REFUSED', 'SAMPLING_DENIED', []])
  })

  test('of a script: written, by the model that it names, and denied', async () => {
    const { models, asked } = modelSaying('The 6:00.')
    const setting = await withAnswers({
      era,
      models,
      server: { tools: { find: [question, question, question] } },
      answers: [
        { when: { request: 'sampling', message: '*flight*' }, then: { action: 'approve', text: 'Take the 10:05.' }, times: 1 },
        { when: { request: 'sampling' }, then: { action: 'approve', model: 'lab:sage' }, times: 1 },
        { when: { request: 'sampling' }, then: { action: 'deny' } },
      ],
    })
    const { code } = await faultOf(setting.call('find'))

    expect(setting.ends.slice(0, 2)).toMatchObject([
      { response: { by: 'script', result: { content: { text: 'Take the 10:05.' }, model: 'scripted' } } },
      { response: { by: 'script', result: { content: { text: 'The 6:00.' }, model: 'sage-2026-07' } } },
    ])
    expect([asked.length, setting.ends[2]?.response.outcome, code]).toEqual([1, 'refused', era === 'legacy' ? 'resolved' : 'INPUT_REFUSED'])
  })

  test('that a rule allows asks nobody, until its limit is reached', async () => {
    const { models, asked } = modelSaying('The 6:00.')
    const policy = new Policy({ rules: [{ server: 'travel', request: 'sampling', decision: 'allow', limits: { requestsPerMinute: 2 } }] })
    const setting = await withPerson({ era, models, policy, server: { tools: { find: [question] } }, decide: [] })
    await setting.call('find')
    await setting.call('find')
    const { code } = await faultOf(setting.call('find'))

    expect([asked.length, setting.person.reviews.length, code]).toEqual([2, 0, era === 'legacy' ? 'resolved' : 'INPUT_REFUSED'])
    expect(setting.ends.map(({ response }) => response)).toMatchObject([
      { by: 'rule', result: { model: 'sage-2026-07' } },
      { by: 'rule' },
      { outcome: 'refused', by: 'rule', error: { code: 'LIMIT_REACHED' } },
    ])
    if (era === 'legacy') expect(answersOf(setting).at(-1)).toBe(-32603)
  })

  test('with tools gives the tool call back, and runs nothing', async () => {
    const tools = [{ name: 'delete_all', inputSchema: { type: 'object' } }]
    const content = [{ type: 'tool_use', id: 'c1', name: 'delete_all', input: {} }] as const
    const setting = await withPerson({
      era,
      server: { tools: { find: [modelQuestion('Clean up', { tools })] } },
      decide: [{ action: 'write', completion: { content, model: 'person' } }],
    })
    await setting.call('find')

    expect(answersOf(setting)).toEqual([{ role: 'assistant', content, model: 'person', stopReason: 'toolUse' }])
  })
})
