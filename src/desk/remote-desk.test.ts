import { describe, expect, onTestFinished, test } from 'vitest'
import { FakeSession } from '../../test/fixtures/fake-session.ts'
import { call, serve, streamPair } from '../../test/fixtures/desk-line.ts'
import { MemoryAudit } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import type { Inbox } from '../inbox/index.ts'
import type { DeskSession, InputRequest, InputResponse, JsonObject, Review } from '../protocol/index.ts'
import { createScriptedPerson } from '../testing/index.ts'
import { connection, modelQuestion, seatQuestion, yesToAll, type GivenAnswers } from './contract-parts.ts'
import { createLocalDesk } from './create-desk.ts'
import { describeDesk } from './desk-contract.ts'
import { RemoteChannel } from './remote-channel.ts'
import { deskLimits } from './remote-limits.ts'
import { RemoteDesk, type RemoteDeskOptions } from './remote-desk.ts'
import type { RemoteServer } from './remote-server.ts'
import type { RemoteSession } from './remote-session.ts'

const never = new AbortController().signal

describeDesk('a desk on the other side of a socket', {
  decidedBy: 'person',
  create(answers, parts) {
    const { desk, inbox } = createLocalDesk(parts)
    createScriptedPerson({ inbox, decide: ({ kind }) => answers[kind] })
    const server = serve({ open: (origin) => desk.open(origin) })
    const remote = new RemoteDesk({ connect: () => call(server) })
    return {
      open: (origin) => remote.open(origin),
      async close() {
        await remote.close()
        await server.close()
        await desk.close()
      },
    }
  },
  opened: (session) => (session as RemoteSession).opened,
})

test('whoever hears for the first time what a desk can answer knows whether it takes their client over', async () => {
  let know = (): void => undefined
  const session = Object.assign(new FakeSession(), { known: new Promise<void>((resolve) => (know = resolve)) })
  const server = serve({ open: () => session })
  const remote = new RemoteDesk({ connect: () => call(server) })
  onTestFinished(async () => {
    await remote.close()
    await server.close()
  })
  const asked = remote.open(connection)
  const heard: string[] = []
  for (const name of ['capabilities-changed', 'take-over-asked'] as const) asked.on(name, () => heard.push(name))
  await expect.poll(() => session.listeners).toBeGreaterThan(0)
  session.emit('capabilities-changed')
  session.emit('take-over-asked', 'elicitation')
  know()
  await asked.opened

  expect([[...asked.takenOver], heard]).toEqual([['elicitation'], ['take-over-asked', 'capabilities-changed']])
})

/** A desk that can be killed and started again, and somebody who asks there. */
class Place {
  readonly audit = new MemoryAudit()
  readonly remote: RemoteDesk
  inbox!: Inbox
  server: RemoteServer | undefined
  looks: boolean[] = []
  #channels: RemoteChannel[] = []

  constructor(options: Partial<RemoteDeskOptions> = {}) {
    this.remote = new RemoteDesk({
      connect: async (isNeeded) => {
        this.looks.push(isNeeded)
        if (this.server === undefined) throw new ConsentryError('DESK_UNREACHABLE', 'no desk runs')
        const channel = await call(this.server)
        this.#channels.push(channel)
        return channel
      },
      pauseMs: { first: 1, longest: 4 },
      ...options,
    })
    onTestFinished(() => this.remote.close())
  }

  /** @param answers what a person says; without, somebody looks and says nothing */
  start(answers?: GivenAnswers): this {
    const { desk, inbox } = createLocalDesk({ audit: this.audit })
    this.inbox = inbox
    if (answers) createScriptedPerson({ inbox, decide: ({ kind }) => answers[kind] })
    else inbox.attach({ name: 'nobody in a hurry', kinds: ['form', 'url', 'url-wait', 'prompt', 'completion', 'folders'] })
    this.server = serve({ open: (origin) => desk.open(origin) })
    return this
  }

  kill(): void {
    this.server = undefined
    for (const channel of this.#channels.splice(0)) channel.breakOff('killed')
  }

  open(): RemoteSession {
    return this.remote.open(connection)
  }

  nextReview(): Promise<Review> {
    return new Promise((resolve) => {
      const stop = this.inbox.on('review-opened', (review) => {
        stop()
        resolve(review)
      })
    })
  }
}

/** Takes longer than any patience of these tests. */
function slowly(connect: () => Promise<RemoteChannel>): () => Promise<RemoteChannel> {
  return () => new Promise<void>((resolve) => setTimeout(resolve, 30)).then(connect)
}

function ask(session: DeskSession, question: InputRequest = seatQuestion): Promise<InputResponse> {
  return session.answer(question, never)
}

function nextChange(session: DeskSession): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.on('capabilities-changed', () => {
      stop()
      resolve()
    })
  })
}

