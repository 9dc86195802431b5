import { expect, test } from 'vitest'
import { parseAnswersFile, readAnswers, type AnswerEntry } from './answers-file.ts'

const faultOf = (text: string): unknown => {
  try {
    return parseAnswersFile(text, 'answers.jsonc')
  } catch (error) {
    const { code, message, data } = error as { code: string; message: string; data: object }
    return { code, data, message }
  }
}

test('an answers file is read with its comments, in order', () => {
  const text = `// answers of a tour
  { "answers": [
    { "when": { "request": "elicitation", "server": "travel", "mode": "form", "message": "*Barcelona*" }, "then": { "action": "accept", "content": { "confirmBooking": true } }, "times": 1 },
    { "when": { "request": "sampling" }, "then": { "action": "approve", "text": "Take the 10:05." } },
    { "when": { "request": "roots" }, "then": { "action": "grant", "roots": ["./trip"] } },
  ] }`

  expect(parseAnswersFile(text, 'answers.jsonc')).toEqual([
    {
      when: { request: 'elicitation', server: 'travel', mode: 'form', message: '*Barcelona*' },
      then: { action: 'accept', content: { confirmBooking: true } },
      times: 1,
    },
    { when: { request: 'sampling' }, then: { action: 'approve', text: 'Take the 10:05.' } },
    { when: { request: 'roots' }, then: { action: 'grant', roots: ['./trip'] } },
  ])
})

test('an accept without content fills nothing in, and a text is a block', () => {
  const read = readAnswers([
    { when: { request: 'elicitation' }, then: { action: 'accept' } },
    { when: { request: 'sampling' }, then: { action: 'approve', text: 'Yes.' } },
  ])

  expect(read.map(({ then }) => then)).toEqual([
    { request: 'elicitation', action: 'accept', content: undefined },
    { request: 'sampling', action: 'approve', content: [{ type: 'text', text: 'Yes.' }] },
  ])
})

test('entries that a program hands over are held to the same rules as a file', () => {
  const read = (entry: unknown): unknown => {
    try {
      return readAnswers([entry as AnswerEntry])
    } catch (error) {
      return (error as Error).message
    }
  }

  expect([
    read({ when: { request: 'elicitation' }, then: { action: 'decline', content: {} } }),
    read({ when: { request: 'sampling' }, then: { action: 'aprove', text: 'Yes.' } }),
    read({ then: { action: 'deny' } }),
  ]).toEqual([
    'answers[0].then.content: unknown key "content"; known here: action',
    'answers[0].then.action: "action" must be one of: approve, deny',
    'answers[0]: an entry needs "when" (it has then)',
  ])
})

test.each([
  ['no JSON', '{\n  "answers": [\n    { "when": {} "then": {} }\n  ]\n}', 3],
  ['an unknown key at the top', '{\n  "answer": []\n}', 2],
  ['no list', '{\n  "answers": {}\n}', 2],
  ['an action that is misspelt', '{ "answers": [\n{ "when": { "request": "roots" },\n "then": {\n "acton": "deny" } } ] }', 4],
  ['an unknown key of an entry', '{ "answers": [\n{ "when": { "request": "roots" },\n "then": { "action": "deny" },\n "tmies": 1 } ] }', 4],
  ['an unknown request', '{ "answers": [\n{ "when": { "request": "tools" },\n "then": { "action": "deny" } } ] }', 2],
  ['an action of another request', '{ "answers": [\n{ "when": { "request": "elicitation" },\n "then": { "action": "approve" } } ] }', 3],
  ['content beside a decline', '{ "answers": [\n{ "when": { "request": "elicitation" },\n "then": { "action": "decline",\n "content": {} } } ] }', 4],
  ['content that is no object', '{ "answers": [\n{ "when": { "request": "elicitation" },\n "then": { "action": "accept",\n "content": 5 } } ] }', 4],
  ['an approval of nothing', '{ "answers": [\n{ "when": { "request": "sampling" },\n "then": {\n "action": "approve" } } ] }', 4],
  ['a count that is none', '{ "answers": [\n{ "when": { "request": "roots" }, "then": { "action": "deny" },\n "times": 0 } ] }', 3],
  ['a mode where there is none', '{ "answers": [\n{ "when": { "request": "sampling",\n "mode": "form" }, "then": { "action": "deny" } } ] }', 3],
  ['half of a character', '{ "answers": [\n{ "when": { "request": "sampling" },\n "then": { "action": "approve",\n "text": "a\\ud83d" } } ] }', 4],
  ['no "then"', '{ "answers": [\n{ "when": { "request": "roots" } } ] }', 2],
])('%s is refused with file, line and column', (_, text, line) => {
  expect(faultOf(text)).toEqual({
    code: 'ANSWERS_FILE_INVALID',
    data: expect.objectContaining({ file: 'answers.jsonc', line }),
    message: expect.stringMatching(new RegExp(`^answers\\.jsonc:${line}:\\d+ `)),
  })
})

test('a value that JSON can spell and JavaScript cannot hold is kept as it was given', () => {
  const [entry] = parseAnswersFile('{"answers":[{"when":{"request":"elicitation"},"then":{"action":"accept","content":{"__proto__":"x","n":1e400}}}]}', 'a')

  expect(Object.entries((entry!.then as { content: object }).content)).toEqual([
    ['__proto__', 'x'],
    ['n', Infinity],
  ])
})
