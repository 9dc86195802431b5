import { expect, test } from 'vitest'
import { MemoryAudit } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import type { Decision, Origin, ReviewRequest } from '../protocol/index.ts'
import { visitDone, visitOver } from '../protocol/visit-done.ts'
import { QuestionRecord } from './question-record.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: [] } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}
const request: ReviewRequest<'url-wait'> = { kind: 'url-wait', origin, subject: { message: '', cards: [] }, draft: undefined }

/** An audit log on a disk that is full. */
class FullDisk extends MemoryAudit {
  isFull = true

  tryWriting(): Promise<void> {
    return this.isFull ? Promise.reject(new ConsentryError('AUDIT_UNAVAILABLE', 'The disk is full.')) : Promise.resolve()
  }
}

test('while nothing can be written down nothing is decided but that the question is closed; then its own check has the word again', async () => {
  const audit = new FullDisk()
  const faults = [{ field: 'seat', problem: 'too-short', message: 'Too short.' }] as const
  const seen: Decision[] = []
  const { check } = new QuestionRecord(audit, 'q1', { kind: 'elicitation', params: { mode: 'url' } }, origin).decidedOnRecord({
    ...request,
    check: (decision) => {
      seen.push(decision)
      return Promise.resolve(faults)
    },
  })

  const full = await Promise.all([check!({ action: 'continue' }).catch((error: unknown) => error), check!({ action: 'cancel' })])
  audit.isFull = false

  expect([full, await check!({ action: 'continue' }), seen]).toMatchObject([
    [{ code: 'AUDIT_UNAVAILABLE' }, faults],
    faults,
    [{ action: 'cancel' }, { action: 'continue' }],
  ])
})

test.each([
  [visitDone, ['decided', 'completed', undefined], ['answered', 'completed', 'none']],
  [visitOver, ['decided', 'withdrawn', 'none'], ['withdrawn', undefined, undefined]],
])('a page of which it is said that %s', async (reason, ...expected) => {
  const audit = new MemoryAudit()
  const record = new QuestionRecord(audit, 'q1', { kind: 'elicitation', params: { mode: 'url' } }, origin)
  await record.reviewClosed(request, { outcome: 'withdrawn', reason })
  await record.ended({ outcome: 'withdrawn', reason })

  expect(audit.entries.map(({ event, outcome, by }) => [event, outcome, by])).toEqual(expected)
})
