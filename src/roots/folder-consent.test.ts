import { expect, test } from 'vitest'
import type { Settlement } from '../protocol/index.ts'
import { FolderConsent } from './folder-consent.ts'

const granted: Settlement<'folders'> = { outcome: 'decided', by: 'person', decision: { action: 'grant', roots: [] } }
const denied: Settlement<'folders'> = { outcome: 'decided', by: 'person', decision: { action: 'deny' } }
const cancelled: Settlement<'folders'> = { outcome: 'decided', by: 'person', decision: { action: 'cancel' } }

/** A person who decides when the test says so, and a clock that the test turns. */
function setUp(): {
  readonly consent: FolderConsent
  readonly ask: (era: 'legacy' | 'modern', asker?: AbortController) => Promise<unknown>
  readonly decide: (settlement: Settlement<'folders'>) => void
  readonly pass: () => void
  readonly opened: AbortSignal[]
  readonly timers: () => number
} {
  const timers = new Set<() => void>()
  const consent = new FolderConsent({
    patience: 10_000,
    after: (_, action) => {
      timers.add(action)
      return () => timers.delete(action)
    },
  })
  const opened: AbortSignal[] = []
  let decide = (_settlement: Settlement<'folders'>): void => undefined
  const open = (signal: AbortSignal): Promise<Settlement<'folders'>> => {
    opened.push(signal)
    return new Promise((resolve) => {
      decide = resolve
      signal.addEventListener('abort', () => resolve({ outcome: 'withdrawn', reason: (signal.reason as Error).message }))
    })
  }
  return {
    consent,
    opened,
    ask: async (era, asker = new AbortController()) => (await consent.ask(open, { signal: asker.signal, hearsLater: era === 'legacy' })).outcome,
    decide: (settlement) => decide(settlement),
    pass: () => [...timers].forEach((action) => action()),
    timers: () => timers.size,
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a request of the legacy era waits at most so long, and the review goes on', async () => {
  const { ask, pass, decide, opened, consent } = setUp()
  const first = ask('legacy')
  pass()

  expect([await first, await ask('legacy'), opened.length]).toEqual(['later', 'later', 1])
  decide(granted)
  await settled()
  expect([consent.decision, opened[0]!.aborted]).toEqual(['grant', false])
})

test('a decision in time answers every request that waits', async () => {
  const { ask, decide, opened, timers } = setUp()
  const all = [ask('legacy'), ask('modern'), ask('legacy')]
  decide(granted)

  expect([await Promise.all(all), opened.length, timers()]).toEqual([['decided', 'decided', 'decided'], 1, 0])
})

test('a request of the modern era waits for the person', async () => {
  const { ask, pass, decide } = setUp()
  const waiting = ask('modern')
  pass()
  await settled()
  decide(denied)

  expect(await waiting).toBe('decided')
})

test('when the last request that waits is taken back, so is the review', async () => {
  const { ask, opened } = setUp()
  const [one, other] = [new AbortController(), new AbortController()]
  const asked = [ask('modern', one), ask('legacy', other)]
  one.abort(new Error('the call ended'))
  await settled()
  const isOpen = !opened[0]!.aborted
  other.abort(new Error('the server took it back'))

  expect([await Promise.all(asked), isOpen, opened[0]!.aborted]).toEqual([['withdrawn', 'withdrawn'], true, true])
})

test('a review whose server was told to expect a change outlives the requests', async () => {
  const { ask, pass, opened, consent } = setUp()
  const asker = new AbortController()
  const first = ask('legacy')
  pass()
  await first
  const second = ask('modern', asker)
  asker.abort(new Error('the call ended'))
  await second
  const isOpen = !opened[0]!.aborted
  consent.close()

  expect([isOpen, opened[0]!.aborted, await ask('legacy')]).toEqual([true, true, 'withdrawn'])
})

test('a no is kept for the connection; closing the question says nothing, and it may be asked again', async () => {
  const { ask, decide, consent, opened } = setUp()
  const first = ask('modern')
  decide(cancelled)
  await first
  const before = consent.decision
  const second = ask('modern')
  decide(denied)
  await second

  expect([before, consent.decision, opened.length]).toEqual([undefined, 'deny', 2])
})

test('what goes wrong in the review is heard by those who wait, and by nobody else', async () => {
  const consent = new FolderConsent({ patience: 1, after: () => () => undefined })
  const broken = consent.ask(() => Promise.reject(new Error('no log')), { signal: new AbortController().signal, hearsLater: false })

  await expect(broken).rejects.toThrow('no log')
})
