import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { projectFolder } from './source-files.ts'

const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { exports: Record<string, { default: string } | string> }
const doors = Object.entries(manifest.exports).flatMap(([door, target]) => (typeof target === 'string' ? [] : [{ door, source: sourceOf(door) }]))

test('what the package exports is what this list says', async () => {
  const program = ts.createProgram(
    doors.map(({ source }) => source),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
  )
  const checker = program.getTypeChecker()
  const lines = doors.flatMap(({ door, source }) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(source)!)!
    const names = checker.getExportsOfModule(symbol).map(({ name }) => name)
    return [door, ...names.toSorted().map((name) => `  ${name}`)]
  })

  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('doors.snapshot.txt')
  // The whole project is compiled for it, on whatever machine.
}, 180_000)

test('a door says what it exports by name', () => {
  const stars = doors.filter(({ source }) => /^export \*/m.test(readFileSync(source, 'utf8')))

  expect(stars).toEqual([])
})

function sourceOf(door: string): string {
  return join(projectFolder, 'src', door === '.' ? 'index.ts' : `${door.slice(2)}/index.ts`)
}
