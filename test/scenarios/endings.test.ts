import { describe, expect, test } from 'vitest'
import { formQuestion, modelQuestion, type Script } from '../../src/testing/index.ts'
import { answersOf, eras, faultOf, nextReview, receivedOf, withPerson, type SettingWithPerson } from '../fixtures/setting.ts'

const who = formQuestion('Who?', { name: { type: 'string' } })
const ask: Script = [who]

/** How the log says that each question ended. */
function loggedEnds({ audit }: SettingWithPerson): readonly string[] {
  return audit.entries.filter(({ event }) => event === 'answered' || event === 'withdrawn').map(({ event, outcome = '' }) => `${event} ${outcome}`.trim())
}

describe.each(eras)('while a person thinks, in the %s era', (era) => {
  test('a call that the client cancels takes its question with it, and what is decided later goes nowhere', async () => {
    const setting = await withPerson({ era, server: { tools: { ask } }, decide: () => undefined })
    const caller = new AbortController()
    const opened = nextReview(setting.inbox)
    const fault = faultOf(setting.call('ask', { signal: caller.signal }))
    const { id } = await opened
    caller.abort()

    expect(await fault).toMatchObject({ code: 'CALL_CANCELLED' })
    await expect.poll(() => setting.inbox.size).toBe(0)
    expect(await setting.inbox.decide(id, { action: 'accept', content: { name: 'Ada' } }, 'late')).toEqual({ status: 'ended', outcome: 'withdrawn' })
    await expect.poll(() => loggedEnds(setting)).toEqual(['withdrawn'])
    expect(answersOf(setting).filter((answer) => (answer as { action?: string }).action === 'accept')).toEqual([])
    if (era === 'legacy') await setting.server.waitFor('notifications/cancelled')
    expect(receivedOf(setting, 'notifications/cancelled')).toHaveLength(era === 'legacy' ? 1 : 0)
  })

  test('a server that dies ends the call at once, and takes its question with it', async () => {
    const setting = await withPerson({ era, server: { tools: { ask } }, decide: () => undefined, reconnect: { attempts: 0 } })
    const opened = nextReview(setting.inbox)
    const fault = faultOf(setting.call('ask'))
    await opened
    await setting.server.close()

    expect([await fault, setting.inbox.size]).toMatchObject([{ code: 'CONNECTION_LOST' }, 0])
    await expect.poll(() => loggedEnds(setting)).toEqual(['withdrawn'])
  })

  test('a host that closes ends the call and its question, once each', async () => {
    const setting = await withPerson({ era, server: { tools: { ask } }, decide: () => undefined })
    const opened = nextReview(setting.inbox)
    const fault = faultOf(setting.call('ask'))
    await opened
    await setting.host.close()

    expect([(await fault).code, setting.inbox.size]).toEqual(['CALL_CANCELLED', 0])
    await expect.poll(() => loggedEnds(setting)).toEqual(['withdrawn'])
    expect(setting.ends).toHaveLength(1)
  })

  test('a person who leaves ends the question as cancel, never as a decision', async () => {
    const setting = await withPerson({ era, server: { tools: { ask } }, decide: () => undefined })
    const opened = nextReview(setting.inbox)
    const result = setting.call('ask')
    await opened
    setting.person.leave()
    await result

    expect([answersOf(setting), loggedEnds(setting)]).toEqual([[{ action: 'cancel' }], ['answered cancel']])
    expect(setting.ends).toMatchObject([{ response: { by: 'none', unanswered: 'no-one-to-ask' } }])
  })

  test('a deadline that passes ends the question as cancel, and the server is told so', async () => {
    const setting = await withPerson({ era, server: { tools: { ask } }, inbox: { humanTimeoutMs: 30 }, decide: () => undefined })
    await setting.call('ask')

    expect(answersOf(setting)).toEqual([{ action: 'cancel' }])
    expect(setting.ends).toMatchObject([{ response: { by: 'none', unanswered: 'timed-out' } }])
  })

  test('the next question is shown and answered while the first still waits', async () => {
    const setting = await withPerson({
      era,
      server: { tools: { ask, other: [formQuestion('Where?', { place: { type: 'string' } })] } },
      decide: (review) => (review.kind === 'form' && review.subject.message === 'Where?' ? { action: 'accept', content: { place: 'Lisbon' } } : undefined),
    })
    const opened = nextReview(setting.inbox)
    const first = setting.call('ask')
    const { id } = await opened
    await setting.call('other')
    const answeredBefore = answersOf(setting)
    await setting.inbox.decide(id, { action: 'accept', content: { name: 'Ada' } }, 'a screen')
    await first

    expect([answeredBefore, answersOf(setting)]).toEqual([
      [{ action: 'accept', content: { place: 'Lisbon' } }],
      [
        { action: 'accept', content: { place: 'Lisbon' } },
        { action: 'accept', content: { name: 'Ada' } },
      ],
    ])
  })
})

test('a legacy server that takes its question back gets no answer to it, and its next question is shown at once', async () => {
  const takesBack: Script = async ({ ask: askNow, notify }) => {
    void askNow(who).catch(() => undefined)
    await reviewShown
    notify('notifications/cancelled', { requestId: 1, reason: 'never mind' })
    await askNow(modelQuestion('Instead?'))
    return 'done'
  }
  let shown = (): void => undefined
  const reviewShown = new Promise<void>((resolve) => (shown = resolve))
  const setting = await withPerson({
    era: 'legacy',
    server: { tools: { takesBack } },
    decide: ({ kind }) => {
      if (kind === 'form') shown()
      return kind === 'prompt' ? { action: 'write', completion: { content: [{ type: 'text', text: 'Yes.' }], model: 'person' } } : undefined
    },
  })
  await setting.call('takesBack')

  expect(setting.ends.map(({ request, response }) => [request.kind, response.outcome])).toEqual([
    ['elicitation', 'withdrawn'],
    ['sampling', 'answered'],
  ])
  expect(setting.server.received.filter((message) => message['id'] === 1 && message['method'] === undefined)).toEqual([])
})

test('a server that comes back after it died is asked on, with a session of its own', async () => {
  const setting = await withPerson({
    era: 'legacy',
    server: { tools: { ask } },
    decide: () => ({ action: 'accept', content: { name: 'Ada' } }),
    reconnect: { firstMs: 1 },
  })
  await setting.call('ask')
  const ready = new Promise<void>((resolve) => setting.host.on('server-status', ({ status }) => void (status.state === 'ready' && resolve())))
  await setting.server.close()
  await ready
  await setting.call('ask')

  expect(answersOf(setting)).toEqual([
    { action: 'accept', content: { name: 'Ada' } },
    { action: 'accept', content: { name: 'Ada' } },
  ])
  expect(new Set(setting.audit.entries.map(({ connection }) => connection)).size).toBe(2)
})
