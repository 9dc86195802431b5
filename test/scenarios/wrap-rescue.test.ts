import { expect, test } from 'vitest'
import type { ReviewDetail, ReviewSummary } from '../../src/console-api/contract.ts'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { modern } from '../fixtures/gateway-talk.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 120_000
const typed = { name: 'Ada Lovelace', age: 36 }

type Era = 'legacy' | 'modern'

async function connect(place: Workplace, era: Era, name: string): Promise<RawClient> {
  const client = RawClient.wrap(place, ['--name', name, '--', node, askingServer, era])
  if (era === 'legacy') await client.shakeHands()
  return client
}

/** Has the server ask who somebody is. */
function ask({ client, era, id, tool = 'who' }: { readonly client: RawClient; readonly era: Era; readonly id: number; readonly tool?: string }): void {
  const params = { name: tool, arguments: {} }
  client.say({ id, method: 'tools/call', params: era === 'modern' ? modern({}, params) : params })
}

async function detail(desk: DeskProgram, { id }: ReviewSummary): Promise<ReviewDetail> {
  const found = await desk.person.call('review/get', { id })
  if (found.status !== 'found') throw new Error(`it is ${found.status}`)
  return found.review
}

/** Somebody fills the form in, and does not send it. */
async function fillIn(desk: DeskProgram, fits: (review: ReviewSummary) => boolean = () => true): Promise<ReviewSummary> {
  const review = await desk.review(fits)
  await desk.person.call('review/draft', { id: review.id, window: 'w', draft: typed })
  expect((await detail(desk, review)).rescuedAt).toBeUndefined()
  return review
}

const ways: readonly (readonly [era: Era, way: string, giveUp: (client: RawClient) => void])[] = (['legacy', 'modern'] as const).flatMap((era) => [
  [era, 'cancels its call', (client) => client.say({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'timed out' } })],
  [era, 'is killed, and its wrap with it,', (client) => client.child.kill('SIGKILL')],
])

test.each(ways)(
  'what a person filled in when the client (%s) %s is offered when the same server asks the same, and sent as it was',
  async (era, _, giveUp) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const first = await connect(place, era, 'asking')
    ask({ client: first, era, id: 1 })
    const left = await fillIn(desk)
    giveUp(first)
    const end = await desk.endOf(left.id)
    const second = await connect(place, era, 'asking')
    ask({ client: second, era, id: 1 })
    const again = await desk.review(({ id }) => id !== left.id)
    const offered = await detail(desk, again)
    await desk.decide(again, { action: 'accept', content: typed })

    expect([end.outcome, offered.draft, typeof offered.rescuedAt]).toEqual(['withdrawn', typed, 'number'])
    expect(JSON.stringify(await second.answerTo(1))).toContain('Ada Lovelace')
  },
  LONG,
)

test(
  'another question, and another server with the same one, are offered nothing of it; and once it was sent nobody is',
  async () => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const client = await connect(place, 'legacy', 'asking')
    ask({ client, era: 'legacy', id: 1 })
    const left = await fillIn(desk)
    client.say({ method: 'notifications/cancelled', params: { requestId: 1 } })
    await desk.endOf(left.id)
    const other = await connect(place, 'legacy', 'other')
    const seen = new Set([left.id])
    const next = async (): Promise<ReviewDetail> => {
      const review = await desk.review(({ id }) => !seen.has(id))
      seen.add(review.id)
      return detail(desk, review)
    }
    ask({ client: other, era: 'legacy', id: 1 })
    const ofAnother = await next()
    ask({ client, era: 'legacy', id: 2, tool: 'login' })
    const anotherQuestion = await next()
    ask({ client, era: 'legacy', id: 3 })
    const same = await next()
    await desk.decide(same, { action: 'accept', content: typed })
    await client.answerTo(3)
    ask({ client, era: 'legacy', id: 4 })
    const afterwards = await next()

    expect([ofAnother, anotherQuestion, same, afterwards].map(({ rescuedAt }) => typeof rescuedAt)).toEqual(['undefined', 'undefined', 'number', 'undefined'])
  },
  LONG,
)
