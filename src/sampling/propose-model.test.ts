import { expect, test } from 'vitest'
import type { SamplingRequest } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { roomIn } from './limit-room.ts'
import { listOptions, proposeModel } from './propose-model.ts'

const request: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Which flight?' }] }], maxTokens: 100 }
const baseUrl = 'http://127.0.0.1:1/v1'
const dear = { provider: 'lab', model: 'dear', baseUrl, cost: { input: 1, output: 2 } }
const unknown = { provider: 'lab', model: 'unknown', baseUrl, intelligence: 1 }
const own = { provider: 'lab', model: 'own', baseUrl, local: true }
const costRoom = roomIn([{ limit: 'costPerDay', scope: 'server', allowed: 1, used: 0 }])

test('where cost is limited, a model whose price nobody knows is not proposed, and the review says why', () => {
  const models = createModels({ entries: [unknown, dear] })
  const proposals = [proposeModel(models, request), proposeModel(models, request, { room: costRoom })]
  const options = listOptions(models, request, costRoom)

  expect(proposals.map(({ choice }) => choice.model)).toEqual(['lab:unknown', 'lab:dear'])
  expect(options.map(({ model, cannot, estimate }) => [model, cannot?.key, estimate.cost])).toEqual([
    ['lab:unknown', 'model-without-price', undefined],
    ['lab:dear', undefined, (8 + 2 * 100) / 1e6],
  ])
})

test('where no price is known and cost is limited, a person writes; what runs on this computer is free, and that is known', () => {
  const choose = (...entries: readonly (typeof own | typeof unknown)[]): unknown =>
    proposeModel(createModels({ entries }), request, { room: costRoom }).choice.reasons?.map(({ key }) => key)

  expect([choose(unknown), choose(unknown, own)]).toEqual([['no-model-price'], []])
})
