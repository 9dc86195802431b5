import { expect, test } from 'vitest'
import { en } from '../../console/language/en/index.ts'
import { ko } from '../../console/language/ko/index.ts'
import { zh } from '../../console/language/zh/index.ts'
import { english, englishUrlMessages } from '../../src/elicitation/index.ts'
import { folderConcerns, pathProblems } from '../../src/paths/index.ts'
import { englishAskMessages } from '../../src/policy/index.ts'
import { englishRootMessages } from '../../src/roots/index.ts'

const sentences: readonly string[] = [
  'pattern-skipped',
  ...Object.keys(englishUrlMessages),
  ...Object.keys(englishRootMessages),
  ...Object.keys(englishAskMessages),
  ...Object.keys(folderConcerns).map((concern) => `concern-${concern}`),
  ...Object.keys(pathProblems).map((problem) => `path-${problem}`),
]

test('every key is one sentence: no two rooms use the same', () => {
  expect(sentences.filter((key, index) => sentences.indexOf(key) !== index)).toEqual([])
})

test.each(Object.entries({ en, ko, zh }))('every sentence and every fault of a field can be said in %s', (_, { phrases, form }) => {
  const missing = sentences.filter((key) => !Object.hasOwn(phrases, key))
  const faults = Object.keys(english.faults).filter((problem) => !Object.hasOwn(form.faults, problem))
  expect({ missing, faults }).toEqual({ missing: [], faults: [] })
})
