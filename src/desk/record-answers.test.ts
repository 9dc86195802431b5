import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { ConnectionOrigin, Desk, DeskSession, InputRequest, InputResponse } from '../protocol/index.ts'
import { parseAnswersFile } from './answers-file.ts'
import { allQuestions, connection, folderList, modelQuestion, oneModel, rootsQuestion, seatQuestion, visitQuestion, written } from './contract-parts.ts'
import { createScriptedDesk } from './create-desk.ts'
import { RecordingDesk, type RecordOptions } from './record-answers.ts'

const never = new AbortController().signal
const travelling: ConnectionOrigin = connection

/** A desk that gives these responses, one after the other. */
function deskGiving(responses: readonly InputResponse[]): Desk {
  const left = [...responses]
  return {
    open: (origin): DeskSession => ({
      origin,
      capabilities: () => ({ roots: true, form: true, url: true, sampling: true, samplingTools: true }),
      answer: () => Promise.resolve(left.shift()!),
      complete: () => {},
      awaitCompletion: () => Promise.resolve('continued'),
      on: () => () => {},
      close: () => {},
    }),
    close: () => Promise.resolve(),
  }
}

/** What is in the file after these questions got these responses. */
async function recorded(exchange: readonly (readonly [InputRequest, InputResponse])[], options: Partial<RecordOptions> = {}): Promise<string> {
  let text = ''
  const write = (next: string): Promise<void> => {
    text = next
    return Promise.resolve()
  }
  const desk = new RecordingDesk(deskGiving(exchange.map(([, response]) => response)), { write, pathOf: (uri) => uri.replace('file://', ''), ...options })
  const session = desk.open(travelling)
  for (const [question] of exchange) await session.answer(question, never)
  await desk.close()
  return text
}

const answered = (result: object, more: object = {}): InputResponse => ({ outcome: 'answered', by: 'person', result, ...more }) as unknown as InputResponse
const form = (params: object): InputRequest => ({ ...seatQuestion, params })

test('each answer becomes one entry that is used once, in the order of the questions', async () => {
  const text = await recorded([
    [seatQuestion, answered({ action: 'accept', content: { seat: 'aisle' } })],
    [visitQuestion('e1'), answered({ action: 'decline' })],
    [modelQuestion, answered({ role: 'assistant', content: { type: 'text', text: 'The 10:05.' }, model: 'person', stopReason: 'endTurn' })],
    [modelQuestion, { outcome: 'refused', by: 'person', error: new ConsentryError('SAMPLING_DENIED', 'no') }],
    [rootsQuestion, answered({ roots: [{ uri: 'file:///home/ada/trip' }] })],
    [rootsQuestion, answered({ roots: [] })],
    [rootsQuestion, answered({ roots: [{ uri: 'file:///home/ada/trip' }] }, { by: 'rule' })],
  ])

  expect(JSON.parse(text)).toEqual({
    answers: [
      {
        when: { request: 'elicitation', server: 'travel', mode: 'form', message: { exactly: 'Window or aisle?' } },
        then: { action: 'accept', content: { seat: 'aisle' } },
        times: 1,
      },
      { when: { request: 'elicitation', server: 'travel', mode: 'url', message: 'Sign in' }, then: { action: 'decline' }, times: 1 },
      {
        when: { request: 'sampling', server: 'travel', message: { exactly: 'Which flight?' } },
        then: { action: 'approve', content: { type: 'text', text: 'The 10:05.' }, model: 'person', stopReason: 'endTurn' },
        times: 1,
      },
      { when: { request: 'sampling', server: 'travel', message: { exactly: 'Which flight?' } }, then: { action: 'deny' }, times: 1 },
      { when: { request: 'roots', server: 'travel' }, then: { action: 'grant', roots: ['/home/ada/trip'] }, times: 1 },
      { when: { request: 'roots', server: 'travel' }, then: { action: 'deny' }, times: 1 },
      { when: { request: 'roots', server: 'travel' }, then: { action: 'grant' }, times: 1 },
    ],
  })
  expect(parseAnswersFile(text, 'recorded.jsonc')).toHaveLength(7)
})

