import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Decision, JsonObject, Review } from '../../src/protocol/index.ts'
import { visitDone, visitOver } from '../../src/protocol/visit-done.ts'
import { formQuestion, urlQuestion, type Script } from '../../src/testing/index.ts'
import { FakeClock } from '../fixtures/fake-session.ts'
import { answersOf, eras, faultOf, nextReview, receivedOf, withAnswers, withPerson } from '../fixtures/setting.ts'

const visit = urlQuestion('Sign in to the airline', 'https://air.example/login', 'e-1')

describe.each(eras)('a visit in the %s era', (era) => {
  test('is shown whole, and consent to it carries no content', async () => {
    const setting = await withPerson({ era, server: { tools: { connect: [visit] } }, decide: [{ action: 'accept' }] })
    await setting.call('connect')

    expect(setting.person.reviews).toMatchObject([
      {
        kind: 'url',
        subject: { message: 'Sign in to the airline', card: { url: 'https://air.example/login', host: 'air.example', site: 'air.example', verdict: 'show' } },
      },
    ])
    expect(answersOf(setting)).toEqual([{ action: 'accept' }])
  })

  test('is declined and cancelled apart', async () => {
    const setting = await withPerson({ era, server: { tools: { connect: [visit, visit] } }, decide: [{ action: 'decline' }, { action: 'cancel' }] })
    await setting.call('connect')

    expect(answersOf(setting)).toEqual([{ action: 'decline' }, { action: 'cancel' }])
  })

  test('touches no network: not before consent, and not after it either', async () => {
    let visits = 0
    const site = createServer((_request, response) => {
      visits += 1
      response.end()
    }).on('connection', () => (visits += 1))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void site.close())
    const { port } = site.address() as AddressInfo
    const setting = await withPerson({
      era,
      server: { tools: { connect: [urlQuestion('Go', `http://127.0.0.1:${port}/x`)] } },
      decide: [{ action: 'accept' }],
    })
    await setting.call('connect')

    expect([answersOf(setting), visits]).toEqual([[{ action: 'accept' }], 0])
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'not an address', ''])('to %j is refused, and nobody sees it', async (url) => {
    const setting = await withPerson({ era, server: { tools: { connect: [urlQuestion('Go', url)] } }, decide: [] })
    const { code, data } = await faultOf(setting.call('connect'))

    expect(setting.person.reviews).toEqual([])
    if (era === 'modern') expect([code, data?.['cause']]).toEqual(['INPUT_REFUSED', 'URL_REFUSED'])
    else expect(answersOf(setting)).toEqual([-32602])
  })
})

/** Tells a client that it has to visit pages, until it has, so many times over. */
function needsVisit(ids: readonly string[], times = 1): Script {
  let left = times
  return () => {
    if ((left -= 1) < 0) return 'connected'
    const elicitations: JsonObject[] = ids.map((elicitationId) => ({
      mode: 'url',
      elicitationId,
      url: `https://air.example/${elicitationId}`,
      message: 'Sign in',
    }))
    return { error: { code: -32042, message: 'This needs a visit', data: { elicitations } } }
  }
}

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

