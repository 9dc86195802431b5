import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasMarkLeft, hasPutBack, putBack, takeOut } from './put-back.ts'
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
  ['both ends, and words between', `Please: ${taken.replace('card', 'the card')}. Thanks`, `Please: ${original.replace('card', 'the card')}. Thanks`],
  ['all words', '[redacted:password] [redacted:card] [redacted:password]', '[redacted:password] 4111 1111 1111 1111 [redacted:password]'],
  [
    'so much that nobody can tell which of two it is',
    'card [redacted:card], password=[redacted:password]',
    'card 4111 1111 1111 1111, password=[redacted:password]',
  ],
  ['nothing of it, but has copied a part', `${taken} ${taken}`, `${taken} ${taken}`],
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

const M = '[redacted:card]'
const literally = (words: string): string => words.replaceAll(/[\\[\]().*+?^${}|]/g, String.raw`\$&`)

test.each([
  ['one of two that follow each other', `${M}${M}`, 'onetwo', M, M],
  ['one of two between the same words', `a ${M} b ${M} c`, 'a one b two c', `a ${M} c`, `a ${M} c`],
  ['a word between two that could be cut in two ways', `x ${M} a ${M} y`, 'x one a two a three y', `x ${M} and ${M} y`, `x ${M} and ${M} y`],
  ['which of two words stands where', `user=${M} pin=${M}`, 'user=one pin=two', `pin=${M} user=${M}`, `pin=${M} user=${M}`],
  ['a word before them', `x ${M} a ${M} y`, 'x one a two a three y', `z ${M} a ${M} y`, 'z one a two a three y'],
  ['a word beside a mark that the server wrote itself', `see ${M} card ${M}`, `see ${M} card 4111`, `look at ${M} card ${M}`, `look at ${M} card 4111`],
  ['the mark that the server wrote itself, which goes', `see ${M} card ${M}`, `see ${M} card 4111`, `card ${M}`, 'card 4111'],
])('no secret comes to stand where it was not, whoever changed %s', (_what, from, to, edited, expected) => {
  const both = { taken: asking(from), original: asking(to) }
  const back = putBack(asking(edited), both)

  expect(wordsOf(back)).toBe(expected)
  expect([hasMarkLeft(back, both), hasPutBack(back, both)]).toEqual([expected === edited, expected !== edited])
})

test('a text whose parts cannot be told from each other is taken out again as a whole', () => {
  const both = { taken: asking(`x ${M} a ${M} y`), original: asking('x one a two a three y') }
  const texts = ['please: x one a two a three y', 'x one a two of three y', 'x a y'].map((words) => asking(words))

  expect(texts.map((edited) => [wordsOf(takeOut(edited, both)), hasPutBack(edited, both)])).toEqual([
    [`please: x ${M} a ${M} y`, true],
    [`x ${M} a ${M} y`, true],
    ['x a y', false],
  ])
})

test('whatever is changed around them or goes, a mark becomes its own secret or stays a mark', () => {
  const piece = fc.record({
    before: fc.constantFrom('', ' ', 'a', ' a ', ', '),
    inner: fc.constantFrom('', ' ', 'a', ' a ', ', '),
    change: fc.constantFrom('', '', 'a', ' new '),
    stays: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', ' ', 'a'), (pieces, end) => {
      const secretOf = (index: number): string => `<${index}${pieces[index]!.inner}${index}>`
      const join = (of: (index: number) => string): string => pieces.map(({ before }, index) => before + of(index)).join('') + end
      const both = { taken: asking(join(() => M)), original: asking(join(secretOf)) }
      const left = pieces.map(({ before, change, stays }, index) => ({ words: before + change, mark: stays ? index : undefined }))
      const edited = left.map(({ words: kept, mark }) => kept + (mark === undefined ? '' : M)).join('') + end

      const allowed = left
        .map(({ words: kept, mark }) => literally(kept) + (mark === undefined ? '' : `(?:${literally(M)}|${literally(secretOf(mark))})`))
        .join('')
      expect(wordsOf(putBack(asking(edited), both))).toMatch(new RegExp(`^${allowed}${literally(end)}$`))
    }),
    { numRuns: 2000 },
  )
})

const send = { taken: `send ${M} to bank\nsend ${M} to shop`, original: 'send one to bank\nsend two to shop' }
const keys = { taken: `prod key ${M} ok\nstaging key ${M} ok\nend`, original: 'prod key one ok\nstaging key two ok\nend' }
const alike = { taken: `key: ${M}\nkey: ${M}\nkey: ${M}\nPlease look.`, original: 'key: one\nkey: two\nkey: three\nPlease look.' }

