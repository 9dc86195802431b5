import { expect, test } from 'vitest'
import type { Decision, Field, Form, Origin, ReviewKind, ReviewRequest, SamplingRequest, Settlement } from '../protocol/index.ts'
import { parseAnswersFile } from './answers-file.ts'
import { connection } from './contract-parts.ts'
import { Script } from './script.ts'

const origin: Origin = { ...connection, era: 'legacy', revision: '2025-11-25' }
const never = new AbortController().signal

function scriptOf(answers: readonly object[], environment: Readonly<Record<string, string>> = {}): Script {
  const entries = parseAnswersFile(JSON.stringify({ answers }), 'answers.jsonc')
  return new Script({ entries, environment, resolvePath: (path) => `/answers/${path}` })
}

function formReview(message: string, fields: readonly Field[] = [], check?: ReviewRequest<'form'>['check']): ReviewRequest<'form'> {
  const form: Form = { fields, notes: [], schema: {} }
  return { kind: 'form', origin, subject: { message, form }, draft: {}, check }
}

function promptReview(...texts: readonly string[]): ReviewRequest<'prompt'> {
  const messages = texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text }] }) as const)
  const request: SamplingRequest = { messages, maxTokens: 10 }
  return { kind: 'prompt', origin, subject: { request, choice: { model: 'person', why: 'no model' } }, draft: request }
}

const urlReview: ReviewRequest<'url'> = {
  kind: 'url',
  origin,
  subject: { message: 'Sign in', card: { url: 'https://a.example/', host: 'a.example', site: 'a.example', verdict: 'show', warnings: [] } },
  draft: undefined,
}

function foldersReview(): ReviewRequest<'folders'> {
  const proposed = [
    { path: '/home/ada/trip', name: 'Trip', status: 'ok' },
    { path: '/mnt/usb', status: 'missing' },
  ] as const
  return { kind: 'folders', origin, subject: { proposed }, draft: undefined }
}

async function decided<Kind extends ReviewKind>(script: Script, request: ReviewRequest<Kind>): Promise<Decision<Kind> | Settlement<Kind>> {
  const settlement = await script.review(request, never)
  return settlement.outcome === 'decided' ? settlement.decision : settlement
}

const accept = { action: 'accept' }
const nobody = { outcome: 'nobody' }

test('an entry that fills in a form consents to no visit, unless it says that it is for visits', async () => {
  const fill = { action: 'accept', content: { aisle: true } }
  const visits = [
    scriptOf([{ when: { request: 'elicitation' }, then: fill }]),
    scriptOf([
      { when: { request: 'elicitation' }, then: fill },
      { when: { request: 'elicitation' }, then: { action: 'decline' } },
    ]),
    scriptOf([{ when: { request: 'elicitation' }, then: { action: 'accept' } }]),
    scriptOf([{ when: { request: 'elicitation', mode: 'url' }, then: fill }]),
  ]

  expect(await Promise.all(visits.map((script) => decided(script, urlReview)))).toEqual([nobody, { action: 'decline' }, accept, accept])
})

test.each<[string, object, unknown]>([
  ['any elicitation', { request: 'elicitation' }, accept],
  ['forms', { request: 'elicitation', mode: 'form' }, accept],
  ['visits', { request: 'elicitation', mode: 'url' }, nobody],
  ['completions', { request: 'sampling' }, nobody],
  ['this server', { request: 'elicitation', server: 'trav*' }, accept],
  ['another server', { request: 'elicitation', server: 'notes' }, nobody],
  ['this message', { request: 'elicitation', message: '*aisle?' }, accept],
  ['part of the message', { request: 'elicitation', message: 'aisle' }, nobody],
  ['everything at once', { request: 'elicitation', mode: 'form', server: 'travel', message: 'Window*' }, accept],
])('an entry for %s', async (_, when, expected) => {
  const then = (when as { request: string }).request === 'sampling' ? { action: 'deny' } : { action: 'accept' }

  expect(await decided(scriptOf([{ when, then }]), formReview('Window or aisle?'))).toMatchObject(expected as object)
})

