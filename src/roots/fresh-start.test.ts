import { expect, test, vi } from 'vitest'
import { legacy, settle, start, toldApp, type Person, type Setting } from '../../test/fixtures/kept-folders.ts'

/** A server that was started with `app` and `lib`, and should have `lib` alone now. */
async function heldWithMore(person: Person, keptFolders?: 'restart'): Promise<Setting> {
  const held = await start(person, { keptFolders })
  await held.configure('/w/app', '/w/lib')
  await held.roots.fix({ origin: legacy, reviewer: held.reviewer }, ['/w/app', '/w/lib'])
  await held.configure('/w/lib')
  await vi.waitFor(() => expect([...held.asked, ...held.news]).not.toEqual(['changed']), 10_000)
  await settle()
  return held
}

const known = ['file:///w/app', 'file:///w/lib']
const asked = { reason: 'at-start', known, canRestart: true, done: 'nothing' }
const restarts = ({ news }: Setting): number => news.filter((word) => word === 'restart').length

test('a fresh start that cannot be done is asked about again, with why, and the server is known to have what it had', async () => {
  const person: Extract<Person, object> = { action: 'restart' }
  const held = await heldWithMore(person)
  Object.assign(person, { action: 'end' })
  await held.roots.restarted({ fault: 'no sandbox' })
  await vi.waitFor(() => expect(held.news).toContain('end'), 10_000)
  held.list.close()

  expect(held.asked).toEqual([asked, { ...asked, fault: 'no sandbox' }])
  expect([restarts(held), held.reports]).toEqual([
    1,
    [`at-start nothing asked ${known.join(' ')}`, `at-start nothing asked ${known.join(' ')} (restart: no sandbox)`],
  ])
})

test('what is decided about it can be tried again, and what it is started with then is what it has', async () => {
  const held = await heldWithMore({ action: 'restart' })
  await held.roots.restarted({ fault: 'no sandbox' })
  await vi.waitFor(() => expect(restarts(held)).toBe(2), 10_000)
  await held.roots.restarted({ startedWith: ['/w/lib'] })
  await held.configure('/w/lib', '/w/app')
  await vi.waitFor(() => expect(held.asked).toHaveLength(3), 10_000)
  held.list.close()

  expect(held.asked[2]).toEqual({ ...asked, known: ['file:///w/lib'] })
})

test('a fresh start with other folders than those of the moment in which it was decided on is compared with what is allowed now', async () => {
  const held = await heldWithMore({ action: 'restart' })
  await held.roots.restarted({ startedWith: ['/w/app'] })
  await vi.waitFor(() => expect(held.asked).toHaveLength(2), 10_000)
  held.list.close()

  expect(held.asked[1]).toEqual({ ...asked, known: ['file:///w/app'] })
})

test('the question ends where its folders are again those that it goes on with, and where it was started afresh after all', async () => {
  const back = await heldWithMore(undefined, 'restart')
  await back.roots.restarted({ fault: 'no sandbox' })
  await vi.waitFor(() => expect(back.asked).toHaveLength(1), 10_000)
  await back.configure('/w/app', '/w/lib')
  await vi.waitFor(() => expect(back.ends).toEqual(['its folders are again those that it was started with']), 10_000)
  const done = await heldWithMore(undefined, 'restart')
  await done.roots.restarted({ fault: 'no sandbox' })
  await vi.waitFor(() => expect(done.asked).toHaveLength(1), 10_000)
  await done.roots.restarted({ startedWith: ['/w/lib'] })
  await vi.waitFor(() => expect(done.ends).toEqual(['it was started afresh']), 10_000)
  back.list.close()
  done.list.close()
})

test('what was said beforehand is not tried for ever: somebody is asked, and the next change tries it again', async () => {
  const held = await heldWithMore(undefined, 'restart')
  await held.roots.restarted({ fault: 'no sandbox' })
  await vi.waitFor(() => expect(held.asked).toHaveLength(1), 10_000)
  const before = restarts(held)
  await held.configure()
  await vi.waitFor(() => expect(restarts(held)).toBe(2), 10_000)
  held.list.close()

  expect([before, held.asked]).toEqual([1, [{ ...asked, fault: 'no sandbox' }]])
})

test('a server that is told its folders later is told the empty one again, where it was to be started afresh and could not be', async () => {
  const person: Extract<Person, object> = { action: 'restart' }
  const { configure, read, roots, news, asked: questions, list } = await toldApp(person)
  await configure()
  await read()
  await vi.waitFor(() => expect(news).toContain('restart'), 10_000)
  Object.assign(person, { action: 'stand-in' })
  await roots.restarted({ fault: 'the config cannot be read' })
  await vi.waitFor(() => expect(questions).toHaveLength(2), 10_000)
  await settle()

  expect(questions[1]).toEqual({ reason: 'none-told', known: ['file:///w/app'], canRestart: true, done: 'stand-in', fault: 'the config cannot be read' })
  expect(await read()).toEqual(['file:///s/nothing'])
  list.close()
})

test('nobody can end a server of which nobody says that it could not be started afresh, and news of a fresh start that nobody asked for are none', async () => {
  const held = await heldWithMore({ action: 'end' })
  await held.roots.restarted({ fault: 'somebody else wanted it' })
  await settle()
  held.list.close()

  expect([held.faults, held.news.includes('end'), held.asked]).toEqual([['action not-possible'], false, [asked]])
})

test('where nobody can be asked, that its folders are others now is said once, and again after they were the same meanwhile', async () => {
  const held = await heldWithMore('nobody is there')
  await held.configure('/w/app')
  await settle()
  const once = [...held.reports]
  await held.configure('/w/app', '/w/lib')
  await held.configure('/w/lib')
  await vi.waitFor(() => expect(held.reports).toHaveLength(2), 10_000)
  held.list.close()

  expect(once).toEqual([`at-start nothing ${known.join(' ')}`])
})