describe('a desk that is lost', () => {
  test('nothing is promised while it is gone, and whoever asked is told of each change', async () => {
    const place = new Place().start(yesToAll)
    const session = place.open()
    const before = session.capabilities()
    await session.opened
    const there = session.capabilities()
    const lost = nextChange(session)
    place.kill()
    await lost
    const gone = session.capabilities()
    const back = nextChange(session)
    place.start(yesToAll)
    await back

    expect([before, there, gone, session.capabilities()].map(({ form }) => form)).toEqual([false, true, false, true])
  })

  test('what waits is asked again when it comes back in time', async () => {
    const place = new Place().start()
    const session = place.open()
    const opened = place.nextReview()
    const answer = ask(session)
    await opened
    place.kill()
    place.start(yesToAll)

    expect(await answer).toMatchObject({ by: 'person', result: { action: 'accept' } })
  })

  test('what waits ends as nobody’s when it does not come back, and the human clock stops at once', async () => {
    const place = new Place({ patienceMs: 20 }).start()
    const session = place.open()
    const clock: string[] = []
    session.on('waiting', () => clock.push('waiting'))
    const resumed = new Promise<void>((resolve) =>
      session.on('resumed', () => {
        clock.push('resumed')
        resolve()
      }),
    )
    const opened = place.nextReview()
    const [form, model] = [ask(session), ask(session, modelQuestion)]
    await opened
    while (clock.length < 2) await new Promise((resolve) => setTimeout(resolve))
    place.kill()
    await resumed

    expect([await form, await model]).toMatchObject([
      { outcome: 'answered', by: 'none', unanswered: 'desk-lost', result: { action: 'cancel' } },
      { outcome: 'refused', by: 'none', error: { code: 'NO_ONE_TO_ASK' } },
    ])
    expect(clock.toSorted()).toEqual(['resumed', 'resumed', 'waiting', 'waiting'])
  })

  test('nobody has given up a page because the desk is gone: the call goes on', async () => {
    const place = new Place({ patienceMs: 20 }).start()
    const session = place.open()
    const opened = place.nextReview()
    const wait = { ids: ['e1'], message: 'Sign in', urls: ['https://air.example/login'], request: seatQuestion }
    const waits = [session.awaitCompletion({ ...wait, goesOn: true }, never), session.awaitCompletion(wait, never)]
    await opened
    place.kill()

    expect(await Promise.all(waits)).toEqual(['continued', 'cancelled'])
  })

  test('what is new waits for it briefly, and says that it is needed', async () => {
    const place = new Place()
    const session = place.open()
    const answer = ask(session)
    while (!place.looks.includes(true)) await new Promise((resolve) => setTimeout(resolve))
    place.start(yesToAll)

    expect(await answer).toMatchObject({ by: 'person', result: { action: 'accept' } })
    expect(place.looks[0]).toBe(false)
  })

  test('what waits goes on waiting for a desk that is slow to greet, however little patience is left', async () => {
    const server = new Place().start(yesToAll).server!
    const place = new Place({ patienceMs: 1, connect: slowly(() => call(server)) })

    expect(await ask(place.open())).toMatchObject({ by: 'person', result: { action: 'accept' } })
  })

  test('what has waited long enough ends with the look that finds none', async () => {
    let looks = 0
    const look = slowly(() => Promise.reject(new ConsentryError('DESK_UNREACHABLE', `look ${(looks += 1)}`)))
    const place = new Place({ patienceMs: 1, connect: look, pauseMs: { first: 60_000, longest: 60_000 } })

    expect(await ask(place.open())).toMatchObject({ by: 'none', unanswered: 'desk-lost' })
    expect(looks).toBe(1)
  })

  test('what is taken back while it is gone ends as withdrawn', async () => {
    const place = new Place({ patienceMs: 10 })
    const asker = new AbortController()
    const answer = place.open().answer(seatQuestion, asker.signal)
    asker.abort(new Error('the call is over'))

    expect(await answer).toEqual({ outcome: 'withdrawn', reason: 'the call is over' })
  })

  test('the desk withdraws what a wrap asked that died', async () => {
    const place = new Place({ patienceMs: 300 }).start()
    const opened = place.nextReview()
    void ask(place.open())
    await opened
    const { inbox } = place
    const closed = new Promise((resolve) => inbox.on('review-closed', ({ settlement }) => resolve(settlement)))
    place.kill()

    expect(await closed).toEqual({ outcome: 'withdrawn', reason: expect.stringContaining('the wrap is gone') })
  })

  test('a question that is too large to be handed over is nobody’s, and the next one is answered', async () => {
    const place = new Place().start(yesToAll)
    const session = place.open()
    await session.opened
    const large = { ...seatQuestion, params: { message: 'x'.repeat(81 * 1024 * 1024) } }
    let deep: unknown = []
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]

    expect([await ask(session, large), await ask(session, { ...seatQuestion, params: { deep } })]).toMatchObject([{ by: 'none' }, { by: 'none' }])
    expect(await ask(session)).toMatchObject({ by: 'person' })
  }, 120_000)
})

