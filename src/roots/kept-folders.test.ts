import { expect, test, vi } from 'vitest'
import { disk, legacy, settle, start, toldApp, type Person } from '../../test/fixtures/kept-folders.ts'
import type { Disk } from '../paths/index.ts'
import type { Grant } from '../policy/index.ts'
import type { GrantStore } from './granted-folders.ts'
import type { RootListOptions } from './root-list.ts'

test('a server whose last folder is taken back is told none at once, then an empty one, and a person is asked whether it is to be started afresh', async () => {
  const { asked, read, configure, news, reports, list } = await toldApp({ action: 'stand-in' })
  await configure()
  const lists = [await read(), await read()]
  await configure('/w/lib')
  lists.push(await read())
  await configure()
  lists.push(await read())
  list.close()

  // What a person wanted holds for the next time over this connection.
  expect(lists).toEqual([[], ['file:///s/nothing'], ['file:///w/lib'], ['file:///s/nothing']])
  expect(asked).toEqual([{ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }])
  expect([news[0], reports]).toEqual(['changed', ['none-told stand-in asked file:///w/app']])
})

test('nothing waits for a person who thinks: the empty folder is told meanwhile, the question stays open, and ends where the server gets a folder again', async () => {
  const { asked, ends, read, configure, reports, list } = await toldApp(undefined)
  const lists: (readonly string[])[] = []
  const before: number[] = []
  for (const paths of [[], ['/w/lib'], []]) {
    await configure(...paths)
    lists.push(await read(), await read())
    before.push(ends.length)
  }
  list.close()

  expect(lists).toEqual([[], ['file:///s/nothing'], ['file:///w/lib'], ['file:///w/lib'], [], ['file:///s/nothing']])
  expect([asked.length, before, ends[0]]).toEqual([2, [0, 1, 1], 'the server has read its folders'])
  expect(reports).toEqual(['none-told stand-in asked file:///w/app', 'none-told stand-in asked file:///w/lib'])
})

