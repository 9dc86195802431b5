import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { Policy, type PolicyQuestion } from '../policy/index.ts'
import type { Completion, SamplingRequest } from '../protocol/index.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'
import { createModels } from './create-models.ts'
import { modelFailed } from './model-failure.ts'
import { proposeModel, type ModelProposal } from './propose-model.ts'
import { createScriptedProvider } from './scripted-provider.ts'

const request: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Which flight?' }] }], maxTokens: 100 }
const said: Completion = { content: [{ type: 'text', text: 'The 10:05.' }], model: 'gpt-2026', usage: { input: 20, output: 7 } }
const question: PolicyQuestion = { kind: 'sampling', origin: { server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } } } }
/** What `request` may take at most: 8 tokens to read it, and the answer. */
const MOST = 108

interface Scene {
  readonly tokensPerDay?: number
  readonly costPerDay?: number
  readonly price?: { readonly input: number; readonly output: number }
}

function setUp({ tokensPerDay, costPerDay, price }: Scene, answer: (signal: AbortSignal) => Completion | Promise<Completion> = () => said) {
  const policy = new Policy({ rules: [{ decision: 'allow', limits: { tokensPerDay, costPerDay } }] })
  const asked: SamplingRequest[] = []
  const provider = createScriptedProvider((one, _model, signal) => {
    asked.push(one)
    return answer(signal)
  })
  const models = createModels({ entries: [{ provider: 'lab', model: 'gpt', cost: price }], providers: new Map([['lab', provider]]) })
  const ask = async (signal: AbortSignal = new AbortController().signal): Promise<ModelAnswer> => {
    const proposal = proposeModel(models, request) as ModelProposal
    const { inputTokens, estimate } = proposal
    const reservation = await policy.reserve({ ...question, tokens: inputTokens + request.maxTokens, cost: estimate.cost, model: 'lab:gpt' })
    return askModel(proposal, models, { reservation, revision: '2025-11-25' }, signal)
  }
  const codeOf = (signal?: AbortSignal): Promise<unknown> =>
    ask(signal).then(
      () => 'answered',
      (error: unknown) => (error instanceof ConsentryError ? error.code : error),
    )
  return { asked, ask, codeOf }
}

test('what a model took is told: its own count where it gives one, an estimate that says so where it does not', async () => {
  const price = { input: 10, output: 100 }

  const counted = await setUp({ price }).ask()
  const estimated = await setUp({}, () => ({ ...said, usage: { output: 7 } })).ask()

  expect([counted.spent, estimated.spent]).toEqual([
    { inputTokens: 20, outputTokens: 7, cost: 0.0009 },
    { inputTokens: 8, outputTokens: 7, estimated: true },
  ])
})

test('requests that come together cannot overshoot a budget together', async () => {
  const { asked, codeOf } = setUp({ tokensPerDay: 3 * MOST })

  const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf()))

  expect({ asked: asked.length, codes }).toEqual({ asked: 3, codes: ['answered', 'answered', 'answered', 'LIMIT_REACHED', 'LIMIT_REACHED', 'LIMIT_REACHED'] })
})

test('what was really used is booked, not what was reserved', async () => {
  const { codeOf } = setUp({ tokensPerDay: MOST + 2 * 27 })

  expect([await codeOf(), await codeOf(), await codeOf(), await codeOf()]).toEqual(['answered', 'answered', 'answered', 'LIMIT_REACHED'])
})

test.each<[string, Completion['usage'], number]>([
  ['claims to have taken nothing', { input: 0, output: 0 }, 13],
  ['counts only what it read', { input: 9 }, 14],
  ['counts far more than it may', { input: 10, output: 90 }, 100],
])('a model that %s is booked by what is more likely', async (_, usage, tokens) => {
  const { ask } = setUp({}, () => ({ ...said, usage }))
  const { spent } = await ask()

  expect((spent.inputTokens ?? 0) + (spent.outputTokens ?? 0)).toBe(tokens)
})

test('money is counted as tokens are, and a price that is unknown is never free', async () => {
  const most = (8 * 10 + 100 * 100) / 1e6

  expect([
    await setUp({ costPerDay: most, price: { input: 10, output: 100 } }).codeOf(),
    await setUp({ costPerDay: most * 0.99, price: { input: 10, output: 100 } }).codeOf(),
    await setUp({ costPerDay: 1000 }).codeOf(),
  ]).toEqual(['answered', 'LIMIT_REACHED', 'LIMIT_REACHED'])
})

test.each<[string, () => Completion | Promise<Completion>, unknown]>([
  ['was turned away costs nothing', () => Promise.reject(modelFailed('lab:gpt', 'did not accept the request', { spent: 'nothing' })), 'MODEL_FAILED'],
  ['failed half-way stays booked in full', () => Promise.reject(new Error('socket hang up')), 'LIMIT_REACHED'],
  ['gave what cannot be sent is booked', () => ({ ...said, content: [], usage: { input: 8, output: 100 } }), 'LIMIT_REACHED'],
])('a model that %s', async (_, answer, next) => {
  const { codeOf } = setUp({ tokensPerDay: MOST }, answer)

  expect([await codeOf(), await codeOf()]).toEqual(['MODEL_FAILED', next])
})

test('a failure says nothing of what the model said', async () => {
  await expect(setUp({}, () => Promise.reject(new Error('bad key sk-secret'))).ask()).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: 'lab:gpt gave no answer',
  })
})

test('a request that is taken back stops the model at once, listens or not, and stays booked', async () => {
  const asker = new AbortController()
  let stopped = false
  const { codeOf } = setUp({ tokensPerDay: MOST }, (signal) => {
    signal.addEventListener('abort', () => (stopped = true))
    asker.abort(new Error('the call was cancelled'))
    return new Promise(() => {})
  })

  expect([await codeOf(asker.signal), await codeOf(), stopped]).toEqual(['MODEL_FAILED', 'LIMIT_REACHED', true])
})

test('a request that is taken back before the model is asked costs nothing', async () => {
  const { codeOf, asked } = setUp({ tokensPerDay: MOST })

  await codeOf(AbortSignal.abort())

  expect({ next: await codeOf(), asked: asked.length }).toEqual({ next: 'answered', asked: 1 })
})
