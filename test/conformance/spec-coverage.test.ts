import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const REQUIREMENTS = 121
/** From here on everything is tested; what is owed stands beside it. */
const FIRST_OF_ROUNDS = 108

interface Row {
  readonly number: number
  readonly tests: readonly { readonly file: string; readonly name: string }[]
  readonly later: readonly string[]
  readonly unreadable: readonly string[]
}

const rows = [...readFileSync(join(projectFolder, 'docs/spec-coverage.md'), 'utf8').matchAll(/^\| R(\d+) \| .+ \| (.+) \|$/gm)].map(([, number, cell]) =>
  readRow(Number(number), cell!),
)

function readRow(number: number, cell: string): Row {
  const entries = cell.split('<br>').map((entry) => ({ entry, test: /^`([^`]+)`: (.+)$/.exec(entry), later: /^later: (.+)$/.exec(entry) }))
  return {
    number,
    tests: entries.flatMap(({ test: named }) => (named ? [{ file: named[1]!, name: named[2]! }] : [])),
    later: entries.flatMap(({ later }) => (later ? [later[1]!] : [])),
    unreadable: entries.flatMap(({ entry, test: named, later }) => (named || later ? [] : [entry])),
  }
}

/** The names of the tests in a file, as they are written; placeholders stay placeholders. */
function testNamesIn(file: string): ReadonlySet<string> {
  const path = join(projectFolder, file)
  if (!existsSync(path)) return new Set()
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const [title, body] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : []
    if (title && body && ts.isStringLiteralLike(title)) names.add(title.text)
    if (title && body && ts.isTemplateExpression(title)) names.add(title.getText().slice(1, -1))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true))
  return names
}

/** `test`, `test.skipIf(…)`, `test.each(…)` and the like. */
function isTest(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === 'test'
  return (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) && isTest(called.expression)
}

test('every requirement has its row, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: REQUIREMENTS }, (_, index) => index + 1))
})

test('every row names tests, or says what is owed', () => {
  expect(rows.flatMap(({ unreadable }) => unreadable)).toEqual([])
})

test('every test that is named exists', () => {
  const files = new Map([...new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))].map((file) => [file, testNamesIn(file)]))
  const missing = rows.flatMap(({ number, tests }) =>
    tests.filter(({ file, name }) => !files.get(file)?.has(name)).map(({ file, name }) => `R${number}: ${file}: ${name}`),
  )

  expect(missing).toEqual([])
})

test('every requirement of the rounds of 2026-07-28 is tested', () => {
  expect(rows.filter(({ number, tests }) => number >= FIRST_OF_ROUNDS && tests.length === 0)).toEqual([])
})