describe('the error that a visit is required (2025-11-25)', () => {
  test('one card for each page; the call is sent again, under a new id, when every page was reported done', async () => {
    const setting = await withPerson({
      era: 'legacy',
      server: { tools: { fly: needsVisit(['e-1', 'e-2']) } },
      decide: ({ kind }) => (kind === 'url' ? { action: 'accept' } : undefined),
    })
    const waits = nextReview(setting.inbox, 'url-wait')
    const result = setting.call('fly')
    const wait = await waits
    for (const elicitationId of ['unknown', 'e-1', 'e-1']) setting.server.notify('notifications/elicitation/complete', { elicitationId })
    const callsBefore = receivedOf(setting, 'tools/call').length
    setting.server.notify('notifications/elicitation/complete', { elicitationId: 'e-2' })

    expect(await result).toEqual(text('connected'))
    expect(setting.person.reviews.filter(({ kind }) => kind === 'url')).toHaveLength(2)
    expect(wait.subject).toMatchObject({ message: 'This needs a visit', cards: [{ host: 'air.example' }, { host: 'air.example' }] })
    expect([callsBefore, new Set(receivedOf(setting, 'tools/call').map(({ id }) => id)).size]).toEqual([1, 2])
  })

  test('a person goes on by hand where the server never reports, and waits again where that was too early', async () => {
    const decide = ({ kind }: Review): Decision => (kind === 'url' ? { action: 'accept' } : { action: 'continue' })
    const setting = await withPerson({ era: 'legacy', server: { tools: { fly: needsVisit(['e-1'], 3) } }, decide })

    expect(await setting.call('fly')).toEqual(text('connected'))
    expect(setting.person.reviews.map(({ kind }) => kind)).toEqual(['url', 'url-wait', 'url-wait', 'url-wait'])
  })

  test.each<[string, (review: Review) => Decision]>([
    ['declined', () => ({ action: 'decline' })],
    ['closed', () => ({ action: 'cancel' })],
    ['given up', ({ kind }) => ({ action: kind === 'url' ? 'accept' : 'cancel' }) as Decision],
  ])('a visit that is %s ends the call with the server’s own error', async (_, decide) => {
    const setting = await withPerson({ era: 'legacy', server: { tools: { fly: needsVisit(['e-1']) } }, decide })

    expect(await faultOf(setting.call('fly'))).toMatchObject({ code: 'SERVER_ERROR', data: { code: -32042, message: 'This needs a visit' } })
    expect(receivedOf(setting, 'tools/call')).toHaveLength(1)
  })

  test('a script goes on at once, and the same error again ends the call: nothing goes round for ever', async () => {
    const answers = [{ when: { request: 'elicitation', mode: 'url' }, then: { action: 'accept' } }]
    const once = await withAnswers({ era: 'legacy', server: { tools: { fly: needsVisit(['e-1']) } }, answers })
    const always = await withAnswers({ era: 'legacy', server: { tools: { fly: needsVisit(['e-1'], Infinity) } }, answers })

    expect(await once.call('fly')).toEqual(text('connected'))
    expect(await faultOf(always.call('fly'))).toMatchObject({ code: 'SERVER_ERROR', data: { code: -32042 } })
    expect(receivedOf(always, 'tools/call')).toHaveLength(2)
  })

  test('sixteen pages at once are sixteen cards, and no warning on stderr', async () => {
    const warnings: unknown[] = []
    const listen = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const ids = Array.from({ length: 16 }, (_, index) => `e-${index}`)
    const decide = ({ kind }: Review): Decision => (kind === 'url' ? { action: 'accept' } : { action: 'continue' })
    const setting = await withPerson({ era: 'legacy', server: { tools: { fly: needsVisit(ids) } }, decide })
    await setting.call('fly')
    await new Promise(setImmediate)

    expect([setting.person.reviews.length, warnings]).toEqual([17, []])
  })
})

describe('a modern call that comes back until the visit is over', () => {
  /** Comes back so many times after the visit. */
  async function visiting(times: number, decide: (review: Review) => Decision | undefined) {
    const clock = new FakeClock()
    const wait: Script = async ({ ask, pause }) => {
      await ask(visit)
      for (let round = 0; round < times; round += 1) await pause()
      return 'connected'
    }
    const setting = await withPerson({ era: 'modern', clock, server: { tools: { connect: wait } }, decide })
    const waits = nextReview(setting.inbox, 'url-wait')
    const result = setting.call('connect')
    result.catch(() => undefined)
    await clock.pass(0)
    await clock.pass(1000)
    return { ...setting, clock, result, card: await waits }
  }
  const agreeing = ({ kind }: Review): Decision | undefined => (kind === 'url' ? { action: 'accept' } : undefined)

  test('has a card with the page, which goes when the visit is over', async () => {
    const { clock, result, card, inbox } = await visiting(2, agreeing)
    await clock.pass(2000)

    expect(card.subject).toMatchObject({ message: 'Sign in to the airline', cards: [{ host: 'air.example' }] })
    expect([await result, inbox.size]).toEqual([text('connected'), 0])
  })

  test.each<[string, Extract<Script, (...given: never[]) => unknown>, string]>([
    ['its result', () => 'connected', visitDone],
    ['its next question', async ({ ask }) => ask(formQuestion('Which seat?', {})).then(() => 'connected'), visitDone],
    ['a result that says it failed', () => ({ result: { content: [], isError: true } }), visitOver],
  ])('says with %s what became of the visit', async (_, then, reason) => {
    const clock = new FakeClock()
    const connect: Script = async (conversation) => {
      await conversation.ask(visit)
      await conversation.pause()
      await conversation.pause()
      return then(conversation)
    }
    const decide = ({ kind }: Review): Decision | undefined => (kind === 'url-wait' ? undefined : { action: 'accept', content: {} })
    const setting = await withPerson({ era: 'modern', clock, server: { tools: { connect } }, decide })
    const closed = new Promise((resolve) => setting.inbox.on('review-closed', ({ review, settlement }) => review.kind === 'url-wait' && resolve(settlement)))
    const shown = nextReview(setting.inbox, 'url-wait')
    const result = setting.call('connect')
    await clock.pass(0)
    await clock.pass(1000)
    await shown
    await clock.pass(2000)

    expect(await closed).toMatchObject({ outcome: 'withdrawn', reason })
    await result
  })

  test('is sent again at once where the person says to go on', async () => {
    const { clock, result, card, inbox } = await visiting(2, agreeing)
    await clock.pass(600)
    await inbox.decide(card.id, { action: 'continue' }, 'a screen')

    expect([await result, clock.pending]).toEqual([text('connected'), 0])
  })

  test('ends where the person gives up', async () => {
    const { clock, result, card, inbox } = await visiting(Infinity, agreeing)
    await clock.pass(600)
    await inbox.decide(card.id, { action: 'cancel' }, 'a screen')

    expect(await faultOf(result)).toMatchObject({ code: 'CALL_CANCELLED' })
    expect([inbox.size, clock.pending]).toEqual([0, 0])
  })
})

