import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConsoleDecision, ReviewSummary } from '../../src/console-api/contract.ts'
import { Grants } from '../../src/policy/index.ts'
import { openStore } from '../../src/store/index.ts'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

/** One of the features, and a client that declares it and shows nobody what it is asked. */
interface Feature {
  readonly method: string
  /** The tool that makes use of it. */
  readonly tool: string
  /** What the client says before anybody could read the question. */
  readonly refusal: object
  /** What it says when it is asked again. */
  readonly answer: object
  /** What a person says at the desk. A rule of the config tells the folder `trip`, and nobody is asked. */
  readonly decision?: ConsoleDecision
}

const features: Readonly<Record<'elicitation' | 'roots' | 'sampling', Feature>> = {
  elicitation: {
    method: 'elicitation/create',
    tool: 'who',
    refusal: { result: { action: 'cancel' } },
    answer: { action: 'accept', content: { name: 'by the client' } },
    decision: { action: 'accept', content: { name: 'on a trip' } },
  },
  roots: {
    method: 'roots/list',
    tool: 'folders',
    refusal: { error: { code: -32603, message: 'no folder is open' } },
    answer: { roots: [{ uri: 'file:///a', name: 'by the client' }] },
  },
  sampling: {
    method: 'sampling/createMessage',
    tool: 'sample',
    refusal: { error: { code: -1, message: 'no' } },
    answer: { role: 'assistant', model: 'm', content: { type: 'text', text: 'by the client' } },
    decision: { action: 'write', completion: { content: [{ type: 'text', text: 'a trip' }], model: 'person' } },
  },
}
const kinds = ['elicitation', 'roots', 'sampling'] as const
type Kind = (typeof kinds)[number]

async function connect(place: Workplace, kind: Kind): Promise<RawClient> {
  const client = RawClient.wrap(place, ['--name', 'asking', '--', node, askingServer, 'legacy'])
  await client.shakeHands({ [kind]: {} })
  return client
}

function call({ client, kind, id }: { readonly client: RawClient; readonly kind: Kind; readonly id: number }): void {
  client.say({ id, method: 'tools/call', params: { name: features[kind].tool, arguments: {} } })
}

function questionsOf({ lines }: RawClient, kind: Kind): readonly { readonly id: number }[] {
  const messages = lines.map((line) => JSON.parse(line) as { readonly id: number; readonly method?: string })
  return messages.filter(({ method }) => method === features[kind].method)
}

/** Has the server ask, and the client refuse before anybody could read it, until somebody at the desk is asked whether to take over. */
async function refuseUntilOffered(client: RawClient, kind: Kind, desk: DeskProgram): Promise<ReviewSummary> {
  let offer: ReviewSummary | undefined
  void desk.review((review) => review.kind === 'silent-client').then((review) => (offer = review))
  for (let id = 1; offer === undefined; id += 1) {
    call({ client, kind, id })
    await client.until(() => questionsOf(client, kind).length === id)
    client.say({ id: questionsOf(client, kind)[id - 1]!.id, ...features[kind].refusal })
    await client.answerTo(id)
  }
  return offer
}

/** The client is asked, and answers. */
async function answeredByClient(client: RawClient, kind: Kind, id: number): Promise<string> {
  call({ client, kind, id })
  await client.until(() => questionsOf(client, kind).length === 1)
  client.say({ id: questionsOf(client, kind)[0]!.id, result: features[kind].answer })
  return JSON.stringify(await client.answerTo(id))
}

/** A desk at which somebody has said that a client is to be taken over each time. */
async function takeOver(kind: Kind): Promise<{ readonly place: Workplace; readonly desk: DeskProgram }> {
  const place = new Workplace()
  mkdirSync(join(place.folder, 'trip'))
  place.config({ roots: { asking: [{ path: join(place.folder, 'trip') }] } })
  const desk = await DeskProgram.start(place)
  const client = await connect(place, kind)
  await desk.decide(await refuseUntilOffered(client, kind, desk), { action: 'take-over', always: true })
  await expect.poll(() => place.has('state/take-over'), { timeout: 30_000 }).toBe(true)
  client.child.stdin!.end()
  await client.ended
  return { place, desk }
}

/** Somebody at the desk is asked in place of the client. */
async function answeredHere(client: RawClient, kind: Kind, desk: DeskProgram): Promise<string> {
  call({ client, kind, id: 1 })
  const { decision } = features[kind]
  if (decision) await desk.decide(await desk.review((review) => review.kind !== 'silent-client'), decision)
  return JSON.stringify(await client.answerTo(1))
}

test('a client that closes every form unseen: a person at the desk takes over, and answers the next one there', async () => {
  const place = new Workplace()
  const desk = await DeskProgram.start(place)
  const client = await connect(place, 'elicitation')
  const questions = (): readonly { readonly id: number }[] => questionsOf(client, 'elicitation')
  const offer = await refuseUntilOffered(client, 'elicitation', desk)
  await desk.decide(offer, { action: 'take-over' })
  // Whoever decides is answered before the wrap hears of it: what still goes to the client is closed there as before.
  let closed = questions().length
  let isShown = false
  const form = desk.review(({ kind }) => kind === 'form').finally(() => (isShown = true))
  for (let id = closed + 1; !isShown; id += 1) {
    call({ client, kind: 'elicitation', id })
    await Promise.race([form, client.until(() => questions().length > closed)])
    for (; closed < questions().length; closed += 1) client.say({ id: questions()[closed]!.id, result: { action: 'cancel' } })
  }
  await desk.decide(await form, { action: 'accept', content: { name: 'Ada' } })

  // A question that the client had open when it was taken over has moved to the desk, so that it may be the call before that is answered.
  await client.until(() => client.lines.some((line) => line.includes('Ada')))

  expect(offer.asker).toMatchObject({ client: 'a-client' })
}, 120_000)

test.each(kinds)(
  'answered here each time (%s): the first question of the next connection is not with the client, and when another process revokes that, the very next is',
  async (kind) => {
    const { place, desk } = await takeOver(kind)
    const client = await connect(place, kind)
    const here = await answeredHere(client, kind, desk)
    const asked = questionsOf(client, kind).length
    const store = await openStore({ file: join(place.folder, 'state', 'consentry.db') })
    const grants = new Grants({ store })
    for (const { id } of await grants.list()) await grants.revoke(id)
    await store.close()

    expect([here, asked, await answeredByClient(client, kind, 2)]).toEqual([expect.stringContaining('trip'), 0, expect.stringContaining('by the client')])
  },
  120_000,
)

test.each(kinds)(
  'answered here each time (%s), and revoked at the desk: the client of the next connection answers itself',
  async (kind) => {
    const { place, desk } = await takeOver(kind)
    const { grants } = await desk.person.call('grants/list', {})
    for (const { id } of grants) await desk.person.call('grants/revoke', { id })
    const client = await connect(place, kind)

    expect(await answeredByClient(client, kind, 1)).toContain('by the client')
    expect(grants.map((grant) => [grant.kind, grant.details])).toEqual([[kind, { answeredHereInPlaceOf: 'a-client' }]])
  },
  120_000,
)
