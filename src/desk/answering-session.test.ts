import { expect, test } from 'vitest'
import { MemoryAudit, type AuditSink } from '../audit/index.ts'
import type { ConsentryError } from '../errors.ts'
import { Policy } from '../policy/index.ts'
import type { InputRequest, JsonObject, Reviewer, Settlement } from '../protocol/index.ts'
import { AnsweringSession, type AnsweringNeeds } from './answering-session.ts'
import { connection, folderList, FullAudit, modelQuestion, oneModel, rootsQuestion, seatQuestion, visitQuestion, written } from './contract-parts.ts'

const never = new AbortController().signal

/** Somebody who accepts with nothing filled in, whenever they get to it. */
function accepting(until: Promise<unknown> = Promise.resolve()): Reviewer {
  return {
    canReview: () => true,
    review: async () => {
      await until
      return { outcome: 'decided', decision: { action: 'accept', content: {} }, by: 'person', surface: 'a screen' } as unknown as Settlement<never>
    },
  }
}

function sessionWith(needs: Partial<AnsweringNeeds>): AnsweringSession {
  let count = 0
  return new AnsweringSession(connection, {
    policy: new Policy(),
    reviewer: accepting(),
    reviewedBy: 'person',
    roots: folderList().open(connection.server),
    models: oneModel(() => written),
    audit: new MemoryAudit(),
    matchPattern: (checks) => Promise.resolve(checks.map(() => 'match')),
    newQuestionId: () => `q${(count += 1)}`,
    ...needs,
  })
}

test.each<[InputRequest['call'], string | undefined]>([
  [undefined, undefined],
  [{ kind: 'tool', name: 'book_trip' }, 'book_trip'],
  [{ kind: 'resource', name: 'file:///trip' }, 'file:///trip'],
  [{ kind: 'one-of', count: 3 }, 'one of 3'],
])('a question in the middle of %j is written down as such, under one id from start to end', async (call, name) => {
  const audit = new MemoryAudit()
  const session = sessionWith({ audit })
  await session.answer({ ...seatQuestion, call }, never)
  session.close()

  expect(audit.entries.map(({ question, server, connection: over, call: during }) => [question, server, over, during])).toEqual(
    Array.from({ length: 4 }, () => ['q1', 'travel', 'c1', name]),
  )
})

test('whoever is asked sees who asks, in which era, and in the middle of what', async () => {
  const seen: unknown[] = []
  const reviewer: Reviewer = {
    canReview: () => true,
    review: ({ origin }) => {
      seen.push(origin)
      return Promise.resolve({ outcome: 'nobody' })
    },
  }
  const session = sessionWith({ reviewer })
  await session.answer(seatQuestion, never)
  await session.answer({ ...seatQuestion, revision: '2026-07-28', call: undefined }, never)
  session.close()

  expect(seen).toEqual([
    { ...connection, era: 'legacy', revision: '2025-11-25', question: 'q1', call: { kind: 'tool', name: 'book_trip' } },
    { ...connection, era: 'modern', revision: '2026-07-28', question: 'q2', call: undefined },
  ])
})

test('what is decided after the question was taken back is not sent, and the log says withdrawn', async () => {
  const audit = new MemoryAudit()
  const asker = new AbortController()
  let decide = (): void => undefined
  const session = sessionWith({ audit, reviewer: accepting(new Promise<void>((resolve) => (decide = resolve))) })
  const response = session.answer(seatQuestion, asker.signal)
  session.on('waiting', () => {
    asker.abort(new Error('the server took it back'))
    decide()
  })

  expect(await response).toEqual({ outcome: 'withdrawn', reason: 'the server took it back' })
  expect(audit.entries.at(-1)).toMatchObject({ event: 'withdrawn', facts: { reason: 'the server took it back' } })
  session.close()
})

