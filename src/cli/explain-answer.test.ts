import { expect, test } from 'vitest'
import type { UnansweredReason } from '../protocol/index.ts'
import { explainUnanswered } from './explain-answer.ts'

const explain = (unanswered: string): readonly string[] =>
  explainUnanswered(
    'elicitation',
    { outcome: 'answered', by: 'none', unanswered: unanswered as UnansweredReason, result: {} },
    'answer at the desk: consentry up',
  )

test('a question that ended because the desk was lost says so, and how it is started again; it was not closed by anybody', () => {
  expect(explain('desk-lost')).toEqual([
    'a question (elicitation) was not answered by anyone (desk-lost): the desk was lost and did not come back in time; consentry up starts it again',
  ])
})

test('a reason of a newer desk is told by its name, with what to do', () => {
  expect(['of-the-future', 'constructor', '__proto__'].flatMap(explain)).toEqual(
    ['of-the-future', 'constructor', '__proto__'].map(
      (reason) => `a question (elicitation) was not answered by anyone (${reason}): answer at the desk: consentry up`,
    ),
  )
})

test('a completion that nobody answered could have been answered by a model, and a form could not', () => {
  const sentences = ['sampling', 'elicitation'].flatMap((kind) =>
    explainUnanswered(kind, { outcome: 'answered', by: 'none', unanswered: 'no-one-to-ask', result: {} }, 'run in a terminal'),
  )

  expect(sentences.map((sentence) => sentence.replace(/^.*\): /, ''))).toEqual([
    'run in a terminal; a model answers without a person where a rule allows it (consentry models detect)',
    'run in a terminal',
  ])
})
