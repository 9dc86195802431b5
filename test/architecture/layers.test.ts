import { expect, test } from 'vitest'
import { readSources, targetOf, type SourceFile } from './source-files.ts'

/** Top to bottom. Imports point down, never up and never sideways. */
const rows = [
  ['cli'],
  ['console-api', 'gateway'],
  ['host'],
  ['mcp', 'sandbox'],
  ['desk'],
  ['roots', 'elicitation', 'sampling'],
  ['inbox', 'clients'],
  ['policy', 'audit'],
  ['store'],
  ['paths'],
  ['protocol'],
  ['errors.ts'],
]
const sdkUsers = ['src/mcp/', 'src/gateway/', 'src/testing/']

const roomOf = (path: string): string => path.split('/')[1]!
const rowOf = (room: string): number => rows.findIndex((row) => row.includes(room))

test('every folder of src has its row', () => {
  const rooms = new Set(readSources('src', { tests: false }).map(({ path }) => roomOf(path)))

  expect([...rooms].filter((room) => rowOf(room) < 0 && !['testing', 'server-kit', 'index.ts'].includes(room))).toEqual([])
})

test('imports point down only, never sideways', () => {
  const wrong = readSources('src', { tests: false }).flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const target = targetOf(file, specifier)
      return target === undefined || isDownward(file, target) ? [] : [`${file.path} imports ${target}`]
    }),
  )

  expect(wrong).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  const files = ['src', 'console'].flatMap((folder) => readSources(folder, { tests: false }))
  const imports = new Map(files.map((file) => [file.path, file.imports.flatMap((specifier) => targetOf(file, specifier) ?? [])]))
  const isEnd = (path: string): boolean => !imports.get(path)?.some((target) => imports.has(target))

  let ends: readonly string[]
  do {
    ends = [...imports.keys()].filter(isEnd)
    for (const path of ends) imports.delete(path)
  } while (ends.length > 0)

  expect([...imports.keys()]).toEqual([])
})

test('only mcp, gateway and testing import the MCP SDK', () => {
  const wrong = readSources('src', { tests: false })
    .filter(({ path }) => !sdkUsers.some((folder) => path.startsWith(folder)))
    .filter(({ imports }) => imports.some((specifier) => specifier.startsWith('@modelcontextprotocol/')))

  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('the browser app knows nothing of us but the contract, and its root stays short', () => {
  const app = readSources('console', { tests: false })
  const reached = app.flatMap((file) => file.imports.flatMap((specifier) => targetOf(file, specifier) ?? []))

  expect([...new Set(reached.filter((target) => !target.startsWith('console/')))]).toEqual(['src/console-api/contract.ts'])
  expect(app.find(({ path }) => path === 'console/app.tsx')!.text.split('\n').length).toBeLessThan(150)
})

function isDownward({ path }: SourceFile, target: string): boolean {
  const from = roomOf(path)
  if (!target.startsWith('src/')) return false
  const to = roomOf(target)
  if (from === to) return true
  if (from === 'index.ts') return to !== 'cli'
  if (from === 'testing') return !['cli', 'testing'].includes(to)
  if (from === 'server-kit') return ['paths', 'protocol', 'errors.ts'].includes(to)
  return to !== 'index.ts' && rowOf(to) > rowOf(from)
}