test('the first entry that fits and is not used up decides', async () => {
  const script = scriptOf([
    { when: { request: 'elicitation', mode: 'url' }, then: { action: 'decline' } },
    { when: { request: 'elicitation' }, then: { action: 'accept', content: { n: 1 } }, times: 1 },
    { when: { request: 'elicitation' }, then: { action: 'accept', content: { n: 2 } }, times: 2 },
  ])
  const answers = [1, 2, 3, 4].map(() => decided(script, formReview('How many?')))

  expect(await Promise.all(answers)).toMatchObject([{ content: { n: 1 } }, { content: { n: 2 } }, { content: { n: 2 } }, nobody])
})

test('a sampling entry is matched against what the user said last', async () => {
  const script = scriptOf([{ when: { request: 'sampling', message: '*trains*' }, then: { action: 'approve', text: 'The 7:00.' } }])

  expect(await decided(script, promptReview('flights?', 'Which?', 'no, trains'))).toEqual({
    action: 'write',
    completion: { content: [{ type: 'text', text: 'The 7:00.' }], model: 'scripted', stopReason: undefined },
  })
  expect(await decided(script, promptReview('trains?', 'Which?', 'no, flights'))).toEqual(nobody)
})

test.each<[object, object]>([
  [{ action: 'deny' }, { action: 'deny' }],
  [
    { action: 'approve', model: 'lab:gpt' },
    { action: 'approve', model: 'lab:gpt' },
  ],
  [
    { action: 'approve', text: 'Yes.', model: 'oracle' },
    { action: 'write', completion: { content: [{ type: 'text', text: 'Yes.' }], model: 'oracle' } },
  ],
  [
    { action: 'approve', content: { type: 'tool_use', id: 'c1', name: 'look', input: {} }, stopReason: 'toolUse' },
    { action: 'write', completion: { model: 'scripted', stopReason: 'toolUse', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] } },
  ],
])('the sampling answer %j', async (then, expected) => {
  expect(await decided(scriptOf([{ when: { request: 'sampling' }, then }]), promptReview('Well?'))).toMatchObject(expected)
})

test.each(['accept', 'decline', 'cancel'])('a visit is answered with %s and nothing else', async (action) => {
  const then = action === 'accept' ? { action, content: { left: 'over' } } : { action }

  expect(await decided(scriptOf([{ when: { request: 'elicitation', mode: 'url' }, then }]), urlReview)).toEqual({ action })
})

test.each<[object, object]>([
  [{ action: 'deny' }, { action: 'deny' }],
  [{ action: 'grant' }, { action: 'grant', roots: [{ path: '/home/ada/trip', name: 'Trip' }, { path: '/mnt/usb' }] }],
  [
    { action: 'grant', roots: ['trip', 'work'] },
    { action: 'grant', roots: [{ path: '/answers/trip' }, { path: '/answers/work' }] },
  ],
  [
    { action: 'grant', roots: [] },
    { action: 'grant', roots: [] },
  ],
])('the answer about folders %j', async (then, expected) => {
  expect(await decided(scriptOf([{ when: { request: 'roots' }, then }]), foldersReview())).toEqual(expected)
})

test('what follows from a yes is not asked again: the model’s answer, the end of a visit', async () => {
  const script = scriptOf([])
  const { request } = promptReview('Well?').subject
  const completion = { content: [{ type: 'text', text: 'Yes.' }], model: 'gpt' } as const

  expect(await decided(script, { kind: 'completion', origin, subject: { request, completion }, draft: completion })).toEqual({ action: 'approve' })
  expect(await decided(script, { kind: 'url-wait', origin, subject: { message: 'Sign in', cards: [] }, draft: undefined })).toEqual({ action: 'continue' })
})

test('an answer that does not fit is not given, and says what is wrong', async () => {
  const script = scriptOf([{ when: { request: 'elicitation' }, then: accept }])
  const faults = [{ field: 'seat', problem: 'missing', message: 'is needed' }]

  expect(
    await script.review(
      formReview('Seat?', [], () => Promise.resolve(faults)),
      never,
    ),
  ).toEqual({ outcome: 'unfit', faults })
})

