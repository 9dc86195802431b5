import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connected } from '../../test/fixtures/connected.ts'
import { answered, FakeClock } from '../../test/fixtures/fake-session.ts'
import { settled } from '../../test/fixtures/raw-peer.ts'

const form = { message: 'm', requestedSchema: { type: 'object', properties: {} } }

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), id: fc.oneof(fc.nat(4), fc.nat(4).map(String)) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take back' as const), id: fc.oneof(fc.nat(4), fc.nat(4).map(String)) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('call' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel call' as const), which: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finish call' as const), which: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stray' as const) }) },
)

test('in whatever order people, servers and callers act: at most one response for each question, none for anything else, nothing left after the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom('server', 'client'), fc.boolean(), async (steps, closer, pause) => {
      const clock = new FakeClock()
      const { attached, session, peer, client, calls } = await connected({ clock })
      const asked: unknown[] = []
      const outcomes: Promise<unknown>[] = []
      const callers: AbortController[] = []
      for (const one of steps) {
        if (one.do === 'ask') {
          asked.push(one.id)
          peer.send({ id: one.id, method: 'elicitation/create', params: form })
        }
        if (one.do === 'answer') session.waiting[one.which % session.waiting.length]?.settle(answered({ action: 'accept', content: {} }))
        if (one.do === 'take back') peer.send({ method: 'notifications/cancelled', params: { requestId: one.id } })
        if (one.do === 'call') {
          const caller = new AbortController()
          callers.push(caller)
          outcomes.push(attached.callTool({ name: 'run' }, { signal: caller.signal }).catch((error: unknown) => error))
        }
        if (one.do === 'cancel call') callers[one.which % callers.length]?.abort()
        if (one.do === 'finish call' && calls().length > 0) peer.send({ id: calls()[one.which % calls().length]!.id, result: { content: [] } })
        if (one.do === 'stray') peer.send({ id: 999, result: {} })
        if (one.do === 'wait') await settled()
      }
      if (pause) await settled()
      await (closer === 'server' ? peer.close() : client.close())
      for (const { settle } of session.waiting) settle(answered({ action: 'accept', content: {} }))
      await Promise.all(outcomes)
      await settled()

      const responses = peer.received.filter(({ method }) => method === undefined)
      for (const id of new Set(asked)) expect(peer.answersTo(id).length).toBeLessThanOrEqual(asked.filter((other) => other === id).length)
      expect(responses.filter(({ id }) => !asked.includes(id))).toEqual([])
      expect(session.waiting.filter(({ signal }) => !signal.aborted).length).toBeLessThanOrEqual(responses.filter(({ result }) => result !== undefined).length)
      expect(clock.pending).toBe(0)
    }),
    { numRuns: 150 },
  )
})

test.each([500, 2000])(
  '%d questions in one burst: sixteen at a time, each answered once, none lost (the SDK alone handles them all at once)',
  async (count) => {
    let atOnce = 0
    let most = 0
    const { peer, session } = await connected()
    session.answer = async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return answered({ action: 'decline' })
    }
    for (let id = 0; id < count; id += 1) peer.send({ id, method: 'elicitation/create', params: form })
    await peer.next(({ id }) => id === count - 1)

    const answeredIds = peer.received.filter(({ method }) => method === undefined).map(({ id }) => id)
    expect({ most, answers: answeredIds.length, different: new Set(answeredIds).size }).toEqual({ most: 16, answers: count, different: count })
  },
)
