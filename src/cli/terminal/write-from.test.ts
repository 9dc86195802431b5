import { expect, test } from 'vitest'
import { scriptPrompts } from './scripted-prompts.ts'
import { writeFrom } from './write-from.ts'

const { signal } = new AbortController()

test.each(['\u001b]0;PWN\u0007', '\u009b31m', 'a\u202eb', 'x\u2800', 'two\nlines'])(
  'rule 3: a default with hidden signs (%j) is never put on the input line',
  async (initial) => {
    const typed: unknown[] = []
    const { prompts, shown } = scriptPrompts(['new', 'typed'])
    const write: typeof prompts.write = (question, options) => {
      typed.push(options.initial)
      return prompts.write(question, options)
    }

    const text = await writeFrom({ ...prompts, write }, 'Name', { initial, kind: 'line', signal })

    expect({ text, typed, isShownRaw: shown.join().includes(initial) && initial !== 'two\nlines' }).toEqual({
      text: 'typed',
      typed: [undefined],
      isShownRaw: false,
    })
  },
)

test('such a text can be taken as it is', async () => {
  const { prompts } = scriptPrompts(['keep'])

  expect(await writeFrom(prompts, 'Name', { initial: 'a\u200bb', kind: 'line', signal })).toBe('a\u200bb')
})

test('a plain default stands on the line, to be edited', async () => {
  const { prompts } = scriptPrompts(['edited'])

  expect(await writeFrom(prompts, 'Name', { initial: '서울 🏙️', kind: 'line', signal })).toBe('edited')
})
