import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { englishUrlMessages } from '../../src/elicitation/url-warnings.ts'
import { errorCodes } from '../../src/errors.ts'
import { folderConcerns, pathProblems } from '../../src/paths/index.ts'
import { englishAskMessages } from '../../src/policy/index.ts'
import { englishRootMessages } from '../../src/roots/root-phrase.ts'
import { failureKeys } from '../../src/sampling/model-failure.ts'
import { projectFolder } from '../../test/architecture/source-files.ts'
import { en } from './en/index.ts'

const source = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(projectFolder, 'src', name), 'utf8'))
  .join('\n')

test('every sentence that the desk names by key is in the catalogue', () => {
  const ofModels = [...source.matchAll(/\bphrase\(\s*'([a-z-]+)'/gu)].map((match) => match[1])
  const keys = [
    ...Object.keys({ ...englishAskMessages, ...englishRootMessages, ...englishUrlMessages }),
    ...Object.keys(folderConcerns).map((concern) => `concern-${concern}`),
    ...Object.keys(pathProblems).map((problem) => `path-${problem}`),
    ...ofModels,
    ...failureKeys,
    'pattern-skipped',
    'still-streaming',
    'folders-unreadable',
    'folder-unconfirmed',
    'config-invalid',
    'concern',
  ]

  expect(ofModels.length).toBeGreaterThan(25)
  expect(keys.filter((key) => !Object.hasOwn(en.phrases, key))).toEqual([])
})

test('every error of ours is explained in the catalogue', () => {
  expect(Object.keys(en.faults).toSorted()).toEqual([...errorCodes].toSorted())
})

test('the reasons that are told in our words are those that the desk gives', () => {
  const words = readFileSync(join(projectFolder, 'console/inbox/withdrawn-reason.tsx'), 'utf8')
  const reasons = [...words.matchAll(/^ {2}'([^']+)': '[a-z-]+',$/gmu)].map((match) => match[1])

  expect(reasons.length).toBeGreaterThan(4)
  expect(reasons.filter((reason) => !source.includes(`'${reason}'`))).toEqual([])
})
