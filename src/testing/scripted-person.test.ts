import { expect, test, vi } from 'vitest'
import { Inbox } from '../inbox/index.ts'
import type { Origin, ReviewRequest, Settlement } from '../protocol/index.ts'
import { createScriptedPerson } from './scripted-person.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'in memory' } },
  connection: 'c1',
  era: 'legacy',
  revision: '2025-11-25',
}
const faults = [{ field: 'seat', problem: 'required', message: 'seat: an answer is needed' }]
const accept = (seat?: string) => ({ action: 'accept', content: seat === undefined ? {} : { seat } }) as const

/** A form that needs a seat. */
const form: ReviewRequest<'form'> = {
  kind: 'form',
  origin,
  subject: { message: 'Which seat?', form: { fields: [], notes: [], schema: {} } },
  draft: {},
  check: async (decision) => (decision.action !== 'accept' || 'seat' in decision.content ? [] : faults),
}

function ask(inbox: Inbox): Promise<Settlement<'form'>> {
  return inbox.review(form, new AbortController().signal)
}

test('a function decides every review, as a person', async () => {
  const inbox = new Inbox()
  const person = createScriptedPerson({ inbox, decide: (review) => (review.kind === 'form' ? accept('aisle') : undefined) })

  const settlements = await Promise.all([ask(inbox), ask(inbox)])

  expect(settlements).toEqual(Array.from({ length: 2 }, () => ({ outcome: 'decided', decision: accept('aisle'), by: 'person', surface: 'scripted-person' })))
  expect([person.reviews.length, await Promise.all(person.decisions.map(({ result }) => result))]).toEqual([2, [{ status: 'decided' }, { status: 'decided' }]])
})

test('a list is used up in its order, then the person has left', async () => {
  const inbox = new Inbox()
  createScriptedPerson({ inbox, decide: [accept('aisle'), { action: 'decline' }], name: 'console' })

  const settlements = [await ask(inbox), await ask(inbox), await ask(inbox), await ask(inbox)]

  expect(settlements).toEqual([
    { outcome: 'decided', decision: accept('aisle'), by: 'person', surface: 'console' },
    { outcome: 'decided', decision: { action: 'decline' }, by: 'person', surface: 'console' },
    { outcome: 'nobody' },
    { outcome: 'nobody' },
  ])
})

test('a decision that does not fit is put right by the next of the list', async () => {
  const inbox = new Inbox()
  const person = createScriptedPerson({ inbox, decide: [accept(), accept('window')] })

  const settlement = await ask(inbox)

  expect(settlement).toMatchObject({ outcome: 'decided', decision: accept('window') })
  expect(await Promise.all(person.decisions.map(({ result }) => result))).toEqual([{ status: 'faulty', faults }, { status: 'decided' }])
})

test('a function is told what was wrong, and may correct it', async () => {
  const inbox = new Inbox()
  createScriptedPerson({ inbox, decide: (_review, wrong) => accept(wrong[0]?.field === 'seat' ? 'window' : undefined) })

  expect(await ask(inbox)).toMatchObject({ outcome: 'decided', decision: accept('window') })
})

test('the same wrong decision twice is the last: the review is cancelled', async () => {
  const inbox = new Inbox()
  createScriptedPerson({ inbox, decide: () => accept() })

  expect(await ask(inbox)).toMatchObject({ outcome: 'decided', decision: { action: 'cancel' } })
})

test('a fault of the function cancels, and can be looked at', async () => {
  const inbox = new Inbox()
  const person = createScriptedPerson({
    inbox,
    decide: () => {
      throw new Error('oops')
    },
  })

  expect(await ask(inbox)).toMatchObject({ outcome: 'decided', decision: { action: 'cancel' } })
  expect(person.faults).toEqual([new Error('oops')])
})

test('a person who does nothing leaves the review waiting, until they leave', async () => {
  const inbox = new Inbox()
  const person = createScriptedPerson({ inbox, decide: () => undefined })
  const settled = ask(inbox)
  const waiting = inbox.size

  person.leave()
  person.leave()

  expect([waiting, await settled]).toEqual([1, { outcome: 'nobody' }])
})

test('a person is shown only what their surface can show', async () => {
  const inbox = new Inbox()
  const person = createScriptedPerson({ inbox, decide: () => accept('aisle'), kinds: ['url'] })

  expect([inbox.canReview('form'), inbox.canReview('url'), await ask(inbox), person.reviews]).toEqual([false, true, { outcome: 'nobody' }, []])
})

test('the first decision wins: a slow person is told that another was faster', async () => {
  const inbox = new Inbox()
  let finish = (): void => {}
  const slow = new Promise<void>((resolve) => (finish = resolve))
  const late = createScriptedPerson({ inbox, decide: () => slow.then(() => accept('window')), name: 'late' })
  createScriptedPerson({ inbox, decide: () => accept('aisle'), name: 'early' })

  const settlement = await ask(inbox)
  finish()
  await vi.waitFor(() => expect(late.decisions.length).toBe(1))

  expect(settlement).toMatchObject({ surface: 'early' })
  expect(await Promise.all(late.decisions.map(({ result }) => result))).toEqual([{ status: 'ended', outcome: 'decided', surface: 'early' }])
})
