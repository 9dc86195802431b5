import { expect, test } from 'vitest'
import type { Decision, Origin, Reviewer, ReviewKind, ReviewRequest, SamplingRequest, Settlement } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { proposeModel } from './propose-model.ts'
import { reviewPrompt, type PromptOutcome } from './review-prompt.ts'

const asked: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], maxTokens: 100 }
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
const seeing: SamplingRequest = { ...asked, messages: [{ role: 'user', content: [image] }] }
const weather = { name: 'get_weather', inputSchema: { type: 'object' } } as const
const call = { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} } as const
const models = createModels({
  entries: [
    { provider: 'ollama', model: 'blind' },
    { provider: 'ollama', model: 'llava', modalities: ['text', 'image'], contextTokens: 60 },
  ],
})
const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}

/** Decides without asking for a check first, as a careless reviewer might. */
function careless(decision: Decision<'prompt'>): Reviewer {
  return {
    canReview: () => true,
    review: <Kind extends ReviewKind>() =>
      Promise.resolve({ outcome: 'decided', decision: decision as unknown as Decision<Kind>, by: 'person' } satisfies Settlement<Kind>),
  }
}

function decide(decision: Decision<'prompt'>, request: SamplingRequest = asked): Promise<PromptOutcome> {
  return reviewPrompt(() => ({ proposal: proposeModel(models, request) }), origin, { reviewer: careless(decision), models }, new AbortController().signal)
}

test.each<[string, Decision<'prompt'>, string]>([
  ['a longer answer than the server allows', { action: 'approve', request: { ...asked, maxTokens: 101 } }, 'maxTokens'],
  ['an answer of no length', { action: 'approve', request: { ...asked, maxTokens: 0 } }, 'maxTokens'],
  ['a tool that the server could not run', { action: 'approve', request: { ...asked, tools: [weather] } }, 'tools[0]'],
  ['a request that is not valid', { action: 'approve', request: { ...asked, messages: [] } }, 'messages'],
  ['a model that cannot see the image', { action: 'approve', request: seeing }, 'model'],
  ['a model that is not configured', { action: 'approve', model: 'lab:opus' }, 'model'],
  ['a person where a model must be named', { action: 'approve', model: 'person' }, 'model'],
  ['an answer that calls a tool nobody offered', { action: 'write', completion: { content: [call], model: 'person' } }, 'content[0].name'],
  ['an answer without content', { action: 'write', completion: { content: [], model: 'person' } }, 'content'],
])('%s does not fit', async (_, decision, field) => {
  expect(await decide(decision)).toMatchObject({
    outcome: 'ended',
    response: { outcome: 'refused', by: 'none', unanswered: 'answer-does-not-fit', facts: { faults: [{ field }] } },
  })
})

test('what fits is asked as it was shown, by the model that was named, as long as it has room for', async () => {
  const edited = { ...asked, maxTokens: 50, systemPrompt: 'Be brief' }

  expect([
    await decide({ action: 'approve' }),
    await decide({ action: 'approve', request: asked }),
    await decide({ action: 'approve', request: edited, model: 'ollama:llava' }),
  ]).toMatchObject([
    { proposal: { choice: { model: 'ollama:blind' }, request: asked }, promptEdited: false },
    { proposal: { choice: { model: 'ollama:blind' }, request: asked }, promptEdited: false },
    { proposal: { choice: { model: 'ollama:llava', why: 'ollama:llava; named in the review' }, request: edited }, promptEdited: true },
  ])
  expect(await decide({ action: 'approve', model: 'ollama:llava' })).toMatchObject({ proposal: { request: { maxTokens: 55 } } })
})

test('tools and toolChoice survive an edit', async () => {
  const tools: SamplingRequest = { ...asked, tools: [weather], toolChoice: 'required' }
  const able = createModels({ entries: [{ provider: 'ollama', model: 'able', tools: true }] })
  const decision = { action: 'approve', request: { ...tools, maxTokens: 7 } } as const

  const outcome = await reviewPrompt(
    () => ({ proposal: proposeModel(able, tools) }),
    origin,
    { reviewer: careless(decision), models: able },
    new AbortController().signal,
  )

  expect(outcome).toMatchObject({ outcome: 'approved', proposal: { request: { ...tools, maxTokens: 7 } } })
})

test('the review shows what would be sent, and checks a decision before it counts', async () => {
  const seen: ReviewRequest<'prompt'>[] = []
  const reviewer: Reviewer = {
    canReview: () => true,
    review: (request) => {
      seen.push(request as unknown as ReviewRequest<'prompt'>)
      return Promise.resolve({ outcome: 'nobody' })
    },
  }

  await reviewPrompt(() => ({ proposal: proposeModel(models, { ...asked, maxTokens: 0 }) }), origin, { reviewer, models }, new AbortController().signal)

  const shown = { ...asked, maxTokens: 4096 }
  expect(seen).toMatchObject([
    { kind: 'prompt', origin, subject: { request: shown, choice: { model: 'ollama:blind', why: 'ollama:blind; 1 of 2 can (context)' } }, draft: shown },
  ])
  expect(await seen[0]?.check?.({ action: 'approve', model: 'lab:opus' })).toEqual([
    { field: 'model', problem: 'model-unknown', message: 'This model is not one of those that are configured' },
  ])
})
