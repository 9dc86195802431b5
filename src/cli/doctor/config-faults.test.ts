import { expect, test } from 'vitest'
import { findConfigFaults } from './config-faults.ts'

const faults = (text: string): readonly string[] =>
  findConfigFaults(text, 'c', { home: '/home/ada', directory: '/state', platform: 'posix' }).map(({ message }) => message)

test('a sound config has no fault', () => {
  expect(faults('\uFEFF{ "rules": [], /* none */ }')).toEqual([])
})

test('every part that is wrong is named with its place, the rest of the file notwithstanding', () => {
  const text = `{
  "mcpServers": {
    "a": { "command": "a" }, // fine
    "b": { "comand": "b" },
    "c": { "url": "ftp://x" }
  },
  "roots": { "*": [{ "path": 7 }] },
  "models": [{ "provider": "ollama", "model": "m" }, { "provider": "x" }],
  "unknown": 1,
}
`

  expect(faults(text).map((fault) => fault.split(' ')[0])).toEqual(['c:4:12', 'c:5:12', 'c:7:22', 'c:8:54', 'c:9:3'])
})

test.each([
  ['{ "a": ', 'c:1:8'],
  ['', 'c:1:1'],
  ['{"rules": [], "rules": []}', 'c:1:15'],
  ['[]', 'c:1:1'],
])('what is wrong with the text itself is one fault: %s', (text, place) => {
  expect(faults(text).map((fault) => fault.split(' ')[0])).toEqual([place])
})
