import { expect, test } from 'vitest'
import { expandVariables } from './expand-variables.ts'

const environment = { TOKEN: 'secret-1', EMPTY: '', MONEY: '$& ${TOKEN}' }

test.each([
  ['Bearer ${TOKEN}', 'Bearer secret-1'],
  ['${env:TOKEN}${TOKEN}', 'secret-1secret-1'],
  ['${EMPTY}', ''],
  ['${ABSENT:-a default}', 'a default'],
  ['${EMPTY:-other}', 'other'],
  ['${TOKEN:-other}', 'secret-1'],
  ['${MONEY}', '$& ${TOKEN}'],
  ['$TOKEN and $(TOKEN) and {TOKEN}', '$TOKEN and $(TOKEN) and {TOKEN}'],
])('%s becomes %s', (text, expanded) => {
  expect(expandVariables(text, environment, 'here')).toBe(expanded)
})

test.each([
  ['${ABSENT}', 'models[0].apiKey needs the environment variable ABSENT, which is not set'],
  ['${toString}', 'models[0].apiKey needs the environment variable toString, which is not set'],
  ['${input:token}', 'models[0].apiKey: only ${NAME} of an environment variable can be used here'],
])('%s is refused, and no value is told', (text, message) => {
  expect(() => expandVariables(text, environment, 'models[0].apiKey')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }))
})
