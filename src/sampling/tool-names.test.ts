import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SamplingRequest } from '../protocol/index.ts'
import { mapToolNames } from './tool-names.ts'

function offer(...names: readonly string[]): SamplingRequest {
  return { messages: [], maxTokens: 1, tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
}

test('a fit name stays, also where another one becomes like it', () => {
  const names = mapToolNames(offer('look up', 'look_up', 'look!up'))

  expect(['look up', 'look_up', 'look!up'].map((name) => names.toProvider(name))).toEqual(['look_up-2', 'look_up', 'look_up-3'])
})

test('every name is taken by providers, no two are one, and each leads back', () => {
  const name = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), fc.constantFrom('_', '_-2', '!', '?', 'constructor', '__proto__'))

  fc.assert(
    fc.property(fc.uniqueArray(name), (given) => {
      const names = mapToolNames(offer(...given))
      const fitted = given.map((one) => names.toProvider(one))
      expect(fitted.filter((one) => !/^[A-Za-z0-9_-]{1,64}$/.test(one))).toEqual([])
      expect(new Set(fitted).size).toBe(given.length)
      expect(fitted.map((one) => names.fromProvider(one))).toEqual(given)
    }),
  )
})

test('a hundred thousand names that become alike cost no more than as many that do not', () => {
  const alike = Array.from({ length: 100_000 }, (_, index) => String.fromCodePoint(0x20000 + index))
  const start = process.cpuUsage()

  mapToolNames(offer(...alike))

  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
})
