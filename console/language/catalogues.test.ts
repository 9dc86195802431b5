import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../test/architecture/source-files.ts'
import { en } from './en/index.ts'
import { ko } from './ko/index.ts'
import { preferredLanguage } from './load-catalogue.ts'
import { zh } from './zh/index.ts'

const others = { ko, zh }

/** Every sentence by its key; forms for one thing count as the others. */
function sentencesOf(tree: object, path: string = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' ? [[`${path}${name}`, value] as const] : [...sentencesOf(value as object, `${path}${name}.`)],
    ),
  )
}

const slotsOf = (sentence: string): readonly string[] => [...new Set([...sentence.matchAll(/\{\{(\w+)/gu)].map((match) => match[1]))].toSorted()

test.each(Object.entries(others))('every sentence is there in %s, and says the same things', (_, catalogue) => {
  const english = [...sentencesOf(en)].filter(([key]) => !key.endsWith('_one'))
  const translated = sentencesOf(catalogue)

  expect([...translated.keys()].toSorted()).toEqual(english.map(([key]) => key).toSorted())
  expect(english.filter(([key, sentence]) => slotsOf(sentence).join() !== slotsOf(translated.get(key)!).join()).map(([key]) => key)).toEqual([])
})

test('English has a form for one of everything that is counted', () => {
  const keys = [...sentencesOf(en).keys()]

  expect(keys.filter((key) => key.endsWith('_other') && !keys.includes(key.replace(/_other$/u, '_one')))).toEqual([])
})

test.each([
  ['ko', ko, /\p{Script=Hangul}/u],
  ['zh', zh, /\p{Script=Han}/u],
] as const)('no sentence stayed English in %s', (_, catalogue, letters) => {
  /** Slots, terms of the protocol and names of formats have no letters of the language. */
  const bare = [...sentencesOf(catalogue)].filter(([, sentence]) => !letters.test(sentence) && /\p{L}/u.test(sentence.replace(/\{\{[^}]*\}\}/gu, '')))

  expect(bare.filter(([, sentence]) => sentence !== 'token')).toEqual([])
})

test('every sentence of the catalogue is said somewhere', () => {
  const source = readdirSync(join(projectFolder, 'console'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !/language[/\\](en|ko|zh)[/\\]/u.test(name))
    .map((name) => readFileSync(join(projectFolder, 'console', name), 'utf8'))
    .join('\n')
  const said = (key: string): boolean => {
    const plain = key.replace(/_(one|other)$/u, '')
    if (source.includes(`'${plain}'`)) return true
    const parts = plain.split('.')
    return parts.some((_, index) => index > 0 && source.includes(`\`${parts.slice(0, index).join('.')}.\${`))
  }

  expect([...sentencesOf(en).keys()].filter((key) => !said(key))).toEqual([])
})

test('the language is the one that was chosen, or the first of the browser’s that we speak', () => {
  expect([preferredLanguage('zh', ['ko']), preferredLanguage(null, ['fr', 'ko-KR', 'en']), preferredLanguage('xx', ['de'])]).toEqual(['zh', 'ko', 'en'])
})
