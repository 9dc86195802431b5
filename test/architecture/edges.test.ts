import { expect, test } from 'vitest'
import { readSources } from './source-files.ts'

/** The edges: everything else gets disk, clock, ids and randomness passed in. */
const nodeAllowed = [
  'src/cli/',
  'src/console-api/app-files.ts',
  'src/elicitation/match-pattern.ts',
  'src/gateway/begun-line.ts',
  'src/gateway/line-feed.ts',
  'src/gateway/server-process.ts',
  'src/gateway/streams.ts',
  'src/mcp/patient-fetch.ts',
  'src/mcp/stdio-transport.ts',
  'src/paths/anchor.ts',
  'src/paths/descriptor.ts',
  'src/paths/node-disk.ts',
  'src/paths/open-anchor.ts',
  'src/paths/prober.ts',
  'src/sandbox/machine.ts',
  'src/store/digest.ts',
  'src/store/private-files.ts',
  'src/store/record-file.ts',
  'src/store/sqlite-dialect.ts',
  'src/store/swap-file.ts',
]

test('node: imports stay at the edges', () => {
  const users = readSources('src', { tests: false }).filter(({ imports }) => imports.some((specifier) => specifier.startsWith('node:')))

  expect(users.map(({ path }) => path).filter((path) => !nodeAllowed.some((edge) => path.startsWith(edge)))).toEqual([])
})

test('only the command line reads the environment and the arguments of the process', () => {
  const readers = readSources('src', { tests: false }).filter(({ text }) => /\bprocess\.(env|argv)\b/.test(text))

  expect(readers.map(({ path }) => path).filter((path) => !path.startsWith('src/cli/'))).toEqual([])
})

test('no file has more than 400 lines', () => {
  const files = ['src', 'console', 'demo', 'test', 'bench', 'examples'].flatMap((folder) => readSources(folder, { tests: true }))

  expect(files.filter(({ text }) => text.split('\n').length > 401).map(({ path }) => path)).toEqual([])
})

test('paths are compared in one room only', () => {
  const users = readSources('src', { tests: false }).filter(({ text }) => /\b(root|folder|directory|file)(path|name)?\.startsWith\(/i.test(text))

  expect(users.map(({ path }) => path).filter((path) => !path.startsWith('src/paths/'))).toEqual([])
})
