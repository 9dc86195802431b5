import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['anthropic', 'openai', 'google', 'ollama', 'lmstudio']

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
