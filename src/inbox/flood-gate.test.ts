import { expect, test } from 'vitest'
import type { Origin, ReviewRequest, ServerIdentity } from '../protocol/index.ts'
import { FloodGate, usualFloodLimits } from './flood-gate.ts'
import { Inbox } from './inbox.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
const notes: ServerIdentity = { name: 'notes', named: true, target: { kind: 'http', url: 'https://notes.example/mcp' } }
const never = new AbortController().signal

function question(server: ServerIdentity, sameness?: string): ReviewRequest<'form'> {
  const origin: Origin = { server, connection: 'c1', era: 'legacy', revision: '2025-11-25' }
  return { kind: 'form', origin, subject: { message: 'Sure?', form: { fields: [], notes: [], schema: {} } }, draft: {}, sameness }
}

function openInbox(perServer: { waiting?: number; perMinute?: number } = {}): { inbox: Inbox; time: { now: number } } {
  const time = { now: 1_000_000 }
  const inbox = new Inbox({ perServer, now: () => time.now, elapsed: () => time.now })
  inbox.attach({ name: 'terminal', kinds: ['form', 'url-wait', 'completion'] })
  return { inbox, time }
}

/** How a review ended at once; `waits` where it did not. */
const endOf = async (settlement: Promise<{ readonly outcome: string }>): Promise<string> =>
  Promise.race([settlement.then(({ outcome }) => outcome), new Promise<string>((resolve) => setImmediate(() => resolve('waits')))])

test('so many questions of one server wait at once, and no other server is kept out by them', async () => {
  const { inbox } = openInbox({ waiting: 2 })
  const ends = [travel, travel, travel, notes].map((server) => endOf(inbox.review(question(server), never)))
  expect(await Promise.all(ends)).toEqual(['waits', 'waits', 'too-many-waiting', 'waits'])

  await inbox.decide(inbox.list()[0]!.id, { action: 'decline' }, 'terminal')
  expect(await endOf(inbox.review(question(travel), never))).toBe('waits')
})

test('a server that asks faster than people answer is not shown until a minute has passed', async () => {
  const { inbox, time } = openInbox({ perMinute: 2 })
  const ask = async (): Promise<string> => {
    const end = endOf(inbox.review(question(travel), never))
    for (const { id } of inbox.list()) await inbox.decide(id, { action: 'decline' }, 'terminal')
    return end
  }
  const ends = [await ask(), await ask(), await ask()]
  time.now += 59_999
  ends.push(await ask())
  time.now += 1
  ends.push(await ask())

  expect(ends).toEqual(['decided', 'decided', 'asked-too-often', 'asked-too-often', 'decided'])
})

test('what follows from a question that was let in is let in too', async () => {
  const { inbox } = openInbox({ perMinute: 1, waiting: 1 })
  const first = endOf(inbox.review(question(travel), never))
  const { origin } = question(travel)
  const wait = endOf(inbox.review({ kind: 'url-wait', origin, subject: { message: 'Sign in', cards: [] }, draft: undefined }, never))
  expect(await Promise.all([first, wait])).toEqual(['waits', 'waits'])
})

test('"stop asking for this run" ends what waits and what comes, of that server only, and can be taken back', async () => {
  const { inbox } = openInbox()
  const news: string[] = []
  inbox.on('surfaces-changed', () => news.push('changed'))
  const ends = [travel, travel, notes].map((server) => inbox.review(question(server), never))
  await inbox.decide(inbox.list()[0]!.id, { action: 'cancel', stopAsking: true }, 'terminal')

  expect(await Promise.all(ends.map(endOf))).toEqual(['decided', 'muted', 'waits'])
  expect([
    await endOf(inbox.review(question(travel), never)),
    inbox.canReview('form', travel),
    inbox.canReview('form', notes),
    inbox.canReview('form'),
  ]).toEqual(['muted', false, true, true])
  expect({ muted: inbox.muted, news }).toEqual({ muted: [travel], news: ['changed'] })
  inbox.unmute(travel)
  expect([await endOf(inbox.review(question(travel), never)), inbox.muted]).toEqual(['waits', []])
})

test('a server with a new name for each question fills no memory, and what counts of others is kept', () => {
  const gate = new FloodGate({ ...usualFloodLimits, waiting: 1 })
  gate.setMuted(notes, true)
  gate.enter(travel, 'form', 0)
  for (let count = 0; count < 100_000; count += 1) {
    const server = { ...travel, name: `travel ${count}` }
    if (gate.enter(server, 'form', count * 1000) === 'let-in') gate.leave(server)
  }

  expect([gate.size < 1000, gate.isMuted(notes), gate.enter(travel, 'form', 200_000_000)]).toEqual([true, true, 'too-many-waiting'])
})

test('another command under a muted name is another server', async () => {
  const { inbox } = openInbox()
  inbox.mute(travel)
  expect(await endOf(inbox.review(question({ ...travel, target: { kind: 'stdio', command: 'other', args: [] } }), never))).toBe('waits')
})

test('a person is told how often the same was asked before, and when', async () => {
  const { inbox, time } = openInbox()
  for (const [server, sameness] of [
    [travel, 'seat'],
    [travel, 'seat'],
    [notes, 'seat'],
    [travel, undefined],
    [travel, 'seat'],
  ] as const) {
    void inbox.review(question(server, sameness), never)
    time.now += 10
  }
  expect(inbox.list().map(({ asked }) => asked)).toEqual([
    { times: 1, first: 1_000_000 },
    { times: 2, first: 1_000_000, last: 1_000_000 },
    { times: 1, first: 1_000_020 },
    { times: 1, first: 1_000_030 },
    { times: 3, first: 1_000_000, last: 1_000_010 },
  ])
})

test('questions that read the same can be found, and one decision never answers two of them', async () => {
  const { inbox } = openInbox()
  const ends = [question(travel, 'seat'), question(travel, 'seat'), question(notes, 'seat'), question(travel), question(travel)].map((one) =>
    inbox.review(one, never),
  )
  const ids = inbox.list().map(({ id }) => id)

  expect(ids.map((id) => inbox.sameAs(id).map((review) => review.id))).toEqual([[ids[1]], [ids[0]], [], [], []])
  expect(inbox.sameAs('unknown')).toEqual([])
  await inbox.decide(ids[0]!, { action: 'accept', content: {} }, 'terminal')
  expect(await Promise.all(ends.map(endOf))).toEqual(['decided', 'waits', 'waits', 'waits', 'waits'])
})
