import { expect, test } from 'vitest'
import { catalogueDate, findFigures } from './model-catalogue.ts'

test('a known model has figures, and its price a date', () => {
  expect(findFigures('anthropic', 'claude-haiku-4-5')).toEqual({
    cost: { input: 1, output: 5 },
    priceAsOf: catalogueDate,
    speed: 150,
    intelligence: 0.65,
    modalities: ['text', 'image'],
    tools: true,
    contextTokens: 200_000,
  })
})

test('a dated name is the same model, another name is not', () => {
  expect(
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5-latest', 'claude-haiku-4-50', 'claude-haiku'].map((name) => findFigures('anthropic', name).intelligence),
  ).toEqual([0.65, 0.65, undefined, undefined])
})

test('what is not known is missing, never zero', () => {
  expect(findFigures('openai', 'gpt-5.4')).not.toHaveProperty('contextTokens')
  expect(findFigures('anthropic', 'claude-haiku-5-5')).not.toHaveProperty('cost')
  expect(findFigures('acme', 'claude-haiku-4-5')).toEqual({})
})
