import { expect, test } from 'vitest'
import { MemoryAudit } from '../audit/index.ts'
import type { Decision, InputResponse } from '../protocol/index.ts'
import type { AnswerEntry, ScriptedAnswer } from './answers-file.ts'
import { allQuestions, connection, folderList, modelQuestion, rootsQuestion, seatQuestion, type GivenAnswers } from './contract-parts.ts'
import { createScriptedDesk } from './create-desk.ts'
import { describeDesk } from './desk-contract.ts'

const never = new AbortController().signal

describeDesk('a desk with an answers file', {
  decidedBy: 'script',
  create: (answers, parts) => createScriptedDesk({ ...parts, answers: entriesFor(answers) }),
})

/** What an answers file says where a person would have decided so. */
function entriesFor({ form, url, prompt, folders }: GivenAnswers): readonly AnswerEntry[] {
  return [
    ...(form ? [{ when: { request: 'elicitation', mode: 'form' } as const, then: form }] : []),
    ...(url ? [{ when: { request: 'elicitation', mode: 'url' } as const, then: url }] : []),
    ...(prompt ? [{ when: { request: 'sampling' } as const, then: samplingAnswer(prompt) }] : []),
    ...(folders ? [{ when: { request: 'roots' } as const, then: foldersAnswer(folders) }] : []),
  ] as readonly AnswerEntry[]
}

function samplingAnswer(decision: Decision<'prompt'>): ScriptedAnswer {
  if (decision.action === 'approve') return { action: 'approve', model: decision.model }
  if (decision.action !== 'write') return { action: 'deny' }
  return { action: 'approve', content: decision.completion.content, model: decision.completion.model }
}

function foldersAnswer(decision: Decision<'folders'>): ScriptedAnswer {
  return decision.action === 'grant' ? { action: 'grant', roots: decision.roots.map(({ path }) => path) } : { action: 'deny' }
}

test('what no entry matches is nobody’s: cancel, an error, the configured folders', async () => {
  const desk = createScriptedDesk({ answers: [], roots: folderList(['/home/ada/work']) })
  const session = desk.open(connection)
  const responses = await Promise.all(allQuestions.map((question) => session.answer(question, never)))

  expect(responses).toMatchObject([
    { by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' } },
    { by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' } },
    { outcome: 'refused', by: 'none', unanswered: 'no-one-to-ask', error: { code: 'NO_ONE_TO_ASK' } },
    { by: 'rule', result: { roots: [{ uri: 'file:///home/ada/work' }] } },
  ])
  await desk.close()
})

test('an entry is used as often as it says, over all connections', async () => {
  const answers: readonly AnswerEntry[] = [
    { when: { request: 'elicitation' }, then: { action: 'accept', content: { seat: 'aisle' } }, times: 2 },
    { when: { request: 'elicitation' }, then: { action: 'decline' } },
  ]
  const desk = createScriptedDesk({ answers })
  const sessions = [desk.open(connection), desk.open({ ...connection, connection: 'c2' }), desk.open({ ...connection, connection: 'c3' })]
  const responses: InputResponse[] = []
  for (const session of sessions) responses.push(await session.answer(seatQuestion, never))

  expect(responses).toMatchObject([{ result: { action: 'accept' } }, { result: { action: 'accept' } }, { result: { action: 'decline' } }])
  await desk.close()
})

test('an answer that does not fit names each field and its fault, for people and never for the server', async () => {
  const answers: readonly AnswerEntry[] = [{ when: { request: 'elicitation' }, then: { action: 'accept', content: { seat: 'cockpit', speed: 3 } } }]
  const desk = createScriptedDesk({ answers })
  const response = await desk.open(connection).answer(seatQuestion, never)

  expect(response).toMatchObject({ by: 'none', unanswered: 'answer-does-not-fit', result: { action: 'cancel' } })
  expect((response as unknown as { facts: { faults: readonly { field: string }[] } }).facts.faults.map(({ field }) => field)).toEqual(['seat', 'speed'])
  expect(JSON.stringify(response)).not.toContain('cockpit')
  await desk.close()
})

test('nobody is kept waiting: a script starts no human clock, and opens no review', async () => {
  const audit = new MemoryAudit()
  const desk = createScriptedDesk({ answers: [], audit })
  const session = desk.open(connection)
  const heard: string[] = []
  session.on('waiting', ({ kind }) => heard.push(kind))
  await session.answer(modelQuestion, never)
  await session.answer(rootsQuestion, never)

  expect([heard, audit.entries.map(({ event }) => event)]).toEqual([[], ['asked', 'answered', 'asked', 'answered']])
  await desk.close()
})
