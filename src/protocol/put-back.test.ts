import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasPutBack, putBack, takeOut } from './put-back.ts'
import type { SamplingRequest, TextBlock } from './sampling.ts'

const text = (words: string): TextBlock => ({ type: 'text', text: words })
const asking = (words: string, systemPrompt?: string): SamplingRequest => ({
  messages: [{ role: 'user', content: [text(words)] }],
  systemPrompt,
  maxTokens: 100,
})
const wordsOf = ({ messages: [message] }: SamplingRequest): string => (message!.content[0] as TextBlock).text

const taken = 'user=ann password=[redacted:password] card [redacted:card], and [redacted:password] again'
const original = 'user=ann password=hunter22 card 4111 1111 1111 1111, and opensesame again'
const pair = { taken: asking(taken), original: asking(original) }

test.each([
  ['nothing', taken, original],
  ['what stands before', `Please: ${taken}`, `Please: ${original}`],
  ['what stands behind', `${taken}. Thanks`, `${original}. Thanks`],
  ['both', `Please: ${taken}. Thanks`, `Please: ${original}. Thanks`],
  ['what stands between', taken.replace('card', 'card number'), original.replace('card', 'card number')],
  ['a mark, which goes', taken.replace('card [redacted:card], and ', ''), 'user=ann password=hunter22 opensesame again'],
  ['the order', 'card [redacted:card], password=[redacted:password]', 'card 4111 1111 1111 1111, password=hunter22'],
  ['nearly everything', 'only [redacted:card]', 'only 4111 1111 1111 1111'],
  ['everything', 'nothing of it', 'nothing of it'],
])('what was taken out is put back where its mark still stands, whoever changed %s', (_what, edited, expected) => {
  expect(wordsOf(putBack(asking(edited), pair))).toBe(expected)
})

test.each([
  ['nothing', original, taken],
  ['what stands before and behind', `Please: ${original}. Thanks`, `Please: ${taken}. Thanks`],
  ['a secret, which goes', original.replace('hunter22', ''), taken.replace('[redacted:password] card', ' card')],
  ['a part of a secret: the text is as it was first', original.replace('opensesame', 'opensesa me'), taken],
  ['that it is there twice: the text is as it was first', `hunter22 ${original} hunter22`, taken],
])('what was put back is taken out again, whoever changed %s', (_what, edited, expected) => {
  expect(wordsOf(takeOut(asking(edited), pair))).toBe(expected)
})

const key = '-----BEGIN KEY----- ABCD EFGH IJKL -----END KEY-----'
const twice = { original: `one ${key} two ${key} three`, taken: 'one [redacted:private-key] two [redacted:private-key] three' }

test.each([
  ['one of two copies was cut', twice, twice.original.replace('BEGIN', 'BEGI'), twice.taken],
  ['both ends of a secret were changed', { original: key, taken: '[redacted:private-key]' }, ` ${key.slice(0, -4)}please ---`, '[redacted:private-key]'],
  ['a copy was typed elsewhere, with the marks still there', twice, `${twice.taken} and ${key}`, `${twice.taken} and [redacted:private-key]`],
])('no secret stays where %s', (_what, text, edited, expected) => {
  const both = { taken: asking(text.taken), original: asking(text.original) }

  expect([wordsOf(takeOut(asking(edited), both)), hasPutBack(asking(edited), both)]).toEqual([expected, true])
})

test('it is known whether something is in it again, whatever was changed around it', () => {
  const texts = [taken, `Please: ${taken}`, 'all is gone', original, `Please: ${original}`, original.replace('hunter22', '[redacted:password]')]
  expect(texts.map((words) => hasPutBack(asking(words), pair))).toEqual([false, false, false, true, true, true])
})

test('what nobody can change comes as it was: arguments and results of tools, tools, the system prompt', () => {
  const request = (secret: string): SamplingRequest => ({
    systemPrompt: `key: ${secret}`,
    messages: [
      { role: 'user', content: [text('Look')] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: { token: secret } }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: secret }] }] },
    ],
    tools: [{ name: 'look', description: `with ${secret}`, inputSchema: { type: 'object' } }],
    maxTokens: 100,
  })
  const both = { taken: request('[redacted:npm-token]'), original: request('npm_EXAMPLE') }
  const edited = { ...both.taken, maxTokens: 50, messages: [{ role: 'user' as const, content: [text('Look twice')] }, ...both.taken.messages.slice(1)] }
  const expected = { ...both.original, maxTokens: 50, messages: [{ role: 'user', content: [text('Look twice')] }, ...both.original.messages.slice(1)] }

  expect([putBack(edited, both), takeOut(putBack(edited, both), both), hasPutBack(edited, both), hasPutBack(putBack(edited, both), both)]).toEqual([
    expected,
    edited,
    false,
    true,
  ])
})

const words = fc.constantFrom('', ' ', 'a', 'pay with ', ', ', 'user=', '[redacted:card]', '\n')
const secret = fc.constantFrom('hunter22', '4111 1111', 'a', 'user=', 'pay with , a', '[redacted', 'ᄒ안녕')

const typed = fc.constantFrom('', ' ', 'a', 'please ', 'hunter22', '\n')

test('put back and taken out, a text is as it was, and no edit before or behind is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(words, secret), { minLength: 1, maxLength: 5 }), words, typed, typed, (pieces, end, before, behind) => {
      const join = (of: (secret: string) => string): string => pieces.map(([between, what]) => between + of(what)).join('') + end
      const both = { taken: asking(join(() => '[redacted:password]')), original: asking(join((what) => what)) }
      expect(wordsOf(putBack(both.taken, both))).toBe(wordsOf(both.original))
      expect(wordsOf(takeOut(both.original, both))).toBe(wordsOf(both.taken))
      const edited = wordsOf(putBack(asking(`>${before}${wordsOf(both.taken)}${behind}<`), both))
      expect(edited.startsWith(`>${before}`) && edited.endsWith(`${behind}<`)).toBe(true)
    }),
  )
})