test('in the legacy era a card stays after consent, until the server reports that it is done', async () => {
  const clock = new FakeClock()
  let finish = (): void => undefined
  const connect: Script = async ({ ask }) => {
    await ask(visit)
    await new Promise<void>((resolve) => (finish = resolve))
    return 'connected'
  }
  const decide = ({ kind }: Review): Decision | undefined => (kind === 'url' ? { action: 'accept' } : undefined)
  const setting = await withPerson({ era: 'legacy', clock, server: { tools: { connect } }, decide })
  const waits = nextReview(setting.inbox, 'url-wait')
  const result = setting.call('connect')
  while (answersOf(setting).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.pass(1000)
  const wait = await waits
  await clock.pass(600_000)
  const closed = new Promise((resolve) => setting.inbox.on('review-closed', ({ review }) => resolve(review.id)))
  setting.server.notify('notifications/elicitation/complete', { elicitationId: 'e-1' })

  expect(await closed).toBe(wait.id)
  finish()
  expect(await result).toEqual(text('connected'))
})

test('a modern call whose server works while somebody is on its page has a card, is not charged for that, and ends where they give up', async () => {
  const clock = new FakeClock()
  const wait: Script = async ({ ask }) => {
    await ask(visit)
    return new Promise<string>(() => undefined)
  }
  const decide = ({ kind }: Review): Decision | undefined => (kind === 'url' ? { action: 'accept' } : undefined)
  const setting = await withPerson({ era: 'modern', clock, server: { tools: { connect: wait } }, decide })
  const waits = nextReview(setting.inbox, 'url-wait')
  const result = setting.call('connect')
  result.catch(() => undefined)
  while (receivedOf(setting, 'tools/call').length < 2) await new Promise((resolve) => setImmediate(resolve))
  await clock.pass(1000)
  const card = await waits
  await clock.pass(600_000)
  await setting.inbox.decide(card.id, { action: 'cancel' }, 'a screen')

  expect(await faultOf(result)).toMatchObject({ code: 'CALL_CANCELLED' })
  expect([setting.inbox.size, clock.pending]).toEqual([0, 0])
})

test('in the modern era the server lets the client come back until the visit is over, at a pace that nobody notices', async () => {
  const clock = new FakeClock()
  const wait: Script = async ({ ask, pause }) => {
    await ask(visit)
    for (let round = 0; round < 5; round += 1) await pause()
    return 'connected'
  }
  const setting = await withPerson({ era: 'modern', clock, server: { tools: { connect: wait } }, decide: [{ action: 'accept' }] })
  const result = setting.call('connect')
  const counts: number[] = []
  for (const seconds of [0, 1, 2, 4, 8, 15]) {
    await clock.pass(seconds * 1000)
    counts.push(receivedOf(setting, 'tools/call').length)
  }

  expect([await result, counts]).toEqual([text('connected'), [2, 3, 4, 5, 6, 7]])
})
