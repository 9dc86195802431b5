import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extendsTurbo, hasMavenModules, readCargoWorkspace, readGoWork, readNpmWorkspaces, readPnpmWorkspace, readUvWorkspace } from './workspace-files.ts'

test.each([
  ['{"workspaces":["a","b/*",7]}', { members: ['a', 'b/*'] }],
  ['{"workspaces":{"packages":["a"]}}', { members: ['a'] }],
  ['{"workspaces":{"nohoist":[]}}', {}],
  ['{"workspaces":[]}', { members: [] }],
  ['{"name":"x"}', undefined],
  ['{"workspaces":null}', undefined],
  ['{"__proto__":{"workspaces":["a"]}}', undefined],
  ['["workspaces"]', undefined],
  ['{ "name": ', undefined],
])('npm: %s', (text, expected) => {
  expect(readNpmWorkspaces(text)).toEqual(expected)
})

test.each([
  ['packages:\n  - "a/*"\n  - \'b\' # comment\n\n  # - no\n  - c\ncatalog:\n  - d\n', { members: ['a/*', 'b', 'c'] }],
  ['packages:\r\n- a\r\n- "!b"\r\n', { members: ['a', '!b'] }],
  ['packages: ["a/*", b]\n', { members: ['a/*', 'b'] }],
  ['packages: [ # all\n  "a",\n  b, # last\n]\nother: [c]\n', { members: ['a', 'b'] }],
  ['packages: []\n', { members: [] }],
  ['packages:\ncatalog: {}\n', {}],
  ['catalog:\n  packages:\n    - a\n', {}],
  ['', {}],
])('pnpm: %j', (text, expected) => {
  expect(readPnpmWorkspace(text)).toEqual(expected)
})

test.each([
  ['go 1.24\n\nuse ./api\nuse "./my cli" // tool\n', { members: ['./api', './my cli'] }],
  ['use (\n\t./api // the api\n\t// ./no\n\t.\n)\nreplace (\n\tx => ./y\n)\n', { members: ['./api', '.'] }],
  ['go 1.24\n', {}],
])('go: %j', (text, expected) => {
  expect(readGoWork(text)).toEqual(expected)
})

test.each([
  ['[workspace]\nmembers = ["crates/*", \'x\'] # all\nexclude = ["crates/old"]\n', { members: ['crates/*', 'x'], excluded: ['crates/old'] }],
  ['[package]\nname = "a"\n[workspace]\n', {}],
  ['[ workspace ]\nmembers = [\n  "a", # "no"\n  # "no",\n  "b]c",\n]\n', { members: ['a', 'b]c'] }],
  ['workspace = { resolver = "2", members = ["a"] }\n', { members: ['a'] }],
  ['workspace.members = ["a"]\n', { members: ['a'] }],
  ['[workspace.dependencies]\nmembers = ["no"]\n', {}],
  ['[workspaces]\nmembers = ["no"]\n', undefined],
  ['[package]\ndescription = """\n[workspace]\nmembers = ["a"]\n"""\n', undefined],
  ['# [workspace]\n[package]\nname = "[workspace]"\n', undefined],
  ['[[workspace]]\n', undefined],
])('cargo: %j', (text, expected) => {
  expect(readCargoWorkspace(text)).toEqual(expected)
})

test.each([
  ['[tool.uv.workspace]\nmembers = ["packages/*"]\n', { members: ['packages/*'] }],
  ['[tool.uv]\nworkspace = { members = ["a"], exclude = ["b"] }\n', { members: ['a'], excluded: ['b'] }],
  ['[tool."uv"]\nworkspace.members = ["a"]\n', { members: ['a'] }],
  ['[tool.uv]\ndev-dependencies = []\n', undefined],
  ['[workspace]\nmembers = ["a"]\n', undefined],
])('uv: %j', (text, expected) => {
  expect(readUvWorkspace(text)).toEqual(expected)
})

test('turbo and maven are told from their look-alikes', () => {
  expect([extendsTurbo('{"extends":["//"]}'), extendsTurbo('{"tasks":{}}'), extendsTurbo('{ // note\n "extends": ["//"] }')]).toEqual([true, false, true])
  expect([
    hasMavenModules('<project><modules>\n<module>core</module></modules></project>'),
    hasMavenModules('<project><!-- <modules><module>core</module></modules> --></project>'),
    hasMavenModules('<project><modules/></project>'),
  ]).toEqual([true, false, false])
})

test('no text makes a reader fail, or slow', () => {
  const readers = [readNpmWorkspaces, readPnpmWorkspace, readGoWork, readCargoWorkspace, readUvWorkspace, extendsTurbo, hasMavenModules]
  const fragments = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '"""',
    '#',
    '\n',
    ' ',
    '\\',
    '=',
    'members',
    'workspace',
    'tool.uv',
    'use',
    '(',
    '- ',
    'packages:',
    '<!--',
    '<modules>',
  )
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 60 }), (parts) => {
      for (const read of readers) read(parts.join(''))
    }),
  )

  for (const part of ['[', '"', "'", '"""', '\\', ' ', '=', 'a', '"a', 'members=[', '{members = ', '[workspace]\nmembers = [', '<!--', '<modules>', '#\n']) {
    for (const read of readers) read(part.repeat(100_000 / part.length))
    for (const read of readers) read(`[workspace]\nx = {${part.repeat(50_000 / part.length)}`)
    for (const read of readers) read(`workspace = {${part.repeat(50_000 / part.length)}`)
  }
})