test('a question that is taken back while its answer is written down is not answered, and the log says that it never left', async () => {
  const asker = new AbortController()
  const events: string[] = []
  const audit: AuditSink = {
    append: ({ event }) => {
      events.push(event)
      if (event === 'answered') asker.abort(new Error('too late'))
      return Promise.resolve()
    },
  }
  const session = sessionWith({ audit })

  expect(await session.answer(seatQuestion, asker.signal)).toEqual({ outcome: 'withdrawn', reason: 'too late' })
  expect(events.slice(-2)).toEqual(['answered', 'withdrawn'])
  session.close()
})

test('an error within is one refusal, without a word of what went wrong', async () => {
  const failing: Reviewer = { canReview: () => true, review: () => Promise.reject(new Error('secret of the house')) }
  const session = sessionWith({ reviewer: failing })
  const responses = await Promise.all([seatQuestion, modelQuestion].map((question) => session.answer(question, never)))

  expect(responses).toMatchObject([
    { outcome: 'refused', by: 'none', error: { code: 'INTERNAL' } },
    { outcome: 'refused', by: 'none', error: { code: 'INTERNAL' } },
  ])
  expect(responses.map((response) => (response as { error: ConsentryError }).error.message).join()).not.toContain('secret')
  session.close()
})

test('what is nested deeper than can be shown is refused, and nobody is asked', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}`) as JsonObject
  const asked: string[] = []
  const reviewer: Reviewer = { canReview: () => true, review: ({ kind }) => Promise.resolve((asked.push(kind), { outcome: 'nobody' })) }
  const session = sessionWith({ reviewer })
  const params = [
    { message: 'Which seat?', requestedSchema: { type: 'object', properties: { seat: { type: 'string', 'x-note': deep } } } },
    { messages: [], maxTokens: 1, metadata: deep },
    deep,
    [deep],
  ]
  const questions = [seatQuestion, modelQuestion, rootsQuestion, rootsQuestion].map((question, index): InputRequest => ({ ...question, params: params[index] }))
  const responses = await Promise.all(questions.map((question) => session.answer(question, never)))
  session.close()

  expect([responses.map((response) => 'error' in response && response.error.code), asked]).toEqual([Array(4).fill('PROTOCOL_VIOLATION'), []])
})

test('a listener that fails keeps no question from being answered', async () => {
  const faults: unknown[] = []
  const previous = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (fault) => faults.push(fault))
  const session = sessionWith({})
  session.on('waiting', () => {
    throw new Error('a screen broke')
  })
  const response = await session.answer(seatQuestion, never)
  await new Promise(setImmediate)
  process.removeAllListeners('uncaughtException')
  for (const listener of previous) process.on('uncaughtException', listener)

  expect(response).toMatchObject({ outcome: 'answered', by: 'person' })
  expect(faults).toMatchObject([{ message: 'a screen broke' }])
  session.close()
})

test('a visit can be reported complete while its question is still being written down', async () => {
  let write = (): void => undefined
  const audit: AuditSink = { append: ({ event }) => (event === 'asked' ? new Promise((resolve) => (write = resolve)) : Promise.resolve()) }
  const session = sessionWith({ audit })
  const answer = session.answer(visitQuestion('e1'), never)
  session.complete('e1')
  write()
  await answer

  expect(await session.awaitCompletion({ ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: visitQuestion('e1') }, never)).toBe(
    'completed',
  )
  session.close()
})

test('without a log nobody is sent away to wait for a visit either', async () => {
  const session = sessionWith({ audit: new FullAudit(0) })
  const wait = { ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: visitQuestion('e1') }

  await expect(session.awaitCompletion(wait, never)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  session.close()
})

test('closing ends once what it began, and says so once', async () => {
  let ends = 0
  const session = sessionWith({})
  session.onClose(() => (ends += 1))
  session.close()
  session.close()

  expect([ends, await session.answer(rootsQuestion, never)]).toMatchObject([1, { outcome: 'withdrawn' }])
})
