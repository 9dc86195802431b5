import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['anthropic', 'openai', 'google', 'ollama', 'lmstudio']

test('a known name that is far too long to be meant costs nothing', () => {
  const long = Array.from({ length: 3 }, (_, index) => `${'x'.repeat(200_000)}${index}`)
  const began = performance.now()

  expect(nearestName('x'.repeat(60), [...long, 'x'.repeat(59)])).toBe('x'.repeat(59))
  expect(performance.now() - began).toBeLessThan(2000)
})

test.each([
  ['olama', 'ollama'],
  ['Ollama', 'ollama'],
  ['antropic', 'anthropic'],
  ['open-ai', 'openai'],
  ['lm-studio', 'lmstudio'],
  ['lab', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('who writes %j may have meant %s', (given, meant) => {
  expect(nearestName(given, known)).toBe(meant)
})
