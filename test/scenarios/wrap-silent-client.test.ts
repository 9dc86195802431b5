import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Grants } from '../../src/policy/index.ts'
import { openStore } from '../../src/store/index.ts'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

function questionsOf({ lines }: RawClient): readonly { readonly id: number }[] {
  return lines.map((line) => JSON.parse(line) as { readonly id: number; readonly method?: string }).filter(({ method }) => method === 'elicitation/create')
}

/** Has the server ask, so many times, and closes each form before anybody could read it. */
async function closeUnseen(client: RawClient, times: number): Promise<void> {
  for (let id = 1; id <= times; id += 1) {
    client.say({ id, method: 'tools/call', params: { name: 'who', arguments: {} } })
    await client.until(() => questionsOf(client).length === id)
    client.say({ id: questionsOf(client)[id - 1]!.id, result: { action: 'cancel' } })
    await client.answerTo(id)
  }
}

test('a client that closes every form unseen: a person at the desk takes over, and answers the next one there', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const client = RawClient.wrap(place, ['--', node, askingServer, 'legacy'])
  await client.shakeHands({ elicitation: {} })
  let closed = 3
  const questions = (): readonly { readonly id: number }[] => questionsOf(client)
  await closeUnseen(client, 3)
  const offer = await desk.review(({ kind }) => kind === 'silent-client')
  await desk.decide(offer, { action: 'take-over' })
  // Whoever decides is answered before the wrap hears of it: what still goes to the client is closed there as before.
  let isShown = false
  const form = desk.review(({ kind }) => kind === 'form').finally(() => (isShown = true))
  let id = 3
  while (!isShown) {
    id += 1
    client.say({ id, method: 'tools/call', params: { name: 'who', arguments: {} } })
    await Promise.race([form, client.until(() => questions().length > closed)])
    for (; closed < questions().length; closed += 1) client.say({ id: questions()[closed]!.id, result: { action: 'cancel' } })
  }
  await desk.decide(await form, { action: 'accept', content: { name: 'Ada' } })

  // A question that the client had open when it was taken over has moved to the desk, so that it may be the call before that is answered.
  await client.until(() => client.lines.some((line) => line.includes('Ada')))

  expect(offer.asker).toMatchObject({ client: 'a-client' })
}, 120_000)

test('answered here each time, and revoked by another process while it runs: the very next form is with the client again', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const connect = async (): Promise<RawClient> => {
    const client = RawClient.wrap(place, ['--', node, askingServer, 'legacy'])
    await client.shakeHands({ elicitation: {} })
    return client
  }
  const first = await connect()
  await closeUnseen(first, 3)
  await desk.decide(await desk.review(({ kind }) => kind === 'silent-client'), { action: 'take-over', always: true })
  await expect.poll(() => place.has('state/take-over'), { timeout: 30_000 }).toBe(true)
  const second = await connect()
  second.say({ id: 1, method: 'tools/call', params: { name: 'who', arguments: {} } })
  await desk.decide(await desk.review(({ kind }) => kind === 'form'), { action: 'accept', content: { name: 'Ada' } })
  await second.answerTo(1)
  const store = await openStore({ file: join(place.folder, 'state', 'consentry.db') })
  const grants = new Grants({ store })
  for (const { id } of await grants.list()) await grants.revoke(id)
  await store.close()
  second.say({ id: 2, method: 'tools/call', params: { name: 'who', arguments: {} } })
  await second.until(() => questionsOf(second).length === 1)
  second.say({ id: questionsOf(second)[0]!.id, result: { action: 'accept', content: { name: 'Bob' } } })

  expect(JSON.stringify(await second.answerTo(2))).toContain('Bob')
}, 120_000)

test('answered here each time: the first form of the next connection is at the desk, until that is revoked', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const connect = async (): Promise<RawClient> => {
    const client = RawClient.wrap(place, ['--', node, askingServer, 'legacy'])
    await client.shakeHands({ elicitation: {} })
    return client
  }
  const first = await connect()
  await closeUnseen(first, 3)
  await desk.decide(await desk.review(({ kind }) => kind === 'silent-client'), { action: 'take-over', always: true })
  await expect.poll(() => place.has('state/take-over'), { timeout: 30_000 }).toBe(true)
  first.child.stdin!.end()
  await first.ended
  const second = await connect()
  second.say({ id: 1, method: 'tools/call', params: { name: 'who', arguments: {} } })
  await desk.decide(await desk.review(({ kind }) => kind === 'form'), { action: 'accept', content: { name: 'Ada' } })
  await second.answerTo(1)
  const { grants } = await desk.person.call('grants/list', {})
  for (const { id } of grants) await desk.person.call('grants/revoke', { id })
  second.child.stdin!.end()
  await second.ended
  const third = await connect()
  await closeUnseen(third, 1)

  expect([questionsOf(second), grants.map(({ kind, details }) => [kind, details])]).toEqual([[], [['elicitation', { answeredHereInPlaceOf: 'a-client' }]]])
}, 120_000)