test.each([
  ['lines were turned round', send, `send ${M} to shop\nsend ${M} to bank`, `send ${M} to shop\nsend ${M} to bank`],
  ['lines with the words before them were turned round', keys, `staging key ${M} ok\nprod key ${M} ok\nend`, `staging key ${M} ok\nprod key ${M} ok\nend`],
  ['a line went and a mark was written elsewhere', keys, `staging key ${M} ok\nend key ${M}`, `staging key ${M} ok\nend key ${M}`],
  ['a line went', keys, `staging key ${M} ok\nend`, 'staging key two ok\nend'],
  ['either of two lines went, as far as anybody can tell', keys, `prod key ${M} ok\nend`, `prod key ${M} ok\nend`],
  ['one of many like each other went', alike, `key: ${M}\nkey: ${M}\nPlease look.`, `key: ${M}\nkey: ${M}\nPlease look.`],
  ['of many like each other none went', alike, alike.taken.replace('look', 'look twice'), alike.original.replace('look', 'look twice')],
  ['a word beside one of two became that of the other', send, `send ${M} to shop\nsend ${M} to shop`, 'send one to shop\nsend two to shop'],
  ['both ends were changed', keys, `Hello\n${keys.taken}.`, `Hello\n${keys.original}.`],
])('a word that stands beside several marks tells none of them: %s', (_what, { taken: from, original: to }, edited, expected) => {
  expect(wordsOf(putBack(asking(edited), { taken: asking(from), original: asking(to) }))).toBe(expected)
})

test('however its lines are moved, removed and added to, each secret stands on its own line or nowhere', () => {
  const line = fc.tuple(fc.constantFrom(' key ', '=', ': ', ' token is '), fc.constantFrom('', ' ok', ' now', ', please'))
  const scene = fc.uniqueArray(fc.constantFrom('bank', 'shop', 'mail', 'prod', 'test', 'home'), { minLength: 1, maxLength: 6 }).chain((names) =>
    fc.record({
      names: fc.constant(names),
      lines: fc.array(line, { minLength: names.length, maxLength: names.length }),
      order: fc.shuffledSubarray([...names.keys()]),
      added: fc.array(fc.tuple(fc.nat(6), fc.constantFrom('Hello', 'key', 'ok now', '')), { maxLength: 2 }),
      behind: fc.constantFrom('', '', ' bye'),
    }),
  )
  fc.assert(
    fc.property(scene, ({ names, lines, order, added, behind }) => {
      const write = (index: number, what: string): string => `${names[index]}${lines[index]![0]}${what}${lines[index]![1]}`
      const secretOf = (index: number): string => `<${names[index]}>`
      const all = (of: (index: number) => string): string => [...names.keys()].map((index) => write(index, of(index))).join('\n')
      const edited = order.map((index) => write(index, M) + behind)
      for (const [at, what] of added) edited.splice(at, 0, what)
      const back = wordsOf(putBack(asking(edited.join('\n')), { taken: asking(all(() => M)), original: asking(all(secretOf)) }))

      const kept = new Set([...edited, ...order.map((index) => write(index, secretOf(index)) + behind)])
      expect(back.split('\n').filter((one) => one !== '' && !kept.has(one))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('two thousand secrets are put back, looked for and taken out again', () => {
  const write = (of: (index: number) => string): string => Array.from({ length: 2_000 }, (_, index) => `user${index} password=${of(index)} `).join('')
  const both = { taken: asking(write(() => '[redacted:password]')), original: asking(write((index) => `pw${index}Qz${index * 7919}`)) }
  const around = (request: SamplingRequest): SamplingRequest => asking(`Hello: ${wordsOf(request)} Bye.`)
  const back = putBack(around(both.taken), both)

  expect(wordsOf(back) === wordsOf(around(both.original))).toBe(true)
  expect([hasMarkLeft(back, both), hasPutBack(around(both.taken), both), hasPutBack(back, both)]).toEqual([false, false, true])
  expect(wordsOf(takeOut(back, both)) === wordsOf(around(both.taken))).toBe(true)
})

const token = 'ghp_BymkkYoS8UoSJfRdjEkLZ14a1FDNr0QegWGR'

test('no piece of a secret stays where a copy of it was pasted inside it', () => {
  const both = { taken: asking('bank key [redacted:github-token], please'), original: asking(`bank key ${token}, please`) }
  const edited = `bank key ${token.slice(0, 28)} key ${token}, pl${token.slice(28)}, please`

  expect(wordsOf(takeOut(asking(edited), both))).not.toMatch(/ghp_|Bymk|GWGR/)
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