test('a server that does not read the empty folder either is asked about once more: only a fresh start is left', async () => {
  const { asked, ends, read, configure, pass, reports, list } = await toldApp(undefined)
  await configure()
  await read()
  await pass()
  await pass()
  list.close()

  expect(asked).toEqual([
    { reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' },
    { reason: 'never-reread', known: ['file:///w/app'], canRestart: true, done: 'nothing' },
  ])
  expect([ends[0], reports]).toEqual([
    'there is more to ask about this server',
    ['none-told stand-in asked file:///w/app', 'never-reread nothing asked file:///w/app'],
  ])
})

test('a restart is announced, and asked for once', async () => {
  const { asked, read, configure, news, list } = await toldApp({ action: 'restart' })
  await configure()
  await read()
  const lists = [await read(), await read()]
  list.close()

  // The fresh one is told nothing, as one that was never told anything.
  expect([asked.length, news.filter((word) => word === 'restart').length, lists[1]]).toEqual([1, 1, []])
})

test('a server that is told of a change and does not read its list again is noticed after 3 seconds, whether it lost folders or would get some', async () => {
  const lost = await toldApp({ action: 'restart' })
  await lost.configure('/w/lib')
  const before = lost.asked.length
  await lost.pass()
  const late = await start({ action: 'restart' })
  await late.read()
  await late.configure('/w/app')
  await late.pass()

  expect([before, lost.asked, lost.news]).toEqual([
    0,
    [{ reason: 'never-reread', known: ['file:///w/app'], canRestart: true, done: 'nothing' }],
    ['changed', 'restart'],
  ])
  expect(late.asked).toEqual([{ reason: 'never-reread', known: [], canRestart: true, done: 'nothing' }])
  lost.list.close()
  late.list.close()
})

test('a server that reads its list in time is not asked about, and one that reads it late withdraws the question', async () => {
  const { asked, ends, read, configure, pass, list } = await toldApp(undefined)
  await configure('/w/lib')
  await read()
  await pass()
  const inTime = asked.length
  await configure('/w/app')
  await pass()
  await read()
  list.close()

  expect([inTime, asked.length, ends]).toEqual([0, 1, ['the server has read its folders']])
})

test('a server that reads its list with each call is left in peace, and so is every server of the modern era', async () => {
  const call = { kind: 'tool', name: 'list' } as const
  const inCall = await toldApp({ action: 'restart' }, {}, { ...legacy, call })
  await inCall.read()
  await inCall.configure('/w/lib')
  const modern = await toldApp({ action: 'restart' }, {}, { ...legacy, era: 'modern', revision: '2026-07-28' })
  await modern.configure()
  await modern.read()

  expect([inCall.timers.size, inCall.asked, modern.timers.size, modern.asked]).toEqual([0, [], 0, []])
  inCall.list.close()
  modern.list.close()
})

test('a folder that is only gone from the disk was not taken back', async () => {
  const { asked, read, list } = await toldApp({ action: 'stand-in' }, { configured: new Map([['travel', [{ path: '/w/gone' }]]]) })
  expect([await read(), asked]).toEqual([[], []])
  list.close()
})

test('somebody who leaves it is not asked again over this connection', async () => {
  const { asked, configure, pass, news, list } = await toldApp({ action: 'leave' })
  await configure('/w/lib')
  await pass()
  await configure('/w/app', '/w/lib')
  await pass()
  list.close()

  expect([asked.length, news]).toEqual([1, ['changed', 'changed']])
})

test('what cannot be done is no decision: nobody can start this server again, and there is nothing to stand in for folders that are there', async () => {
  const noRestart = await toldApp({ action: 'restart' }, {}, { ...legacy, canRestart: undefined })
  await noRestart.configure('/w/lib')
  await noRestart.pass()
  const noStandIn = await toldApp({ action: 'stand-in' }, { standIn: undefined })
  await noStandIn.configure()
  const list = [await noStandIn.read(), await noStandIn.read()]

  expect([noRestart.asked.map(({ canRestart }) => canRestart), noRestart.news, list]).toEqual([[false], ['changed'], [[], []]])
  noRestart.list.close()
  noStandIn.list.close()
})

test('what is to be remembered holds for the next connection, until it is revoked or the user wants to be asked always', async () => {
  let kept: readonly Grant[] = []
  const grants: GrantStore = {
    find: () => Promise.resolve(kept),
    add: ({ name }, { kind, details = {} }) => {
      const grant: Grant = { id: String(kept.length), server: name, kind, details, grantedAt: 0 }
      kept = [...kept, grant]
      return Promise.resolve(grant)
    },
    revoke: () => Promise.resolve(false),
  }
  let isAsking = false
  const options: RootListOptions = { grants, mustAsk: () => isAsking }
  const first = await toldApp({ action: 'restart', remember: {} }, options)
  await first.configure()
  await first.read()
  const second = await toldApp({ action: 'leave' }, options)
  await second.configure()
  await second.read()
  isAsking = true
  const third = await toldApp({ action: 'leave' }, options)
  await third.configure()
  await third.read()

  expect([first, second, third].map(({ asked, news }) => [asked.length, news.includes('restart')])).toEqual([
    [1, true],
    [0, true],
    [1, false],
  ])
  for (const { list } of [first, second, third]) list.close()
})

test('a change that is taken back in time is no reason to ask', async () => {
  const { asked, configure, timers, list } = await toldApp({ action: 'restart' })
  await configure('/w/lib')
  await configure('/w/app')
  expect([asked, timers.size]).toEqual([[], 0])
  list.close()
})

test('nothing is asked when the connection is closed', async () => {
  const { asked, timers, configure, pass, roots, ends, list } = await toldApp(undefined)
  await configure('/w/lib')
  await pass()
  roots.close()
  await settle()

  expect([asked.length, ends, timers.size]).toEqual([1, ['the connection was closed'], 0])
  list.close()
})

test('a server that is held to its folders is asked about as soon as they are others, though it reads its list, and not where one is only gone', async () => {
  const held = await start({ action: 'restart' })
  await held.configure('/w/app')
  await held.roots.fix({ origin: legacy, reviewer: held.reviewer }, ['/w/app'])
  await held.configure('/w/app', '/w/lib')
  await held.pass()
  await held.read()
  await held.configure('/w/lib')
  await held.pass()

  expect(held.asked).toEqual([
    { reason: 'at-start', known: ['file:///w/app'], canRestart: true, done: 'nothing' },
    { reason: 'at-start', known: ['file:///w/app', 'file:///w/lib'], canRestart: true, done: 'nothing' },
  ])
  expect(held.news.filter((word) => word === 'restart')).toHaveLength(2)
})

test('the question about a held server ends where its folders are again those that it was started with, and nothing else is asked about it', async () => {
  const held = await start(undefined)
  await held.configure('/w/app')
  await held.read()
  await held.roots.fix({ origin: legacy, reviewer: held.reviewer }, ['/w/app'])
  await held.configure()
  await held.read()
  await held.configure('/w/app')
  await held.read()

  expect(held.asked.map(({ reason }) => reason)).toEqual(['at-start'])
  expect(held.ends).toEqual(['its folders are again those that it was started with'])
})

test('somebody who leaves a server that has its folders from its start is asked again when they are others once more, and not before', async () => {
  const held = await start({ action: 'leave' })
  await held.configure('/w/app')
  await held.roots.fix({ origin: legacy, reviewer: held.reviewer }, ['/w/app'])
  const counts: number[] = []
  for (const paths of [['/w/app', '/w/lib'], ['/w/app'], ['/w/app', '/w/lib'], ['/w/lib'], []]) {
    await held.configure(...paths)
    counts.push(held.asked.length)
  }

  expect(counts).toEqual([1, 1, 1, 2, 3])
})

test.each(['nobody is there', 'everybody leaves'] as const)(
  'where %s, a last folder that is taken back is taken back all the same: an empty one is told in its place, and that is reported',
  async (person) => {
    const { configure, read, reports, list } = await toldApp(person)
    await configure()
    const lists = [await read(), await read()]
    list.close()

    expect(lists).toEqual([[], ['file:///s/nothing']])
    expect(reports).toEqual([...(person === 'everybody leaves' ? ['none-told stand-in asked file:///w/app'] : []), 'none-told stand-in file:///w/app'])
  },
)

test('where nobody is there, nothing that runs is ended for a server that does not read its list again: that is reported, and no more', async () => {
  const { configure, pass, news, reports, list } = await toldApp('nobody is there')
  await configure('/w/lib')
  await pass()
  list.close()

  expect(reports).toEqual(['never-reread nothing file:///w/app'])
  expect(news).toEqual(['changed'])
})

test.each(['restart', 'leave', 'stand-in'] as const)('what was said for this run (%s) is done without a question, and reported', async (keptFolders) => {
  const { configure, read, asked, reports, news, list } = await toldApp(undefined, { keptFolders })
  await configure()
  const lists = [await read(), await read()]
  list.close()

  expect([asked, reports]).toEqual([[], [`none-told ${keptFolders} file:///w/app`]])
  expect(lists[1]).toEqual(keptFolders === 'stand-in' ? ['file:///s/nothing'] : [])
  expect(news.includes('restart')).toBe(keptFolders === 'restart')
})

test('a last folder that is gone is reported once, and asked about when it is taken back though the server hears of no change then', async () => {
  let isGone = false
  const inspect: Disk['inspect'] = (path) => (isGone ? Promise.resolve({ kind: 'missing' }) : disk.inspect(path))
  const { configure, read, pass, asked, reports, list, roots } = await toldApp({ action: 'leave' }, { disk: { ...disk, inspect } })
  isGone = true
  await roots.refresh()
  await read()
  await read()
  await pass()
  const before = asked.length
  await configure()
  list.close()

  expect([reports, before]).toEqual([['gone nothing file:///w/app', 'none-told stand-in asked file:///w/app'], 0])
  expect(asked).toEqual([{ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }])
})

test('what was taken back, or added, between the start of a held server and its first question is asked about', async () => {
  const revoked = await start({ action: 'restart' })
  await revoked.configure('/w/lib')
  await revoked.roots.fix({ origin: legacy, reviewer: revoked.reviewer }, ['/w/app', '/w/lib/'])
  const added = await start({ action: 'restart' })
  await added.configure('/w/app', '/w/lib')
  await added.roots.fix({ origin: legacy, reviewer: added.reviewer }, ['/w/lib'])
  const same = await start({ action: 'restart' })
  await same.configure('/w/app', '/w/gone')
  await same.roots.fix({ origin: legacy, reviewer: same.reviewer }, ['/w/x/../app', '/w/gone'])
  await settle()

  expect([revoked, added, same].map(({ asked }) => asked)).toEqual([
    [{ reason: 'at-start', known: ['file:///w/app', 'file:///w/lib'], canRestart: true, done: 'nothing' }],
    [{ reason: 'at-start', known: ['file:///w/lib'], canRestart: true, done: 'nothing' }],
    [],
  ])
})

test('a server that reads the empty folder late is asked about again: nobody has said that it is enough', async () => {
  const { asked, ends, undecided, read, configure, pass, timers, list } = await toldApp(undefined)
  await configure()
  await read()
  await vi.waitFor(() => expect(timers.size).toBe(1), 10_000)
  await pass()
  await vi.waitFor(() => expect(asked).toHaveLength(2), 10_000)
  const told = await read()
  await vi.waitFor(() => expect(asked).toHaveLength(3), 10_000)
  const none = { reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }

  expect([told, asked]).toEqual([['file:///s/nothing'], [none, { ...none, reason: 'never-reread', done: 'nothing' }, none]])
  expect(ends).toEqual(['there is more to ask about this server', 'the server has read its folders'])
  expect(undecided).toEqual([['file:///w/app']])
  list.close()
})

test.each(['leave', 'restart'] as const)(
  'what somebody said (%s) before the server read that it is told none is not asked once more when it does',
  async (action) => {
    const { asked, read, configure, pass, timers, roots, undecided, list } = await toldApp({ action })
    await configure('/w/lib')
    await vi.waitFor(() => expect(timers.size).toBe(1), 10_000)
    await pass()
    await vi.waitFor(() => expect(asked).toHaveLength(1), 10_000)
    await configure()
    await roots.restarted({})
    await read()
    await read()
    list.close()

    expect([asked.length, undecided.at(-1)]).toEqual([1, undefined])
  },
)

test.each(['stand-in', 'restart', 'leave', 'cancel'] as const)('a question is open until somebody answers it (%s), and no more then', async (action) => {
  const { undecided, read, configure, roots, asked, news, list } = await toldApp({ action }, action === 'leave' ? { standIn: undefined } : {})
  await configure()
  await read()
  await vi.waitFor(() => expect([...news, ...undecided]).toContain(action === 'restart' ? action : undefined), 10_000)
  await roots.restarted({})
  await read()
  list.close()

  expect([undecided, asked.length]).toEqual([[['file:///w/app'], undefined], 1])
})

test('a question is open no more where the server is told a folder again', async () => {
  const { undecided, read, configure, list } = await toldApp(undefined)
  await configure()
  await read()
  await configure('/w/lib')
  await read()
  list.close()

  expect(undecided).toEqual([['file:///w/app'], undefined])
})

test('a server that reads late, and could not be started afresh before, is told the empty folder and asked about', async () => {
  const person: Extract<Person, object> = { action: 'restart' }
  const { asked, read, configure, pass, timers, news, roots, list } = await toldApp(person)
  await configure('/w/lib')
  await vi.waitFor(() => expect(timers.size).toBe(1), 10_000)
  await pass()
  await vi.waitFor(() => expect(news).toContain('restart'), 10_000)
  await configure()
  Object.assign(person, { action: 'cancel' })
  await roots.restarted({ fault: 'the config cannot be read' })
  const lists = [await read()]
  await vi.waitFor(() => expect(asked).toHaveLength(3), 10_000)
  lists.push(await read())
  list.close()

  expect(lists).toEqual([[], ['file:///s/nothing']])
  expect(asked.map(({ reason, done }) => `${reason} ${done}`)).toEqual(['never-reread nothing', 'never-reread nothing', 'none-told stand-in'])
})
