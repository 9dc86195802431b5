import i18next from 'i18next'
import { expect, test } from 'vitest'
import { addParticles, withParticle } from './korean-particles.ts'

test.each([
  ['서버', '을를', '서버를'],
  ['파일', '을를', '파일을'],
  ['파일', '으로로', '파일로'],
  ['폴더', '으로로', '폴더로'],
  ['양식', '으로로', '양식으로'],
  ['사람', '와과', '사람과'],
  ['1,500', '을를', '1,500을'],
  ['gpt-4', '이가', 'gpt-4가'],
  ['travel', '이가', 'travel이'],
  ['travel', '으로로', 'travel로'],
  ['filesystem', '은는', 'filesystem은'],
  ['everything', '은는', 'everything은'],
  ['cursor', '은는', 'cursor는'],
  ['"메모"', '이가', '"메모"가'],
  ['client', '이가', 'client이(가)'],
  ['', '을를', '을(를)'],
  ['…', '으로로', '…(으)로'],
])('%s takes %s as it is spoken', (word, pair, said) => {
  expect(withParticle(word, pair)).toBe(said)
})

test('what a server wrote is not touched, also where it looks like a particle', async () => {
  const words = i18next.createInstance()
  await words.init({ lng: 'ko', resources: { ko: { translation: { ask: '{{server, 이가}} 묻습니다: {{message}}' } } }, interpolation: { escapeValue: false } })
  addParticles(words.services.formatter)

  expect(words.t('ask', { server: 'travel', message: '값을(를) {{server, 이가}}' })).toBe('travel이 묻습니다: 값을(를) {{server, 이가}}')
})
