import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk, type Said } from '../../test/fixtures/gateway-talk.ts'
import { ConsentryError } from '../errors.ts'
// Loaded with the first round that is split; here before anything is timed.
import './fingerprint.ts'

const form = { message: 'm', requestedSchema: { type: 'object', properties: {} } }
const listed = [{ mode: 'url', elicitationId: 'e', url: 'https://a.example/', message: 'm' }]
const id = fc.oneof(fc.nat(4), fc.nat(4).map(String))
const method = fc.constantFrom('elicitation/create', 'roots/list', 'sampling/createMessage', 'ping')

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('server asks' as const), id, method }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('server takes back' as const), id }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('client answers' as const), id }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('desk answers' as const), which: fc.nat(30), how: fc.constantFrom('accept', 'refuse', 'withdraw') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('client calls' as const), id, isModern: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('client cancels' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('server answers' as const),
      which: fc.nat(30),
      how: fc.constantFrom('done', 'asks', 'asks both', 'visit', 'error'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('time passes' as const), ms: fc.constantFrom(0, 6000, 4_000_000) }) },
)

const keyOf = ({ id }: Said): string => JSON.stringify(id)
const isRequest = (said: Said): boolean => said.method !== undefined && said.id !== undefined
const isResponse = (said: Said): boolean => said.method === undefined

function count(all: readonly Said[], filter: (said: Said) => boolean): Map<string, number> {
  const counted = new Map<string, number>()
  for (const said of all.filter(filter)) counted.set(keyOf(said), (counted.get(keyOf(said)) ?? 0) + 1)
  return counted
}

test('in whatever order client, server, desk and time act: nobody gets a response to nothing, or two to one request, and nothing is left after the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 50 }),
      fc.constantFrom({}, { elicitation: { form: {} } }, { roots: {}, sampling: {} }),
      async (steps, capabilities) => {
        const talk = new Talk().shakeHands(capabilities)
        const saidByServer: Said[] = []
        const saidByClient: Said[] = []
        const server = (message: object): void => void (saidByServer.push(message as Said), talk.server(message))
        const client = (message: object): void => void (saidByClient.push(message as Said), talk.client(message))
        const openAtServer = (): readonly Said[] => {
          const done = count(saidByServer, isResponse)
          return talk.atServer.filter((said) => isRequest(said) && !done.has(keyOf(said)))
        }
        for (const one of steps) {
          switch (one.do) {
            case 'server asks':
              server({ id: one.id, method: one.method, ...(one.method !== 'ping' && { params: form }) })
              break
            case 'server takes back':
              server({ method: 'notifications/cancelled', params: { requestId: one.id } })
              break
            case 'client answers':
              client({ id: one.id, result: { by: 'client' } })
              break
            case 'desk answers': {
              const waiting = talk.session.waiting[one.which % talk.session.waiting.length]
              const refused = { outcome: 'refused', by: 'none', error: new ConsentryError('NO_ONE_TO_ASK', 'n') } as const
              if (one.how === 'accept') waiting?.settle(answered({ action: 'accept', roots: [] }))
              else waiting?.settle(one.how === 'refuse' ? refused : { outcome: 'withdrawn', reason: 'gone' })
              break
            }
            case 'client calls':
              client({ id: one.id, method: 'tools/call', params: one.isModern ? modern(capabilities, { name: 'run' }) : { name: 'run' } })
              break
            case 'client cancels':
              client({ method: 'notifications/cancelled', params: { requestId: one.id } })
              break
            case 'server answers': {
              const open = openAtServer()
              const request = open[one.which % open.length]
              if (request === undefined) break
              const own = { a: { method: 'sampling/createMessage', params: {} } }
              if (one.how === 'done') server({ id: request.id, result: { resultType: 'complete' } })
              if (one.how === 'asks') server({ id: request.id, result: { resultType: 'input_required', inputRequests: own, requestState: 's' } })
              if (one.how === 'asks both')
                server({
                  id: request.id,
                  result: { resultType: 'input_required', inputRequests: { ...own, b: { method: 'elicitation/create', params: form } } },
                })
              if (one.how === 'visit') server({ id: request.id, error: { code: -32042, message: 'm', data: { elicitations: listed } } })
              if (one.how === 'error') server({ id: request.id, error: { code: -1, message: 'm' } })
              break
            }
            case 'time passes':
              await talk.clock.pass(one.ms)
              break
            default:
              one satisfies never
          }
        }
        await talk.settle()
        talk.conversation.close(new Error('the end'))
        const [before, after] = [
          [talk.clientLines.length, talk.serverLines.length],
          [0, 0],
        ]
        for (const { settle } of talk.session.waiting) settle(answered({ action: 'accept' }))
        await talk.settle()
        after[0] = talk.clientLines.length
        after[1] = talk.serverLines.length

        const askedByServer = count(saidByServer, isRequest)
        for (const [key, times] of count(talk.atServer, isResponse)) expect([key, times <= (askedByServer.get(key) ?? 0)]).toEqual([key, true])
        const askedByClient = count(saidByClient, isRequest)
        for (const [key, times] of count(talk.atClient, isResponse)) expect([key, times <= (askedByClient.get(key) ?? 0)]).toEqual([key, true])
        expect(
          talk.atClient.filter((said) => isRequest(said) && !['ping', 'elicitation/create', 'roots/list', 'sampling/createMessage'].includes(said.method!)),
        ).toEqual([])
        expect(after).toEqual(before)
        expect([talk.clock.pending, talk.session.isClosed || talk.sessionsOpened === 0]).toEqual([0, true])
        expect(talk.session.waiting.every(({ signal }) => signal.aborted || talk.serverLines.length > 0 || talk.clientLines.length > 0)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
}, 60_000)
