import { expect, test } from 'vitest'
import type { ClientSilence, ConnectionOrigin, Settlement } from '../protocol/index.ts'
import { connection } from './contract-parts.ts'
import { SilentClient, type TakeOvers } from './silent-client.ts'

class Kept implements TakeOvers {
  readonly clients = new Set<string | undefined>()
  readonly followers = new Set<() => void>()
  looks = 0

  async has({ client }: ConnectionOrigin): Promise<boolean> {
    this.looks += 1
    return this.clients.has(client)
  }

  async add({ client }: ConnectionOrigin): Promise<void> {
    this.clients.add(client)
  }

  onRevoked(callback: () => void): () => void {
    this.followers.add(callback)
    return () => this.followers.delete(callback)
  }

  revoke(client: string): void {
    this.clients.delete(client)
    for (const tell of this.followers) tell()
  }
}

const broken = (has: () => Promise<boolean>): TakeOvers => ({ has, add: () => Promise.reject(new Error('no disk')), onRevoked: () => () => undefined })

interface Opened {
  readonly client: SilentClient
  readonly offers: ClientSilence[]
  readonly takenOver: () => number
  readonly givenBack: () => number
}

const decided = (decision: Extract<Settlement<'silent-client'>, { outcome: 'decided' }>['decision']): Settlement<'silent-client'> => ({
  outcome: 'decided',
  decision,
  by: 'person',
  surface: 'console',
})

function open(
  takeOvers: TakeOvers | undefined,
  settlement: Settlement<'silent-client'>,
  origin: ConnectionOrigin = { ...connection, client: 'Cursor' },
): Opened {
  const offers: ClientSilence[] = []
  let [count, back] = [0, 0]
  const client = new SilentClient(origin, 'elicitation', {
    takeOvers,
    canReview: () => true,
    review: (reason) => {
      offers.push(reason)
      return Promise.resolve(settlement)
    },
    takeOver: () => (count += 1),
    giveBack: () => (back += 1),
  })
  return { client, offers, takenOver: () => count, givenBack: () => back }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('what a person takes over once ends with the connection; each time is remembered, and holds from the beginning of the next one', async () => {
  const kept = new Kept()
  const once = open(kept, decided({ action: 'take-over' }))
  once.client.report('cancels')
  await settle()
  const afterOnce = [...kept.clients]
  const always = open(kept, decided({ action: 'take-over', always: true }))
  always.client.report('silence')
  await settle()
  const next = open(kept, decided({ action: 'leave' }))
  await settle()
  next.client.report('cancels')
  await settle()

  expect([afterOnce, [...kept.clients]]).toEqual([[], ['Cursor']])
  expect([once, always, next].map(({ takenOver, client }) => [takenOver(), client.isTakenOver])).toEqual([
    [1, true],
    [1, true],
    [1, true],
  ])
  expect(next.offers).toEqual([])
})

test('it is known at once where nothing can be remembered, and otherwise when it was looked up, also in vain', async () => {
  const kept = new Kept()
  kept.clients.add('Cursor')
  const leave = decided({ action: 'leave' })
  const all = [
    open(kept, leave),
    open(undefined, leave),
    open(
      broken(() => Promise.reject(new Error('no disk'))),
      leave,
    ),
  ]
  await Promise.all(all.map(({ client }) => client.known))

  expect(all.map(({ client }) => client.isTakenOver)).toEqual([true, false, false])
})

test('another client, one without a name, and one of which nothing can be read, are asked as they declared', async () => {
  const kept = new Kept()
  kept.clients.add('Cursor').add(undefined)
  const leave = decided({ action: 'leave' })
  const all = [
    open(kept, leave, { ...connection, client: 'Zed' }),
    open(kept, leave, { ...connection, client: undefined }),
    open(
      broken(() => Promise.reject(new Error('no disk'))),
      leave,
    ),
    open(undefined, leave),
  ]
  await settle()

  expect([all.map(({ client }) => client.isTakenOver), kept.looks]).toEqual([[false, false, false, false], 1])
})

test('where it cannot be remembered it holds for this connection all the same', async () => {
  const { client, takenOver } = open(
    broken(() => Promise.resolve(false)),
    decided({ action: 'take-over', always: true }),
  )
  client.report('cancels')
  await settle()

  expect([client.isTakenOver, takenOver()]).toEqual([true, 1])
})

test('after the end nothing is taken over, and nobody is asked', async () => {
  const kept = new Kept()
  kept.clients.add('Cursor')
  const { client, offers, takenOver } = open(kept, decided({ action: 'take-over' }))
  client.close()
  client.close()
  client.report('silence')
  await settle()

  expect([offers, takenOver(), client.isTakenOver]).toEqual([[], 0, false])
})

test('what is revoked holds at once, also for running connections; what was said for one connection alone goes on', async () => {
  const kept = new Kept()
  const always = open(kept, decided({ action: 'take-over', always: true }))
  always.client.report('cancels')
  await settle()
  const recalled = open(kept, decided({ action: 'leave' }))
  const once = open(kept, decided({ action: 'take-over' }), { ...connection, client: 'Zed' })
  once.client.report('cancels')
  const closed = open(kept, decided({ action: 'leave' }))
  await settle()
  closed.client.close()
  kept.revoke('Nobody')
  await settle()
  const before = [always, recalled, once].map(({ client }) => client.isTakenOver)
  kept.revoke('Cursor')
  kept.revoke('Cursor')
  await settle()

  expect(before).toEqual([true, true, true])
  expect([always, recalled, once, closed].map(({ client, givenBack }) => [client.isTakenOver, givenBack()])).toEqual([
    [false, 1],
    [false, 1],
    [true, 0],
    [true, 0],
  ])
  recalled.client.report('silence')
  await settle()
  expect(recalled.offers).toEqual(['silence'])
})

test('what is kept is looked up with each use: revoked by another process, ended, or not to be read, it is the client that is asked, and it is told once', async () => {
  const kept = new Kept()
  kept.clients.add('Cursor')
  const one = open(kept, decided({ action: 'leave' }))
  const before = await one.client.holds()
  kept.clients.delete('Cursor')
  const after = [await one.client.holds(), await one.client.holds()]
  let isReadable = true
  const unreadable = open(
    broken(() => (isReadable ? Promise.resolve(true) : Promise.reject(new Error('no disk')))),
    decided({ action: 'leave' }),
  )
  const readable = await unreadable.client.holds()
  isReadable = false
  const once = open(kept, decided({ action: 'take-over' }), { ...connection, client: 'Zed' })
  const untouched = await once.client.holds()
  once.client.report('silence')
  await settle()

  expect([before, after, one.givenBack(), one.client.isTakenOver]).toEqual([true, [false, false], 1, false])
  expect([readable, await unreadable.client.holds()]).toEqual([true, false])
  expect([untouched, await once.client.holds()]).toEqual([false, true])
})
