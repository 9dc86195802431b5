import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MemoryAudit } from '../../src/audit/index.ts'
import { createLocalDesk } from '../../src/desk/index.ts'
import { Host } from '../../src/host/index.ts'
import type { DecideResult } from '../../src/inbox/index.ts'
import type { Review } from '../../src/protocol/index.ts'
import { connectPair, createScriptedPerson, createScriptedServer, formQuestion, modelQuestion, type Script } from '../../src/testing/index.ts'
import { RawPeer, settled } from '../fixtures/raw-peer.ts'
import { eras, nextReview, withDesk, withPerson } from '../fixtures/setting.ts'

const who = formQuestion('Who?', { name: { type: 'string' } })

/** Answers each form with the name of the server that asks, and what it asked. */
function nameTheAsker(review: Review): { readonly action: 'accept'; readonly content: { readonly name: string } } {
  const { message } = review.subject as { message: string }
  return { action: 'accept', content: { name: `${review.origin.server.name}: ${message}` } }
}

describe.each(eras)('in the %s era', (era) => {
  test('rule 5: two servers that ask the same under the same ids get each its own answer', async () => {
    const { desk, inbox } = createLocalDesk()
    createScriptedPerson({ inbox, decide: nameTheAsker })
    const servers = ['one', 'two'].map((name) => createScriptedServer({ tools: { ask: [formQuestion(`I am ${name}`, { name: { type: 'string' } })] } }))
    const pairs = await Promise.all(servers.map((server, index) => connectPair({ desk, era, server, name: `server ${index}` })))
    onTestFinished(async () => {
      for (const pair of pairs) await pair.close()
      await desk.close()
    })
    await Promise.all(pairs.map(({ client }) => client.callTool({ name: 'ask' })))

    expect(servers.map(({ answers }) => answers.map(({ answer }) => answer))).toEqual([
      [{ result: { action: 'accept', content: { name: 'server 0: I am one' } } }],
      [{ result: { action: 'accept', content: { name: 'server 1: I am two' } } }],
    ])
  })

  test('rule 5: parallel calls of one tool do not cross, whichever is answered first', async () => {
    const echo: Script = async ({ ask, input }) =>
      JSON.stringify(await ask(formQuestion(`Number ${JSON.stringify(input['number'])}`, { name: { type: 'string' } })))
    const setting = await withPerson({ era, server: { tools: { echo } }, decide: () => undefined })
    const reviews: Review[] = []
    const all = new Promise<void>((resolve) => setting.inbox.on('review-opened', (review) => void (reviews.push(review) === 3 && resolve())))
    const results = [0, 1, 2].map((number) => setting.host.callTool({ server: 'travel', name: 'echo', arguments: { number } }))
    await all
    for (const review of reviews.toReversed()) await setting.inbox.decide(review.id, nameTheAsker(review), 'a screen')

    expect((await Promise.all(results)).map(({ content }) => JSON.parse((content as unknown as readonly { text: string }[])[0]!.text) as unknown)).toEqual(
      [0, 1, 2].map((number) => ({ result: { action: 'accept', content: { name: `travel: Number ${number}` } } })),
    )
    expect(reviews.map(({ origin }) => origin.call)).toEqual(
      era === 'legacy' ? Array.from({ length: 3 }, () => ({ kind: 'one-of', count: 3 })) : Array.from({ length: 3 }, () => ({ kind: 'tool', name: 'echo' })),
    )
  })

  test('rule 5: a call that is cancelled takes its own question, and no other', async () => {
    const setting = await withPerson({ era, server: { tools: { one: [who], two: [who] } }, decide: () => undefined })
    const [first, second] = [new AbortController(), new AbortController()]
    const opened = nextReview(setting.inbox)
    const one = setting.call('one', { signal: first.signal }).catch((error: { code: string }) => error.code)
    await opened
    const openedToo = nextReview(setting.inbox)
    const two = setting.call('two', { signal: second.signal })
    const { id } = await openedToo
    first.abort()
    const left = await setting.inbox.decide(id, { action: 'decline' }, 'a screen')
    await two

    expect([await one, left.status, setting.inbox.size]).toEqual(['CALL_CANCELLED', 'decided', 0])
  })

  test('rule 6: whatever happens in whatever order, each call and each question ends exactly once', async () => {
    const step = fc.constantFrom('call', 'call two', 'decide', 'cancel call', 'attach', 'leave', 'turn', 'server dies', 'host closes')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 18 }), async (steps) => {
        const audit = new MemoryAudit()
        const { desk, inbox } = createLocalDesk({ audit })
        let leave = inbox.attach({ name: 'a screen', kinds: ['form', 'prompt'] })
        const server = createScriptedServer({ tools: { ask: [who], two: [modelQuestion('Well?'), who] } })
        const setting = await withDesk(desk, { era, server, reconnect: { attempts: 0 } })
        const callers: AbortController[] = []
        const settled: string[] = []
        const calls: Promise<void>[] = []
        const decisions: Promise<DecideResult>[] = []
        for (const what of [...steps, 'turn', 'host closes', 'turn'] as const) {
          if (what === 'call' || what === 'call two') {
            const caller = new AbortController()
            callers.push(caller)
            const call = setting.call(what === 'call' ? 'ask' : 'two', { signal: caller.signal })
            calls.push(call.then(() => void settled.push('done')).catch(() => void settled.push('failed')))
          }
          const [review] = inbox.list({ limit: 1 })
          if (what === 'decide' && review) decisions.push(inbox.decide(review.id, { action: 'cancel' }, 'a screen'))
          if (what === 'cancel call') callers.shift()?.abort()
          if (what === 'attach') leave = inbox.attach({ name: 'a screen', kinds: ['form', 'prompt'] })
          if (what === 'leave') leave()
          if (what === 'turn') await new Promise((resolve) => setTimeout(resolve))
          if (what === 'server dies') await server.close()
          if (what === 'host closes') await setting.host.close()
        }
        await Promise.all([...calls, ...decisions])
        await desk.close()
        await new Promise((resolve) => setTimeout(resolve))

        const questions = [...new Set(audit.entries.map(({ question }) => question))]
        const endsOf = (id: string): number =>
          audit.entries.filter(({ question, event }) => question === id && (event === 'answered' || event === 'withdrawn')).length
        const responses = server.received.filter(({ method }) => method === undefined).map(({ id }) => id)
        expect([settled.length, inbox.size]).toEqual([calls.length, 0])
        expect(questions.map(endsOf)).toEqual(questions.map(() => 1))
        expect(new Set(responses).size).toBe(responses.length)
        inbox.close()
      }),
      { numRuns: 40 },
    )
  })
})