test('what nobody answered, what was refused and what was taken back is no answer', async () => {
  const text = await recorded([
    [seatQuestion, answered({ action: 'cancel' }, { by: 'none', unanswered: 'no-one-to-ask' })],
    [seatQuestion, { outcome: 'withdrawn', reason: 'the call is over' }],
    [seatQuestion, { outcome: 'refused', by: 'none', error: new ConsentryError('FORM_SCHEMA_INVALID', 'nested') }],
    [modelQuestion, { outcome: 'refused', by: 'rule', error: new ConsentryError('LIMIT_REACHED', 'enough') }],
  ])

  expect(text).toBe('')
})

test('a completion or a folder list that was closed is recorded neither as yes nor as no', async () => {
  const text = await recorded([
    [modelQuestion, { outcome: 'refused', by: 'person', error: new ConsentryError('NO_ONE_TO_ASK', 'closed', { data: { reason: 'closed' } }) }],
    [rootsQuestion, answered({ roots: [] }, { facts: { decision: 'cancel' } })],
    [rootsQuestion, answered({ roots: [{ uri: 'file:///home/ada/trip' }] }, { facts: { decision: 'cancel' } })],
  ])

  expect(text).toBe('')
})

const withSecrets = (content: object): InputResponse =>
  answered({ action: 'accept', content }, { facts: { secretFields: ['apiKey', 'api-key', 'pass word', '토큰', '비밀번호', '2fa'] } })

test('a secret is written as the variable that is to hold it', async () => {
  const text = await recorded([[seatQuestion, withSecrets({ apiKey: 'k-1', 'pass word': 'k-2', 토큰: 'k-3', '2fa': 'k-4', region: 'eu' })]])
  const [entry] = parseAnswersFile(text, 'recorded.jsonc')

  expect(entry?.then).toMatchObject({
    content: { apiKey: '${API_KEY}', 'pass word': '${PASS_WORD}', 토큰: '${SECRET}', '2fa': '${SECRET_2FA}', region: 'eu' },
  })
  expect(text).not.toMatch(/k-[1234]/)
})

test('each secret field has a variable of its own, the same in every form', async () => {
  const text = await recorded([
    [seatQuestion, withSecrets({ apiKey: 'k-1', 'api-key': 'k-2', 토큰: 'k-3', 비밀번호: 'k-4' })],
    [seatQuestion, withSecrets({ 비밀번호: 'k-4', apiKey: 'k-1' })],
  ])

  expect(parseAnswersFile(text, 'recorded.jsonc').map(({ then }) => (then as { content: object }).content)).toEqual([
    { apiKey: '${API_KEY}', 'api-key': '${API_KEY_2}', 토큰: '${SECRET}', 비밀번호: '${SECRET_2}' },
    { 비밀번호: '${SECRET_2}', apiKey: '${API_KEY}' },
  ])
})

test('the file is written whole after each answer, never twice at a time', async () => {
  let [writing, most] = [0, 0]
  const texts: string[] = []
  const write = async (text: string): Promise<void> => {
    writing += 1
    most = Math.max(most, writing)
    await new Promise(setImmediate)
    texts.push(text)
    writing -= 1
  }
  const desk = new RecordingDesk(createScriptedDesk({ answers: parseAnswersFile(yes, 'yes.jsonc') }), { write, pathOf: (uri) => uri })
  const session = desk.open(travelling)
  await Promise.all(Array.from({ length: 20 }, () => session.answer(seatQuestion, new AbortController().signal)))
  await desk.close()

  expect([most, parseAnswersFile(texts.at(-1)!, 'recorded.jsonc').length]).toEqual([1, 20])
})

test('a file that cannot be written is told once, and the questions go on', async () => {
  const faults: ConsentryError[] = []
  const write = (): Promise<void> => Promise.reject(new Error('disk full'))
  const exchange = [1, 2, 3].map(() => [seatQuestion, answered({ action: 'decline' })] as const)
  await recorded(exchange, { write, onFault: (fault) => faults.push(fault) })

  expect(faults).toMatchObject([{ code: 'ANSWERS_FILE_INVALID', cause: { message: 'disk full' } }])
})

