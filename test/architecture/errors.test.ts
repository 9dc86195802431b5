import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes } from '../../src/errors.ts'
import { projectFolder, readSources } from './source-files.ts'

const rows = [...readFileSync(join(projectFolder, 'docs/errors.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]!)

test('every error code has exactly one row in docs/errors.md', () => {
  expect(rows.toSorted()).toEqual([...errorCodes].toSorted())
})

test('every error code is used', () => {
  const text = readSources('src', { tests: false })
    .filter(({ path }) => path !== 'src/errors.ts')
    .map((file) => file.text)
    .join('\n')

  expect(errorCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([])
})

test('the numbers of JSON-RPC errors live in mcp/wire-error.ts only', () => {
  const users = readSources('src', { tests: false }).filter(({ text }) => /-32[0-9]{3}\b/.test(text.replaceAll(/^\s*(\*|\/\/|\/\*\*).*$/gm, '')))

  expect(users.map(({ path }) => path)).toEqual(['src/mcp/wire-error.ts'])
})
