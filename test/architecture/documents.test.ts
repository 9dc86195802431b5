import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/policy/index.ts'
import { projectFolder } from './source-files.ts'

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...markdownIn('docs'), ...markdownIn('demo/travel')]
const FENCE = /^```(?:ts|typescript)\n([\s\S]*?)^```$/gm
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g

test('every TypeScript example in the documents compiles', () => {
  const fences = new Map(
    documents.flatMap((name) =>
      [...readFileSync(join(projectFolder, name), 'utf8').matchAll(FENCE)].map((match, index): [string, string] => [
        join(projectFolder, 'src', `${name.replaceAll('/', '-')}.${index}.ts`),
        `${match[1]!}\nexport {}\n`,
      ]),
    ),
  )

  expect(faultsOf(fences)).toEqual([])
}, 240_000)

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap((name) =>
    [...readFileSync(join(projectFolder, name), 'utf8').matchAll(LINK)]
      .map((match) => match[1]!)
      .filter((target) => !existsSync(join(projectFolder, dirname(name), target)))
      .map((target) => `${name}: ${target}`),
  )

  expect(broken).toEqual([])
})

test('the document about model requests says that sampling is deprecated', () => {
  expect(readFileSync(join(projectFolder, 'docs/sampling.md'), 'utf8')).toContain('deprecates sampling')
})

test('what the document about model requests writes into a config is one', () => {
  const text = readFileSync(join(projectFolder, 'docs/sampling.md'), 'utf8')
  const configs = [...text.matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)

  expect(configs.map((config) => typeof parseConfig(config, 'config.jsonc', { home: '/h', directory: '/h/.c', platform: 'posix' }))).toEqual(
    configs.map(() => 'object'),
  )
  expect(configs.length).toBe(3)
})

function markdownIn(folder: string): readonly string[] {
  const path = join(projectFolder, folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`)
    : []
}

/** Type-checks texts as if they stood in the project, with `consentry` leading to its own sources. */
function faultsOf(files: ReadonlyMap<string, string>): readonly string[] {
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent(ts.readConfigFile(join(projectFolder, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config, ts.sys, projectFolder)
      .options,
    isolatedDeclarations: false,
    declaration: false,
    paths: { consentry: [join(projectFolder, 'src/index.ts')], 'consentry/*': [join(projectFolder, 'src/*/index.ts')] },
  }
  const host = ts.createCompilerHost(options)
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, version) => {
    const text = host.readFile(name)
    return text === undefined ? undefined : ts.createSourceFile(name, text, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && files.has(file.fileName))
    .map(({ file, messageText }) => `${file!.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
