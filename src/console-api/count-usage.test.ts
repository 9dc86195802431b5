import { expect, test } from 'vitest'
import type { AuditRecord } from '../audit/index.ts'
import { countUsage } from './count-usage.ts'

const at = '2026-11-30T12:00:00.000Z'

test('whatever ended was answered, refused or left unanswered, once: a page that was done, a question that was taken back, also while its answer was written', async () => {
  const entry = (position: number, question: string, event: string, outcome?: string): AuditRecord =>
    ({ position, at, question, event, outcome, request: 'elicitation', server: 'travel', connection: 'c' }) as unknown as AuditRecord
  const entries = [
    entry(1, 'done', 'asked'),
    entry(2, 'done', 'decided', 'completed'),
    entry(3, 'done', 'answered', 'completed'),
    entry(4, 'went on', 'asked'),
    entry(5, 'went on', 'answered', 'continued'),
    entry(6, 'back', 'asked'),
    entry(7, 'back', 'withdrawn'),
    entry(8, 'both', 'asked'),
    entry(9, 'both', 'answered', 'accept'),
    entry(10, 'both', 'withdrawn'),
    entry(11, 'given up', 'asked'),
    entry(12, 'given up', 'answered', 'cancelled'),
  ].toReversed()
  const audit = { page: ({ before }: { readonly before?: number | undefined }) => Promise.resolve(before === undefined ? entries : []) }
  const [day] = await countUsage({ audit, spending: { history: () => Promise.resolve([]) } }, Date.parse(at), Date.parse(at))

  expect(day).toMatchObject({ asked: { elicitation: 5 }, answered: 2, refused: 1, unanswered: 2 })
})
