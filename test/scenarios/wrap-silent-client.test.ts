import { expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

test('a client that closes every form unseen: a person at the desk takes over, and answers the next one there', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const client = RawClient.wrap(place, ['--', node, askingServer, 'legacy'])
  await client.shakeHands({ elicitation: {} })
  let closed = 0
  const questions = (): readonly { readonly id: number }[] =>
    client.lines.map((line) => JSON.parse(line) as { readonly id: number; readonly method?: string }).filter(({ method }) => method === 'elicitation/create')
  for (let id = 1; id <= 3; id += 1) {
    client.say({ id, method: 'tools/call', params: { name: 'who', arguments: {} } })
    await client.until(() => questions().length > closed)
    client.say({ id: questions()[closed]!.id, result: { action: 'cancel' } })
    closed += 1
    await client.answerTo(id)
  }
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