test('everything else is the session’s own', async () => {
  const desk = new RecordingDesk(createScriptedDesk({ answers: [] }), { write: () => Promise.resolve(), pathOf: (uri) => uri })
  const session = desk.open(travelling)
  session.complete('e1')

  expect(session.capabilities()).toEqual({ roots: true, form: true, url: true, sampling: true, samplingTools: true })
  expect(await session.awaitCompletion({ ids: ['e1'], message: '', urls: [], request: seatQuestion }, never)).toBe('continued')
  session.close()
  expect(await session.answer(seatQuestion, never)).toMatchObject({ outcome: 'withdrawn' })
  await desk.close()
})

const yes = JSON.stringify({
  answers: [
    { when: { request: 'elicitation', mode: 'form' }, then: { action: 'accept', content: { seat: 'aisle' } } },
    { when: { request: 'elicitation' }, then: { action: 'accept' } },
    { when: { request: 'sampling' }, then: { action: 'approve', model: 'test:one' } },
    { when: { request: 'roots' }, then: { action: 'grant', roots: ['/home/ada/trip'] } },
  ],
})

test('what was recorded gives the same answers again', async () => {
  let text = ''
  const parts = { roots: folderList(), models: oneModel(() => ({ ...written, stopReason: 'endTurn' })) }
  const first = new RecordingDesk(createScriptedDesk({ ...parts, answers: parseAnswersFile(yes, 'yes.jsonc') }), {
    write: async (next) => void (text = next),
    pathOf: (uri) => uri.replace('file://', ''),
  })
  const again = (desk: Desk): Promise<readonly unknown[]> => {
    const session = desk.open(travelling)
    return Promise.all(allQuestions.map(async (question) => ({ ...(await session.answer(question, never)), facts: undefined })))
  }
  const answers = await again(first)
  await first.close()
  const second = createScriptedDesk({ roots: folderList(), answers: parseAnswersFile(text, 'recorded.jsonc') })

  expect(await again(second)).toEqual(answers)
  await second.close()
})

test('whatever a message says, and however long it is, its answer is found again', async () => {
  const letters = fc.constantFrom('a', '*', '?', '\\', '"', '\n', '\r', '\u2028', '한', '🙂', '\ud83d', '\0', '[', '{')
  const message = fc.oneof(fc.string({ unit: letters }), fc.string({ unit: letters, minLength: 390, maxLength: 420 }))
  await fc.assert(
    fc.asyncProperty(message, async (asked) => {
      const question = form({ message: asked, requestedSchema: { type: 'object', properties: {} } })
      const text = await recorded([[question, answered({ action: 'decline' })]])
      const desk = createScriptedDesk({ answers: parseAnswersFile(text, 'recorded.jsonc') })

      expect(await desk.open(travelling).answer(question, never)).toMatchObject({ by: 'script', result: { action: 'decline' } })
      await desk.close()
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['**Please confirm**: save the trip?', 'Send 10,000 EUR. Please confirm: save the trip!'],
  [`${'x'.repeat(1_000)} to Ada`, `${'x'.repeat(1_000)} to Mallory`],
])('a recorded answer to one message answers no other that its words could stand for', async (asked, other) => {
  const question = (message: string): InputRequest => form({ message, requestedSchema: { type: 'object', properties: {} } })
  const text = await recorded([[question(asked), answered({ action: 'accept', content: {} })]])
  const desk = createScriptedDesk({ answers: parseAnswersFile(text, 'recorded.jsonc') })

  expect(await desk.open(travelling).answer(question(other), never)).toMatchObject({ by: 'none', result: { action: 'cancel' } })
  await desk.close()
})

test('a server whose name reads like a glob is recorded as itself', async () => {
  const desk = new RecordingDesk(deskGiving([answered({ action: 'decline' })]), { write: async (next) => void (text = next), pathOf: (uri) => uri })
  let text = ''
  await desk.open({ ...travelling, server: { ...travelling.server, name: 't*' } }).answer(seatQuestion, never)
  await desk.close()
  const replay = createScriptedDesk({ answers: parseAnswersFile(text, 'recorded.jsonc') })

  expect(await replay.open(travelling).answer(seatQuestion, never)).toMatchObject({ by: 'none' })
  await replay.close()
})
