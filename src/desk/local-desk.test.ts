import { expect, test } from 'vitest'
import { standingRule } from '../../test/fixtures/standing-rule.ts'
import { MemoryAudit } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import { Inbox } from '../inbox/index.ts'
import { Policy } from '../policy/index.ts'
import type { Decision, DeskSession, Review } from '../protocol/index.ts'
import { createScriptedPerson } from '../testing/index.ts'
import { connection, folderList, modelQuestion, oneModel, rootsQuestion, seatQuestion, visitQuestion, written, yesToAll } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import { describeDesk } from './desk-contract.ts'

const never = new AbortController().signal

describeDesk('a desk where a person decides', {
  decidedBy: 'person',
  create(answers, parts) {
    const { desk, inbox } = createLocalDesk(parts)
    createScriptedPerson({ inbox, decide: ({ kind }) => answers[kind] })
    return desk
  },
})

test('a question that was refused before it came here is in the log all the same', async () => {
  const audit = new MemoryAudit()
  const { desk } = createLocalDesk({ audit })
  desk.open(connection).refused?.(modelQuestion, new ConsentryError('FEATURE_NOT_DECLARED', 'not offered'))
  await desk.close()

  expect(audit.entries).toMatchObject([
    { event: 'asked', request: 'sampling', server: 'travel' },
    { event: 'answered', outcome: 'refused', error: 'FEATURE_NOT_DECLARED', by: 'none' },
  ])
})

/** The next review that is opened. */
function nextReview(inbox: Inbox): Promise<Review> {
  return new Promise((resolve) => {
    const stop = inbox.on('review-opened', (review) => {
      stop()
      resolve(review)
    })
  })
}

