import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Grants } from '../../src/policy/index.ts'
import type { Decision } from '../../src/protocol/index.ts'
import { RootList, type RootListOptions } from '../../src/roots/index.ts'
import { openStore } from '../../src/store/index.ts'
import { rootsQuestion, type Script } from '../../src/testing/index.ts'
import { answersOf, eras, nextReview, receivedOf, withPerson, type Setting } from '../fixtures/setting.ts'

const CHANGED = 'notifications/roots/list_changed'
const list: Script = [rootsQuestion()]
let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'roots-consent-')))
  for (const name of ['trip', 'work']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true }))

function listOf(options: RootListOptions = {}): RootList {
  const roots = new RootList({ debounce: 5, ...options })
  onTestFinished(() => roots.close())
  return roots
}
/** A clock for the patience of requests, that the test turns. */
function patienceThatEnds(): Pick<RootListOptions, 'after' | 'patience'> & { readonly end: () => void; readonly asked: number[] } {
  const due = new Set<() => void>()
  const asked: number[] = []
  return {
    asked,
    end: () => due.forEach((action) => action()),
    after: (milliseconds, action) => {
      asked.push(milliseconds)
      due.add(action)
      return () => due.delete(action)
    },
  }
}
function told(setting: Setting): readonly (readonly string[])[] {
  return answersOf(setting).map((answer) => (answer as { roots: readonly { uri: string }[] }).roots.map(({ uri }) => uri.slice(`file://${folder}/`.length)))
}
const grant = (...names: readonly string[]): Decision => ({ action: 'grant', roots: names.map((name) => ({ path: join(folder, name) })) })

test('a legacy server that asks before anybody decided waits at most 10 seconds, gets what is decided already, and hears of the rest', async () => {
  const patience = patienceThatEnds()
  const setting = await withPerson({ era: 'legacy', roots: listOf(patience), server: { tools: { list } }, decide: () => undefined })
  const opened = nextReview(setting.inbox)
  const first = setting.call('list')
  const { id } = await opened
  patience.end()
  await first
  await setting.call('list')
  const before = [told(setting), receivedOf(setting, CHANGED).length, setting.inbox.size]
  await setting.inbox.decide(id, grant('trip'), 'a screen')
  await setting.server.waitFor(CHANGED)
  await setting.call('list')

  expect([patience.asked, before, told(setting).at(-1), receivedOf(setting, CHANGED).length]).toEqual([[10_000], [[[], []], 0, 1], ['trip'], 1])
})

test('a no that comes late changes nothing, and nobody is asked again over this connection', async () => {
  const patience = patienceThatEnds()
  const setting = await withPerson({ era: 'legacy', roots: listOf(patience), server: { tools: { list } }, decide: () => undefined })
  const opened = nextReview(setting.inbox)
  const first = setting.call('list')
  const { id } = await opened
  patience.end()
  await first
  await setting.inbox.decide(id, { action: 'deny' }, 'a screen')
  await setting.call('list')

  expect([told(setting), setting.person.reviews.length, receivedOf(setting, CHANGED)]).toEqual([[[], []], 1, []])
})

test('in the modern era the call waits for the person, and the retry carries the decision', async () => {
  const patience = patienceThatEnds()
  const setting = await withPerson({ era: 'modern', roots: listOf(patience), server: { tools: { list } }, decide: () => undefined })
  const opened = nextReview(setting.inbox)
  const call = setting.call('list')
  const { id } = await opened
  patience.end()
  await new Promise(setImmediate)
  const before = told(setting)
  await setting.inbox.decide(id, grant('trip'), 'a screen')
  await call

  expect([before, told(setting)]).toEqual([[], [['trip']]])
})

describe.each(eras)('a person is asked about folders in the %s era', (era) => {
  test('and what they want remembered holds in the next run, for the same server only, until it is revoked', async () => {
    const store = await openStore({ file: join(folder, 'state', 'consentry.db') })
    onTestFinished(() => store.close())
    const grants = new Grants({ store })
    const run = (decide: readonly Decision[]): ReturnType<typeof withPerson> =>
      withPerson({ era, roots: listOf({ grants }), server: { tools: { list } }, decide: [...decide] })

    const first = await run([{ ...grant('trip'), remember: {} } as Decision])
    await first.call('list')
    const second = await run([])
    await second.call('list')
    const [kept] = await grants.list()
    await grants.revoke(kept!.id)
    const third = await run([{ action: 'deny' }])
    await third.call('list')

    expect([first, second, third].map((setting) => [told(setting), setting.person.reviews.length])).toEqual([
      [[['trip']], 1],
      [[['trip']], 0],
      [[[]], 1],
    ])
    expect(kept).toMatchObject({ server: 'travel', kind: 'roots', details: { path: join(folder, 'trip'), mark: { object: expect.any(String) } } })
  })

  test('and a no that is to be remembered is not asked about again', async () => {
    const store = await openStore({ file: join(folder, 'state', 'consentry.db') })
    onTestFinished(() => store.close())
    const grants = new Grants({ store })
    const first = await withPerson({ era, roots: listOf({ grants }), server: { tools: { list } }, decide: [{ action: 'deny', remember: {} }] })
    await first.call('list')
    const second = await withPerson({ era, roots: listOf({ grants }), server: { tools: { list } }, decide: [grant('trip')] })
    await second.call('list')

    expect([told(first), told(second), second.person.reviews.length]).toEqual([[[]], [[]], 0])
  })

  test('again when another folder lies in the place of the one they said yes to', async () => {
    const setting = await withPerson({ era, roots: listOf(), server: { tools: { list } }, decide: [grant('trip'), grant('trip')] })
    await setting.call('list')
    rmSync(join(folder, 'trip'), { recursive: true })
    mkdirSync(join(folder, 'keeps the inode'))
    mkdirSync(join(folder, 'trip'))
    await setting.call('list')

    expect([told(setting), setting.person.reviews.length]).toEqual([[['trip'], ['trip']], 2])
    expect(setting.person.reviews[1]?.subject).toMatchObject({ proposed: [{ path: join(folder, 'trip'), why: { key: 'taken-place' } }] })
  })
})