test('a question that was taken back uses up no entry', async () => {
  const script = scriptOf([{ when: { request: 'elicitation' }, then: accept, times: 1 }])

  expect(await script.review(formReview('Seat?'), AbortSignal.abort())).toMatchObject({ outcome: 'withdrawn' })
  expect(await decided(script, formReview('Seat?'))).toMatchObject(accept)
})

const field = (name: string, secret: boolean): Field => ({ kind: 'text', name, label: name, required: false, ...(secret && { secret: { sign: 'name' } }) })

test('a secret comes from the environment; any other field keeps what the file says', async () => {
  const content = { apiKey: '${API_KEY}', note: '${API_KEY}', other: 'plain ${API_KEY}' }
  const script = scriptOf([{ when: { request: 'elicitation' }, then: { action: 'accept', content } }], { API_KEY: 'k-1' })
  const fields = [field('apiKey', true), field('note', false), field('other', true)]

  expect(await decided(script, formReview('Key?', fields))).toEqual({
    action: 'accept',
    content: { apiKey: 'k-1', note: '${API_KEY}', other: 'plain ${API_KEY}' },
  })
})

test('a secret that is a number, or a list, comes out of the environment as one', async () => {
  const fields: readonly Field[] = [
    { kind: 'integer', name: 'pin', label: 'pin', required: true, secret: { sign: 'name' } },
    {
      kind: 'text-list',
      name: 'codes',
      label: 'codes',
      required: true,
      secret: { sign: 'name' },
      each: { kind: 'text', name: 'codes', label: 'codes', required: true },
    },
    { kind: 'text', name: 'empty', label: 'empty', required: true, secret: { sign: 'name' } },
  ]
  const content = { pin: '${PIN}', codes: '${CODES}', empty: '${EMPTY}' }
  const script = scriptOf([{ when: { request: 'elicitation' }, then: { action: 'accept', content } }], { PIN: '0042', CODES: 'a\nb', EMPTY: '' })
  const fitting = scriptOf([{ when: { request: 'elicitation' }, then: { action: 'accept', content } }], { PIN: '4242', CODES: 'a\nb', EMPTY: '' })

  expect(await decided(script, formReview('PIN?', fields))).toEqual({ action: 'accept', content: { pin: '0042', codes: ['a', 'b'], empty: '' } })
  expect(await decided(fitting, formReview('PIN?', fields))).toEqual({ action: 'accept', content: { pin: 4242, codes: ['a', 'b'], empty: '' } })
})

test.each(['${MISSING}', '${toString}', '${__proto__}'])('the secret %s that the environment does not hold is a fault, never left out', async (variable) => {
  const script = scriptOf([{ when: { request: 'elicitation' }, then: { action: 'accept', content: { apiKey: variable } } }], { API_KEY: 'k-1' })

  expect(await script.review(formReview('Key?', [field('apiKey', true)]), never)).toMatchObject({
    outcome: 'unfit',
    faults: [{ field: 'apiKey', problem: 'variable-unset', message: expect.stringContaining(variable.slice(2, -1)) }],
  })
})

test('a file that fits in all but the name of the server says so, and answers nothing', async () => {
  const said: string[] = []
  const text = JSON.stringify({ answers: [{ when: { request: 'elicitation', server: 'index' }, then: { action: 'decline' } }] })
  const entries = parseAnswersFile(text, 'answers.jsonc')
  const script = new Script({ entries, resolvePath: (path) => path, environment: {}, notice: (sentence) => said.push(sentence) })

  expect(await script.review(formReview('Book?'), never)).toEqual(nobody)
  expect(said).toEqual([expect.stringContaining('it is for "index", and this server is called "travel" here')])
})

test('a file that fits but for what it fills in says so where a page is to be visited, and answers nothing', async () => {
  const said: string[] = []
  const entries = parseAnswersFile('{ "answers": [{ "when": { "request": "elicitation" }, "then": { "action": "accept", "content": {} } }] }', 'answers.jsonc')
  const script = new Script({ entries, resolvePath: (path) => path, environment: {}, notice: (sentence) => said.push(sentence) })

  expect(await script.review(urlReview, never)).toEqual(nobody)
  expect(said).toEqual([expect.stringContaining('it fills in a form, and this is a page to visit')])
})
