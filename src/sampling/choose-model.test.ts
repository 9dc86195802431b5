import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelPreferences } from '../protocol/index.ts'
import { chooseModel, type ModelNeeds } from './choose-model.ts'
import { nameOf, type Model } from './model.ts'

const large: Model = {
  provider: 'one',
  model: 'opus-9',
  cost: { input: 10, output: 50 },
  speed: 40,
  intelligence: 0.95,
  modalities: ['text', 'image'],
  tools: true,
  contextTokens: 1000,
}
const medium: Model = {
  provider: 'one',
  model: 'sonnet-9',
  cost: { input: 3, output: 15 },
  speed: 80,
  intelligence: 0.8,
  modalities: ['text', 'image'],
  tools: true,
  contextTokens: 1000,
}
const small: Model = {
  provider: 'two',
  model: 'Flash-2',
  cost: { input: 0.1, output: 0.4 },
  speed: 200,
  intelligence: 0.5,
  modalities: ['text', 'audio'],
  tools: true,
  contextTokens: 500,
}
const home: Model = { provider: 'home', model: 'qwen', speed: 20, intelligence: 0.3, local: true, contextTokens: 100 }
const unknown: Model = { provider: 'acme', model: 'x1' }
const all = [large, medium, small, home, unknown]

const ask: ModelNeeds = { inputTokens: 10, maxTokens: 10 }

function choose(models: readonly Model[], preferences: ModelPreferences = {}, request: Partial<ModelNeeds> = {}): string {
  const choice = chooseModel(models, preferences, { ...ask, ...request })
  return 'none' in choice ? `none: ${choice.none}` : nameOf(choice.model)
}

test.each<[string, readonly Model[], ModelPreferences, Partial<ModelNeeds>, string]>([
  ['nobody where there is no model', [], {}, {}, 'none: no-models'],
  ["the first of the user's list where nothing is said", all, {}, {}, 'one:opus-9'],
  ['only what can see', [home, unknown, medium], {}, { needs: ['image'] }, 'one:sonnet-9'],
  ['nobody where none can see, and says so', [home, small], {}, { needs: ['image'] }, 'none: image'],
  ['nobody where needs exclude each other: image is looked at first', [large, small], {}, { needs: ['audio', 'image'] }, 'none: audio'],
  ['nobody by unstated abilities', [unknown], {}, { needs: ['tools'] }, 'none: tools'],
  ['only what has room', [home, small], {}, { maxTokens: 400 }, 'two:Flash-2'],
  ['a model that is exactly full', [home, small], {}, { maxTokens: 90 }, 'home:qwen'],
  ['a cut answer over none', [home, small], {}, { maxTokens: 5000 }, 'home:qwen'],
  ['nobody where the question alone fills every window', [home], {}, { inputTokens: 100 }, 'none: context'],
  ['a window of unknown size', [home, unknown], {}, { inputTokens: 10_000 }, 'acme:x1'],
  ['the first hint that matches, in any case', all, { hints: [{ name: 'mistral' }, { name: ' FLASH ' }, { name: 'opus' }] }, {}, 'two:Flash-2'],
  ['a hint by provider/model', all, { hints: [{ name: 'home/qw' }] }, {}, 'home:qwen'],
  ['characters of a hint as themselves', all, { hints: [{ name: '.*9' }, {}, { name: ' ' }] }, {}, 'one:opus-9'],
  ['hints before priorities', all, { hints: [{ name: 'opus' }], costPriority: 1 }, {}, 'one:opus-9'],
  ['needs before hints', all, { hints: [{ name: 'opus' }] }, { needs: ['audio'] }, 'two:Flash-2'],
  ['an equivalent where no name matches', all, { hints: [{ name: 'gpt-4o-mini' }] }, {}, 'two:Flash-2'],
  ['a later direct match over an earlier equivalent', all, { hints: [{ name: 'gemini-flash-lite' }, { name: 'sonnet' }] }, {}, 'one:sonnet-9'],
  ['whole words of a niche only', all, { hints: [{ name: 'prototype' }] }, {}, 'one:opus-9'],
  ['the cheapest', all, { costPriority: 1 }, {}, 'home:qwen'],
  ['the fastest', all, { speedPriority: 0.1 }, {}, 'two:Flash-2'],
  ['the cleverest', all, { intelligencePriority: 1 }, {}, 'one:opus-9'],
  ['no unknown price', [unknown, large], { costPriority: 1 }, {}, 'one:opus-9'],
  ['no half price', [{ ...unknown, cost: { input: 0 } }, large], { costPriority: 1 }, {}, 'one:opus-9'],
  ['the order where scores are equal', [medium, { ...medium, provider: 'other' }], { costPriority: 1 }, {}, 'one:sonnet-9'],
])('it chooses %s', (_, models, preferences, request, expected) => {
  expect(choose(models, preferences, request)).toBe(expected)
})

test('the reason names each step that had a part in the choice', () => {
  const chosen = chooseModel(
    all,
    { hints: [{ name: 'gpt' }, { name: 'one' }], costPriority: 0.4, intelligencePriority: 0.4 },
    { needs: ['image'], inputTokens: 100, maxTokens: 5000 },
  )

  expect(chosen).toMatchObject({
    maxTokens: 900,
    why: 'one:opus-9; 2 of 5 can (image); answer cut to 900 tokens; hint "one" matches 2; cost 0.40, speed 0.00, intelligence 0.40: opus-9 0.50 before sonnet-9 0.50; first in your list',
  })
})

test('a hint is quoted in the reason, capped and without anything unseen', () => {
  const chosen = chooseModel([small], { hints: [{ name: `mini \u202e"\n\u0007${'x'.repeat(100)}` }] }, ask)

  expect(chosen).toMatchObject({ why: `two:Flash-2; hint "mini ·'··${'x'.repeat(51)}…" taken as small` })
})

test('unknown prices are said where price counts', () => {
  expect(chooseModel([unknown, large], { costPriority: 1 }, ask)).toMatchObject({ why: expect.stringContaining('price unknown: x1') as string })
})

test("the choice is one of the user's models, the same each time, and can do what is needed", () => {
  const figure = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined })
  const model = fc.record({
    provider: fc.constantFrom('a', 'b'),
    model: fc.constantFrom('opus', 'mini', 'x'),
    cost: fc.option(fc.record({ input: figure, output: figure }), { nil: undefined }),
    speed: figure,
    intelligence: figure,
    modalities: fc.option(fc.subarray(['text', 'image', 'audio']), { nil: undefined }),
    tools: fc.option(fc.boolean(), { nil: undefined }),
    contextTokens: fc.option(fc.nat(200), { nil: undefined }),
  })
  const priority = fc.double({ min: 0, max: 1, noNaN: true })
  const preferences = fc.record(
    { hints: fc.array(fc.record({ name: fc.string() })), costPriority: priority, speedPriority: priority, intelligencePriority: priority },
    { requiredKeys: [] },
  )
  const request = fc.record({ needs: fc.subarray(['image', 'audio', 'tools'] as const), inputTokens: fc.nat(100), maxTokens: fc.nat(300) })

  fc.assert(
    fc.property(fc.array(model), preferences, request, (models, wishes, needs) => {
      const chosen = chooseModel(models, wishes, needs)
      expect(chooseModel(models, wishes, needs)).toEqual(chosen)
      if ('none' in chosen) return
      expect(models).toContain(chosen.model)
      expect(chosen.maxTokens + needs.inputTokens).toBeLessThanOrEqual(chosen.model.contextTokens ?? Infinity)
    }),
  )
})
