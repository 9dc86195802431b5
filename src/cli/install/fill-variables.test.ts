import { expect, test } from 'vitest'
import { fillVariables } from './fill-variables.ts'

const sources = { environment: { TOKEN: 'secret', EMPTY: '' }, home: '/home/ada', folder: '/work/trip' }

test.each([
  ['plain', 'plain'],
  ['Bearer ${TOKEN}', 'Bearer secret'],
  ['${env:TOKEN}', 'secret'],
  ['${GONE:-https://x.example}', 'https://x.example'],
  ['${EMPTY:-a}', 'a'],
  ['${workspaceFolder}/x', '/work/trip/x'],
  ['${workspaceFolderBasename}', 'trip'],
  ['${userHome}', '/home/ada'],
  ['${input:token}', undefined],
  ['${command:pick}', undefined],
  ['${GONE}', undefined],
  ['${constructor}', undefined],
  ['${TOKEN} ${input:token}', undefined],
  ['${', '${'],
])('%s is filled in as its client would, as far as that can be known', (text, filled) => {
  expect(fillVariables(text, sources)).toBe(filled)
})
