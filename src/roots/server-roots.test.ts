import { expect, test, vi } from 'vitest'
import { legacy, settle, start } from '../../test/fixtures/kept-folders.ts'

test('what an earlier desk told a server, and nobody allows any more, is taken from it by the next one', async () => {
  const { asked, read, roots, reviewer, news, list } = await start(undefined)
  await roots.resume({ origin: legacy, reviewer }, [{ uri: 'file:///w/app' }])
  await vi.waitFor(() => expect(news).toHaveLength(1), 10_000)
  const lists = [await read()]
  await vi.waitFor(() => expect(news).toHaveLength(2), 10_000)
  lists.push(await read())
  list.close()

  expect([news, lists]).toEqual([
    ['changed', 'changed'],
    [[], ['file:///s/nothing']],
  ])
  expect(asked).toEqual([{ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }])
})

test('what an earlier desk told a server, and holds, is no news, nor is the empty folder that it was told', async () => {
  const same = await start(undefined, { configured: new Map([['travel', [{ path: '/w/app', name: 'App' }]]]) })
  await same.roots.resume({ origin: legacy, reviewer: same.reviewer }, [{ uri: 'file:///w/app', name: 'App' }])
  const none = await start(undefined)
  await none.roots.resume({ origin: legacy, reviewer: none.reviewer }, [{ uri: 'file:///s/nothing', name: 'nothing' }])
  await settle()

  expect([same.news, none.news, await same.read(), await none.read(), same.asked, none.asked]).toEqual([
    [],
    [],
    ['file:///w/app'],
    ['file:///s/nothing'],
    [],
    [],
  ])
  same.list.close()
  none.list.close()
})

test('a server that an earlier desk told folders, and that does not read its list again, is noticed too', async () => {
  const { asked, roots, reviewer, pass, list } = await start(undefined)
  await roots.resume({ origin: legacy, reviewer }, [{ uri: 'file:///w/app' }])
  await settle()
  await pass()
  list.close()

  expect(asked).toEqual([{ reason: 'never-reread', known: ['file:///w/app'], canRestart: true, done: 'nothing' }])
})

test.each([
  ['the empty folder in place of none', [{ uri: 'file:///s/nothing', name: 'nothing' }]],
  ['none', []],
])('a server that an earlier desk told %s, and of which nobody said what else is done, is asked about again', async (_, told) => {
  const { asked, undecided, read, roots, reviewer, list } = await start(undefined)
  await roots.resume({ origin: legacy, reviewer }, told, ['file:///w/app'])
  await vi.waitFor(() => expect(asked).toHaveLength(1), 10_000)
  const lists = [await read(), await read()]
  list.close()

  expect([lists, asked]).toEqual([
    [['file:///s/nothing'], ['file:///s/nothing']],
    [{ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in' }],
  ])
  expect(undecided).toEqual([['file:///w/app']])
})

test('a server that an earlier desk told none, and that may have a folder now, is asked about only where it does not read that', async () => {
  const { asked, undecided, read, roots, reviewer, list } = await start(undefined, { configured: new Map([['travel', [{ path: '/w/lib' }]]]) })
  await roots.resume({ origin: legacy, reviewer }, [{ uri: 'file:///s/nothing' }], ['file:///w/app'])
  const told = await read()
  list.close()

  expect([told, asked, undecided]).toEqual([['file:///w/lib'], [], [['file:///w/app'], undefined]])
})

test('where an earlier desk told a server folders, nothing is undecided about those before', async () => {
  const { asked, undecided, roots, reviewer, list } = await start(undefined, { configured: new Map([['travel', [{ path: '/w/app' }]]]) })
  await roots.resume({ origin: legacy, reviewer }, [{ uri: 'file:///w/app' }], ['file:///w/lib'])
  await settle()
  list.close()

  expect([asked, undecided]).toEqual([[], []])
})