test('20 wraps with 50 questions each share one inbox, and no answer reaches another call', async () => {
  const { desk, inbox } = createLocalDesk()
  createScriptedPerson({
    inbox,
    decide: (review) => ({ action: 'accept', content: { note: review.kind === 'form' ? `${review.origin.client}: ${review.subject.message}` : '' } }),
  })
  const server = serve({ open: (origin) => desk.open(origin) })
  const wraps = Array.from({ length: 20 }, () => new RemoteDesk({ connect: () => call(server) }))
  const answers = await Promise.all(
    wraps.flatMap((wrap, number) => {
      const session = wrap.open({ server: { ...connection.server, name: `server ${number}` }, connection: `c${number}`, client: `client ${number}` })
      return Array.from({ length: 50 }, async (_, index) => {
        const request = { ...seatQuestion, params: { ...(seatQuestion.params as object), message: `question ${index}` } }
        const response = await session.answer(request, new AbortController().signal)
        return [`client ${number}: question ${index}`, response.outcome === 'answered' && (response.result['content'] as { note: string }).note]
      })
    }),
  )
  await Promise.all(wraps.map((wrap) => wrap.close()))
  await server.close()

  expect(answers.filter(([asked, answered]) => asked !== answered)).toEqual([])
  expect([answers.length, inbox.size, server.size]).toEqual([1000, 0, 0])
})

/** A desk that is reached and then stands still; `says` is all that it says. */
function standsStill(says: (message: JsonObject, send: (message: object) => void) => void): RemoteDesk {
  return new RemoteDesk({
    connect: async () => {
      const [near, far] = streamPair()
      const [channel, desk] = [new RemoteChannel(near, deskLimits), new RemoteChannel(far, deskLimits)]
      // It has been greeted: longer messages are taken.
      desk.open((message) => says(message, (answer) => void desk.send(answer)))
      return channel
    },
    pauseMs: { first: 1000, longest: 1000 },
    patienceMs: 1,
    beatMs: 5,
  })
}

describe('a desk that stands still', () => {
  test('is as good as lost: what waits there ends as nobody’s, and nothing is promised', async () => {
    const remote = standsStill((message, send) => {
      if (message['type'] === 'open') send({ type: 'capabilities', session: message['session'], capabilities: { form: true } })
    })
    onTestFinished(() => remote.close())
    const session = remote.open(connection)
    await session.opened
    const before = session.capabilities().form

    expect(await ask(session)).toMatchObject({ result: { action: 'cancel' }, by: 'none' })
    expect([before, session.capabilities().form]).toEqual([true, false])
  })

  test('is told apart from one whose person thinks for long', async () => {
    let pings = 0
    let answer = (): void => undefined
    const remote = standsStill((message, send) => {
      if (message['type'] === 'open') send({ type: 'capabilities', session: message['session'], capabilities: { form: true } })
      if (message['type'] === 'ask')
        answer = () => send({ type: 'answered', id: message['id'], response: { outcome: 'answered', by: 'person', result: { action: 'decline' } } })
      if (message['type'] !== 'ping') return
      send({ type: 'pong' })
      if ((pings += 1) === 10) answer()
    })
    onTestFinished(() => remote.close())
    const session = remote.open(connection)
    await session.opened

    expect(await ask(session)).toMatchObject({ by: 'person', result: { action: 'decline' } })
  })
})
