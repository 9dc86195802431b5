import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { en } from './en/index.ts'
import { ko } from './ko/index.ts'
import { sayOutcome } from './say-outcome.ts'
import { zh } from './zh/index.ts'

const outcomes = [
  'answered',
  'refused',
  'done',
  'error',
  'cancelled',
  'nobody',
  'timed-out',
  'withdrawn',
  'desk-closed',
  'too-many-waiting',
  'muted',
  'approve',
  'grant',
]

test.each([
  ['en', en],
  ['ko', ko],
  ['zh', zh],
])('every outcome has words in %s, and what has none is said in English only', async (language, translation) => {
  const own = createInstance()
  await own.init({ lng: language, resources: { [language]: { translation } }, fallbackLng: false })

  const words = outcomes.map((outcome) => sayOutcome(own, outcome))

  expect(words.filter((word) => word === '' || (language !== 'en' && /[a-z]/iu.test(word)))).toEqual([])
  expect(sayOutcome(own, 'the client cancelled its request')).toBe(language === 'en' ? 'the client cancelled its request' : '')
})