test('rule 5: ids of a server are told apart by their type, and one that is open already is refused', async () => {
  const { desk, inbox } = createLocalDesk()
  createScriptedPerson({ inbox, decide: nameTheAsker })
  const peer = new RawPeer()
  peer.onRequest = ({ method }) =>
    method === 'initialize' ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'raw', version: '1' } } } : undefined
  const host = new Host({ desk, servers: [{ name: 'raw', protocol: '2025-11-25', transport: peer.client }] })
  onTestFinished(async () => {
    await host.close()
    await desk.close()
  })
  await host.connect()
  const ask = (id: unknown, message: string): void =>
    peer.send({ id, method: 'elicitation/create', params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } })
  for (const [id, message] of [
    [1, 'number'],
    ['1', 'text'],
    [0, 'nought'],
    ['', 'empty'],
    [1, 'again'],
  ] as const)
    ask(id, message)
  await peer.next(({ id, method }) => method === undefined && id === '')
  await settled()

  const names = (id: unknown): readonly unknown[] =>
    peer.answersTo(id).map(({ result, error }) => (error ? error.code : (result as { content: { name: string } }).content.name))
  expect([1, '1', 0, ''].map(names)).toEqual([expect.arrayContaining(['raw: number', -32600]), ['raw: text'], ['raw: nought'], ['raw: empty']])
})

test('rule 6: the first decision wins, and every other is told so', async () => {
  const setting = await withPerson({ era: 'legacy', server: { tools: { ask: [who] } }, decide: () => undefined })
  const opened = nextReview(setting.inbox)
  const result = setting.call('ask')
  const { id } = await opened
  const told = await Promise.all(
    ['kitchen', 'office', 'phone'].map((surface) => setting.inbox.decide(id, { action: 'accept', content: { name: surface } }, surface)),
  )
  await result

  expect(told).toEqual([
    { status: 'decided' },
    { status: 'ended', outcome: 'decided', surface: 'kitchen' },
    { status: 'ended', outcome: 'decided', surface: 'kitchen' },
  ])
  expect(setting.ends).toMatchObject([{ response: { result: { content: { name: 'kitchen' } } } }])
})