test('with nobody there nothing but folders is promised, and a question that comes all the same is nobody’s', async () => {
  const { desk } = createLocalDesk()
  const session = desk.open(connection)

  expect(session.capabilities()).toEqual({ roots: true, form: false, url: false, sampling: false, samplingTools: false })
  expect(await session.answer(seatQuestion, never)).toMatchObject({ by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' } })
  expect(await session.answer(visitQuestion('e1'), never)).toMatchObject({ by: 'none', unanswered: 'no-one-to-ask', result: { action: 'cancel' } })
  expect(await session.answer(modelQuestion, never)).toMatchObject({ outcome: 'refused', by: 'none', error: { code: 'NO_ONE_TO_ASK' } })
  expect(await session.answer(rootsQuestion, never)).toMatchObject({ by: 'none', result: { roots: [] } })
  await desk.close()
})

test('a client that shows nothing is offered to be stood in for; one that answers after all takes the offer back, and nobody there is offered nothing', async () => {
  const audit = new MemoryAudit()
  const { desk, inbox } = createLocalDesk({ audit })
  const session = desk.open(connection)
  const takenOver = new Promise<void>((resolve) => session.on('take-over-asked', () => resolve()))
  session.reportClient?.('elicitation', 'silence')
  const nobody = inbox.size
  inbox.attach({ name: 'console', kinds: ['silent-client', 'form'] })
  const first = nextReview(inbox)
  session.reportClient?.('elicitation', 'silence')
  const { id } = await first
  const closed = new Promise((resolve) => inbox.on('review-closed', ({ settlement }) => resolve(settlement)))
  session.reportClient?.('elicitation', 'answers')
  const withdrawn = await closed
  const second = nextReview(inbox)
  session.reportClient?.('elicitation', 'cancels')
  const review = await second
  await inbox.decide(review.id, { action: 'take-over' }, 'console')
  await takenOver
  await desk.close()

  expect([nobody, withdrawn, id === review.id, review.subject]).toEqual([
    0,
    { outcome: 'withdrawn', reason: 'the client answers' },
    false,
    { feature: 'elicitation', reason: 'cancels' },
  ])
  expect(audit.entries.map(({ event, by, outcome }) => [event, by, outcome])).toContainEqual(['decided', 'person', 'take-over'])
})

test('what is promised follows who is there, and whoever asked is told of each change', async () => {
  const { desk, inbox } = createLocalDesk()
  const session = desk.open(connection)
  const promises: unknown[] = []
  session.on('capabilities-changed', () => promises.push(session.capabilities()))
  const leave = inbox.attach({ name: 'forms only', kinds: ['form'] })
  leave()

  expect(promises).toMatchObject([
    { form: true, url: false, sampling: false, samplingTools: false },
    { form: false, url: false, sampling: false, samplingTools: false },
  ])
  await desk.close()
  inbox.attach({ name: 'too late', kinds: ['form'] })
  expect(promises).toHaveLength(2)
})

test('a rule alone is a promise where it can answer alone', async () => {
  const models = oneModel(() => written)
  const policy = new Policy({
    rules: [{ server: 'travel', request: 'sampling', decision: 'allow' }, standingRule('travel', seatQuestion.params, { seat: 'window' })],
  })
  const { desk } = createLocalDesk({ policy, models })
  const session = desk.open(connection)

  expect(session.capabilities()).toEqual({ roots: true, form: true, url: false, sampling: true, samplingTools: true })
  expect(await session.answer(modelQuestion, never)).toMatchObject({ outcome: 'answered', by: 'rule' })
  policy.suspend('the config is broken')
  expect(session.capabilities()).toMatchObject({ form: false, sampling: false })
  expect(await session.answer(modelQuestion, never)).toMatchObject({ outcome: 'refused', by: 'none', error: { code: 'NO_ONE_TO_ASK' } })
  await desk.close()
})

test('the human clock runs exactly while somebody is asked', async () => {
  const { desk, inbox } = createLocalDesk({ models: oneModel(() => written) })
  createScriptedPerson({ inbox, decide: ({ kind }) => (kind === 'prompt' ? { action: 'approve' } : yesToAll[kind]) })
  const session = desk.open(connection)
  const clock: string[] = []
  session.on('waiting', ({ kind }) => clock.push(kind))
  session.on('resumed', () => clock.push('resumed'))
  await session.answer(seatQuestion, never)
  await session.answer(modelQuestion, never)
  await session.answer({ ...seatQuestion, params: {} }, never)

  expect(clock).toEqual(['form', 'resumed', 'prompt', 'resumed', 'completion', 'resumed'])
  await desk.close()
})

test('faults go back to the person, and the corrected answer is sent', async () => {
  const { desk, inbox } = createLocalDesk()
  const person = createScriptedPerson({
    inbox,
    decide: (_review, faults) => ({ action: 'accept', content: { seat: faults.length === 0 ? 'cockpit' : 'aisle' } }),
  })
  const response = await desk.open(connection).answer(seatQuestion, never)

  expect(response).toMatchObject({ by: 'person', result: { action: 'accept', content: { seat: 'aisle' } } })
  expect(await Promise.all(person.decisions.map(async ({ result }) => (await result).status))).toEqual(['faulty', 'decided'])
  await desk.close()
})

test('each review is written down with where it was decided, before the answer', async () => {
  const audit = new MemoryAudit()
  const { desk, inbox } = createLocalDesk({ audit })
  createScriptedPerson({ inbox, name: 'kitchen terminal', decide: [{ action: 'accept', content: { seat: 'aisle' } }] })
  await desk.open(connection).answer(seatQuestion, never)

  expect(audit.entries.map(({ event, by, outcome, surface, facts }) => [event, by, outcome, surface, facts?.['review']])).toEqual([
    ['asked', undefined, undefined, undefined, undefined],
    ['review-opened', undefined, undefined, undefined, 'form'],
    ['decided', 'person', 'accept', 'kitchen terminal', 'form'],
    ['answered', 'person', 'accept', undefined, undefined],
  ])
  await desk.close()
})

test.each<[string, (inbox: Inbox) => void, string]>([
  ['nobody acts in time', () => undefined, 'timed-out'],
  ['the inbox is closed', (inbox) => inbox.close(), 'desk-closed'],
])('where %s the question ends as cancel, and says why to the log only', async (_, act, reason) => {
  const audit = new MemoryAudit()
  const inbox = new Inbox({ humanTimeoutMs: 20 })
  const { desk } = createLocalDesk({ inbox, audit })
  inbox.attach({ name: 'a screen', kinds: ['form'] })
  inbox.on('review-opened', () => act(inbox))
  const response = await desk.open(connection).answer(seatQuestion, never)

  expect(response).toMatchObject({ outcome: 'answered', by: 'none', unanswered: reason, result: { action: 'cancel' } })
  expect(audit.entries.slice(-2)).toMatchObject([
    { event: 'decided', by: 'none', outcome: reason },
    { event: 'answered', by: 'none', unanswered: reason },
  ])
  await desk.close()
})

test('what would wait beyond all measure is turned away as cancel', async () => {
  const { desk, inbox } = createLocalDesk({ inbox: new Inbox({ maximumWaiting: 1 }) })
  inbox.attach({ name: 'a screen', kinds: ['form'] })
  const session = desk.open(connection)
  const opened = nextReview(inbox)
  const first = session.answer(seatQuestion, never)
  await opened

  expect(await session.answer(seatQuestion, never)).toMatchObject({ by: 'none', unanswered: 'too-many-waiting', result: { action: 'cancel' } })
  session.close()
  expect(await first).toMatchObject({ outcome: 'withdrawn' })
  await desk.close()
})

/** A log on a slow disk. */
function slowAudit(): MemoryAudit {
  const audit = new MemoryAudit()
  const append = audit.append.bind(audit)
  audit.append = async (entry) => {
    await new Promise(setImmediate)
    await append(entry)
  }
  return audit
}

test.each([
  ['the desk is closed', () => undefined],
  ['its server has gone just before', (session: DeskSession) => session.close()],
])('when a desk is closed, the end of each open question is in the log, where %s', async (_, leave) => {
  const audit = slowAudit()
  const { desk, inbox } = createLocalDesk({ audit })
  inbox.attach({ name: 'a screen', kinds: ['form', 'url-wait'] })
  const session = desk.open(connection)
  let shown = 0
  const bothShown = new Promise<void>((resolve) => inbox.on('review-opened', () => void ((shown += 1) === 2 && resolve())))
  const response = session.answer(seatQuestion, never)
  const wait = session.awaitCompletion({ ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: visitQuestion('e1') }, never)
  await bothShown
  leave(session)
  await desk.close()

  expect(audit.entries.map(({ event, mode, outcome }) => [mode, event, outcome]).filter(([mode]) => mode === 'form')).toEqual([
    ['form', 'asked', undefined],
    ['form', 'review-opened', undefined],
    ['form', 'decided', 'withdrawn'],
    ['form', 'withdrawn', undefined],
  ])
  expect(audit.entries.findLast(({ mode }) => mode === 'url')).toMatchObject({ event: 'answered', outcome: 'cancelled' })
  expect([await response, await wait]).toMatchObject([{ outcome: 'withdrawn' }, 'cancelled'])
})

test('folders that a person granted hold for this run, for their server, and for no other', async () => {
  const roots = folderList()
  const { desk, inbox } = createLocalDesk({ roots, proposedRoots: [{ path: '/home/ada/trip' }] })
  const decisions: Decision[] = [{ action: 'grant', roots: [{ path: '/home/ada/trip' }] }, { action: 'deny' }]
  const person = createScriptedPerson({ inbox, decide: () => decisions.shift() })
  const otherServer = { ...connection, connection: 'c3', server: { ...connection.server, target: { kind: 'custom' as const, description: 'another command' } } }
  const [one, again, other] = [desk.open(connection), desk.open({ ...connection, connection: 'c2' }), desk.open(otherServer)]
  const told = [await one.answer(rootsQuestion, never), await again.answer(rootsQuestion, never), await other.answer(rootsQuestion, never)]

  expect(told).toMatchObject([
    { by: 'person', result: { roots: [{ uri: 'file:///home/ada/trip' }] } },
    { by: 'rule', result: { roots: [{ uri: 'file:///home/ada/trip' }] } },
    { by: 'person', result: { roots: [] } },
  ])
  expect(person.reviews).toHaveLength(2)
  await desk.close()
})

test('a person waits for a visit until the server reports it, or gives up; the log says which of the two', async () => {
  const audit = new MemoryAudit()
  const { desk, inbox } = createLocalDesk({ audit })
  createScriptedPerson({ inbox, decide: ({ kind }) => (kind === 'url' ? { action: 'accept' } : undefined) })
  const session = desk.open(connection)
  await session.answer(visitQuestion('e1'), never)
  const wait = (): Promise<string> =>
    session.awaitCompletion({ ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: visitQuestion('e1') }, never)
  const shown = nextReview(inbox)
  const givenUp = wait()
  const { id, subject } = await shown
  await inbox.decide(id, { action: 'cancel' }, 'a screen')
  const shownAgain = nextReview(inbox)
  const reported = wait()
  await shownAgain
  session.complete('e1')

  expect(subject).toMatchObject({ message: 'Sign in', cards: [{ url: 'https://air.example/login', host: 'air.example' }] })
  expect([await givenUp, await reported, inbox.size]).toEqual(['cancelled', 'completed', 0])
  expect(audit.entries.filter(({ event, facts }) => event === 'decided' && facts?.['review'] === 'url-wait').map(({ by, outcome }) => [by, outcome])).toEqual([
    ['person', 'cancel'],
    [undefined, 'completed'],
  ])
  await desk.close()
})

test('closing the desk leaves the inbox to whoever opened it', async () => {
  const { desk, inbox } = createLocalDesk()
  createScriptedPerson({ inbox, decide: () => ({ action: 'accept', content: {} }) })
  const { desk: second } = createLocalDesk({ inbox })
  await desk.close()

  expect(await second.open(connection).answer(seatQuestion, never)).toMatchObject({ by: 'person', result: { action: 'accept' } })
  await second.close()
})

test('the log tells which folder a person granted and which they refused, and for how long', async () => {
  const audit = new MemoryAudit()
  const { desk, inbox } = createLocalDesk({ roots: folderList(), audit, proposedRoots: [{ path: '/home/ada/trip' }, { path: '/home/ada/work' }] })
  const until = Date.parse('2030-01-01')
  const decisions: Decision[] = [{ action: 'grant', roots: [{ path: '/home/ada/trip' }], remember: { until } }, { action: 'deny' }, { action: 'cancel' }]
  createScriptedPerson({ inbox, decide: () => decisions.shift()! })
  for (const name of ['one', 'two', 'three']) await desk.open({ ...connection, server: { ...connection.server, name } }).answer(rootsQuestion, never)

  expect(audit.entries.filter(({ event }) => event === 'decided').map(({ server, outcome, facts }) => ({ server, outcome, facts }))).toEqual([
    {
      server: 'one',
      outcome: 'grant',
      facts: { review: 'folders', granted: ['/home/ada/trip'], refused: ['/home/ada/work'], holds: '2030-01-01T00:00:00.000Z' },
    },
    { server: 'two', outcome: 'deny', facts: { review: 'folders', granted: [], refused: ['/home/ada/trip', '/home/ada/work'], holds: 'this-run' } },
    { server: 'three', outcome: 'cancel', facts: { review: 'folders' } },
  ])
  await desk.close()
})
