import { expect, test } from 'vitest'
import type { Decision, Form, Review, ServerIdentity } from '../protocol/index.ts'
import { Inbox } from './inbox.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'custom', description: 'a test' } }
const form: Form = {
  fields: [
    { kind: 'text', name: 'seat', label: 'Seat', required: true },
    { kind: 'text', name: 'pin', label: 'PIN', required: false, secret: { certainty: 'marked' } as never },
  ],
  notes: [],
  schema: {},
}
const filledIn = { seat: '12A', pin: '1234', unknown: 'x' }

/** An inbox at a time that tests set, where the same form can be asked again and again. */
class Setting {
  now = 1_000_000
  readonly inbox = new Inbox({ now: () => this.now })

  constructor() {
    this.inbox.attach({ name: 'terminal', kinds: ['form'] })
  }

  ask(server = travel, sameness = 'same', client?: string): { readonly review: Review<'form'>; readonly giveUp: () => void } {
    const asker = new AbortController()
    const origin = { server, connection: 'c1', client, era: 'legacy', revision: '2025-11-25' } as const
    void this.inbox.review({ kind: 'form', origin, subject: { message: 'Where?', form }, draft: {}, sameness }, asker.signal)
    return { review: this.inbox.list().at(-1) as Review<'form'>, giveUp: () => asker.abort(new Error('the client gave up')) }
  }
}

function draftOf({ draft, rescuedAt }: Review<'form'>): unknown {
  return [rescuedAt !== undefined, draft.value]
}

test('what a person filled in before the asker gave up is there when the same is asked again, without its secrets', () => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()

  setting.now += 60_000
  const again = setting.ask().review

  expect(again.rescuedAt).toBe(setting.now - 60_000)
  expect([draftOf(first.review), draftOf(again)]).toEqual([
    [false, filledIn],
    [true, { seat: '12A' }],
  ])
})

test('what a person sends after the asker gave up is no answer, and is kept as one that can be sent', async () => {
  const setting = new Setting()
  const first = setting.ask()
  first.giveUp()
  const result = await setting.inbox.decide(first.review.id, { action: 'accept', content: filledIn }, 'terminal')

  expect([result, draftOf(setting.ask().review)]).toEqual([{ status: 'ended', outcome: 'withdrawn' }, [true, { seat: '12A' }]])
})

test.each<[string, (setting: Setting) => Review<'form'>]>([
  ['another server', (setting) => setting.ask({ ...travel, name: 'other' }).review],
  ['a server with another command', (setting) => setting.ask({ ...travel, target: { kind: 'custom', description: 'changed' } }).review],
  ['another question', (setting) => setting.ask(travel, 'another message or schema').review],
  ['the same, for another application', (setting) => setting.ask(travel, 'same', 'Cursor').review],
  ['the same, ten minutes later', (setting) => ((setting.now += 600_000), setting.ask().review)],
])('%s finds nothing of it', (_, askAgain) => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()

  expect(draftOf(askAgain(setting))).toEqual([false, {}])
})

test('once somebody has decided, nothing is kept', async () => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()
  await setting.inbox.decide(setting.ask().review.id, { action: 'decline' }, 'terminal')

  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test('once somebody has said no since, what is finished late in another window comes to nothing', async () => {
  const setting = new Setting()
  const first = setting.ask()
  first.giveUp()
  await setting.inbox.decide(setting.ask().review.id, { action: 'decline' }, 'terminal')
  await setting.inbox.decide(first.review.id, { action: 'accept', content: filledIn }, 'console')

  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test('a form that is declined after its asker gave up is not filled in the next time', async () => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()
  await setting.inbox.decide(first.review.id, { action: 'decline' }, 'console')

  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test.each([[{ toString: 1 }], [7], [['12A']], [true]])('%j in the place of a text is not put into the field', async (seat) => {
  const setting = new Setting()
  const first = setting.ask()
  first.giveUp()
  await setting.inbox.decide(first.review.id, { action: 'accept', content: { seat } }, 'console')

  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test('whatever comes late for a form that ended, nothing breaks and nothing is sent', async () => {
  const setting = new Setting()
  const first = setting.ask()
  first.giveUp()
  const late = [{ action: 'accept' }, { action: 'accept', content: null }, { action: 'accept', content: [] }, { action: 'decline' }, { action: 'cancel' }]
  const results = await Promise.all(late.map((act) => setting.inbox.decide(first.review.id, act as Decision, 'console')))

  expect(results.map(({ status }) => status)).toEqual(late.map(() => 'ended'))
  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test('what a person clears before the asker gives up once more does not come back', () => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()
  const second = setting.ask()
  second.review.draft.update({})
  second.giveUp()

  expect(draftOf(setting.ask().review)).toEqual([false, {}])
})

test('asking again and again keeps what nobody has touched no longer than ten minutes', () => {
  const setting = new Setting()
  const first = setting.ask()
  first.review.draft.update(filledIn)
  first.giveUp()
  const seen = [5, 9, 11].map((minutes) => {
    setting.now = 1_000_000 + minutes * 60_000
    const { review, giveUp } = setting.ask()
    // A window that shows it writes it down again.
    review.draft.update({ ...review.draft.value })
    giveUp()
    return [review.rescuedAt, review.draft.value]
  })

  expect(seen).toEqual([
    [1_000_000, { seat: '12A' }],
    [1_000_000, { seat: '12A' }],
    [undefined, {}],
  ])
})
