import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryAudit } from '../audit/index.ts'
import type { InputResponse } from '../protocol/index.ts'
import {
  allQuestions,
  answerAt,
  connection,
  folderList,
  foldersFor,
  FullAudit,
  modelQuestion,
  oneModel,
  rootsQuestion,
  seatQuestion,
  silentModel,
  visitQuestion,
  written,
  yesToAll,
  type DeskMaker,
} from './contract-parts.ts'

const never: AbortSignal = new AbortController().signal

/** How questions end at every desk, what is written down of them, and what a desk says of itself. */
export function describeLife(name: string, { decidedBy, create, opened = () => Promise.resolve() }: DeskMaker): void {
  const answer = answerAt(create)

  describe(`${name}: how questions end`, () => {
    test('a question that is taken back is withdrawn, before and while it is worked on', async () => {
      const { models, asked } = silentModel()
      const desk = create({ prompt: { action: 'approve', model: 'test:one' } }, { models })
      const session = desk.open(connection)
      const asker = new AbortController()
      const waiting = session.answer(modelQuestion, asker.signal)
      await asked(1)
      asker.abort(new Error('the call is over'))

      expect(await waiting).toEqual({ outcome: 'withdrawn', reason: 'the call is over' })
      expect(await Promise.all(allQuestions.map((question) => session.answer(question, asker.signal)))).toEqual(
        allQuestions.map(() => ({ outcome: 'withdrawn', reason: 'the call is over' })),
      )
      await desk.close()
    })

    test('closing a session withdraws what waits there, and nowhere else', async () => {
      const { models, asked } = silentModel()
      const desk = create({ prompt: { action: 'approve', model: 'test:one' } }, { models })
      const [one, other] = [desk.open(connection), desk.open({ ...connection, connection: 'c2' })]
      const [ending, staying] = [one.answer(modelQuestion, never), other.answer(modelQuestion, never)]
      await asked(2)
      one.close()
      one.close()

      expect(await ending).toMatchObject({ outcome: 'withdrawn' })
      expect(await one.answer(seatQuestion, never)).toMatchObject({ outcome: 'withdrawn' })
      await desk.close()
      await desk.close()
      expect(await staying).toMatchObject({ outcome: 'withdrawn' })
    })

    test('whatever comes in whatever order, each question ends exactly once, in its answer and in the log', async () => {
      const property = fc.asyncProperty(fc.array(fc.constantFrom('ask', 'abort', 'answer', 'turn', 'close'), { maxLength: 25 }), async (steps) => {
        const audit = new MemoryAudit()
        const waiting: (() => void)[] = []
        const models = oneModel(() => new Promise((resolve) => waiting.push(() => resolve(written))))
        const desk = create({ ...yesToAll, prompt: { action: 'approve', model: 'test:one' } }, { models, audit })
        const session = desk.open(connection)
        const askers: AbortController[] = []
        const ends: Promise<InputResponse>[] = []
        for (const step of steps) {
          if (step === 'ask') {
            const asker = new AbortController()
            askers.push(asker)
            ends.push(session.answer(askers.length % 3 === 0 ? seatQuestion : modelQuestion, asker.signal))
          }
          if (step === 'abort') askers.shift()?.abort()
          if (step === 'answer') waiting.shift()?.()
          if (step === 'turn') await new Promise((resolve) => setTimeout(resolve))
          if (step === 'close') session.close()
        }
        await desk.close()
        const responses = await Promise.all(ends)

        expect(responses.map(({ outcome }) => outcome)).toEqual(responses.map(() => expect.stringMatching(/^(answered|withdrawn)$/)))
        const questions = [...new Set(audit.entries.map(({ question }) => question))]
        const logged = questions.map((id) => audit.entries.filter(({ question }) => question === id))
        expect(logged.map((entries) => entries[0]?.event)).toEqual(responses.map(() => 'asked'))
        const inLog = logged.map((entries) =>
          entries
            .filter(isEnd)
            .map(({ event }) => event)
            .join(),
        )
        expect(responses.map(({ outcome }, index) => [outcome, ...(outcome === 'withdrawn' ? overtaken : [])].includes(inLog[index]!))).not.toContain(false)
      })
      await fc.assert(property, { numRuns: 60 })
    })
  })

  describe(`${name}: the audit log`, () => {
    test('each question is written down with who decided, and no value is', async () => {
      const audit = new MemoryAudit()
      for (const question of allQuestions) await answer(question, yesToAll, { audit })
      const kept = audit.entries.filter(({ event }) => event !== 'review-opened' && event !== 'decided')

      expect(kept.map(({ event, request, mode, by, outcome, call }) => [event, request, mode, by, outcome, call])).toEqual([
        ['asked', 'elicitation', 'form', undefined, undefined, 'book_trip'],
        ['answered', 'elicitation', 'form', decidedBy, 'accept', 'book_trip'],
        ['asked', 'elicitation', 'url', undefined, undefined, 'book_trip'],
        ['answered', 'elicitation', 'url', decidedBy, 'accept', 'book_trip'],
        ['asked', 'sampling', undefined, undefined, undefined, 'book_trip'],
        ['answered', 'sampling', undefined, decidedBy, 'answered', 'book_trip'],
        ['asked', 'roots', undefined, undefined, undefined, 'book_trip'],
        ['answered', 'roots', undefined, decidedBy, 'answered', 'book_trip'],
      ])
      expect(JSON.stringify(audit.entries)).not.toMatch(/typed-by-a-person|aisle|10:05|Which flight/)
    })

    test.each(allQuestions.map((question) => [question.kind, question] as const))(
      'without a log there is no answer (%s), whenever it becomes unwritable',
      async (kind, question) => {
        const whole = new FullAudit(Infinity)
        await answer(question, yesToAll, { audit: whole })
        for (let room = 0; room < whole.entries.length; room += 1) {
          const response = await answer(question, yesToAll, { audit: new FullAudit(room) })
          if (kind === 'elicitation') expect(response).toMatchObject({ by: 'none', unanswered: 'audit-unavailable', result: { action: 'cancel' } })
          else expect(response).toMatchObject({ outcome: 'refused', by: 'none', unanswered: 'audit-unavailable', error: { code: 'AUDIT_UNAVAILABLE' } })
        }
      },
    )
  })

  describe(`${name}: what it says of itself`, () => {
    test('everything is promised where somebody can answer everything', async () => {
      const desk = create(yesToAll, {})
      const session = desk.open(connection)
      await opened(session)

      expect(session.capabilities()).toEqual({ roots: true, form: true, url: true, sampling: true, samplingTools: true })
      await desk.close()
    })

    test('folders that change are announced while anybody listens', async () => {
      const roots = folderList(['/home/ada/trip'])
      const desk = create(yesToAll, { roots })
      const session = desk.open(connection)
      await session.answer(rootsQuestion, never)
      const heard: string[] = []
      const stop = session.on('roots-changed', () => heard.push('stopped'))
      stop()
      const changed = new Promise<void>((resolve) => session.on('roots-changed', () => resolve()))
      roots.update(foldersFor(['/home/ada/work']))
      await changed
      session.on('roots-changed', () => heard.push('closed'))
      session.close()
      roots.update(foldersFor(['/home/ada/trip']))
      await new Promise((resolve) => setTimeout(resolve, 5))

      expect(heard).toEqual([])
      await desk.close()
    })

    test('a visit that was reported complete is not waited for; what was never asked, and the same again, counts for nothing', async () => {
      const desk = create(yesToAll, {})
      const session = desk.open(connection)
      const wait = (ids: readonly string[]): Promise<string> =>
        session.awaitCompletion({ ids, message: 'Sign in', urls: ['https://air.example/login'], request: seatQuestion }, never)
      session.complete('e1')
      await session.answer(visitQuestion('e1'), never)
      await session.answer(visitQuestion('e2'), never)

      expect(await wait(['e1'])).toBe('continued')
      session.complete('e1')
      session.complete('e1')
      session.complete('unknown')
      expect(await wait(['e1'])).toBe('completed')
      expect(await wait(['e1', 'e2'])).toBe('continued')
      session.complete('e2')
      expect(await wait(['e1', 'e2'])).toBe('completed')
      await desk.close()
    })

    test('a wait for visits ends with its signal and with its session', async () => {
      const desk = create(yesToAll, {})
      const session = desk.open(connection)
      const wait = { ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: seatQuestion }

      expect(await session.awaitCompletion(wait, AbortSignal.abort())).toBe('cancelled')
      session.close()
      expect(await session.awaitCompletion(wait, never)).toBe('cancelled')
      await desk.close()
    })
  })
}

/** An answer that is taken back while it is written down, or on its way, is in the log all the same. */
const overtaken = ['answered', 'answered,withdrawn']

function isEnd({ event }: { readonly event: string }): boolean {
  return event === 'answered' || event === 'withdrawn'
}
