import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RootList, type ConfiguredRoots } from '../../src/roots/index.ts'
import { rootsQuestion, type Script } from '../../src/testing/index.ts'
import { answersOf, eras, nextReview, receivedOf, withAnswers, withPerson, type Setting } from '../fixtures/setting.ts'

let folder = ''
const lists: RootList[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'roots-scenario-')))
  for (const name of ['trip', 'work', 'other']) mkdirSync(join(folder, name))
})
afterEach(() => {
  for (const list of lists.splice(0)) list.close()
  rmSync(folder, { recursive: true })
})

function configured(names: Readonly<Record<string, readonly string[]>>): ConfiguredRoots {
  return new Map(Object.entries(names).map(([server, paths]) => [server, paths.map((path) => ({ path: join(folder, path) }))]))
}

function listOf(names: Readonly<Record<string, readonly string[]>>): RootList {
  const list = new RootList({ configured: configured(names), pollInterval: 10, debounce: 5 })
  lists.push(list)
  return list
}

/** Which folders the server was told, each time it asked. */
function told(setting: Setting): readonly (readonly string[])[] {
  return answersOf(setting).map((answer) => (answer as { roots: readonly { uri: string }[] }).roots.map(({ uri }) => uri.slice(`file://${folder}/`.length)))
}

const list: Script = [rootsQuestion()]

describe.each(eras)('folders in the %s era', (era) => {
  test('are told as the config says, to the server that it names', async () => {
    const setting = await withPerson({
      era,
      roots: listOf({ travel: ['trip'], '*': ['work'], notes: ['other'] }),
      server: { tools: { list } },
      decide: [],
    })
    await setting.call('list')

    expect([told(setting), setting.person.reviews.length]).toEqual([[['trip', 'work']], 0])
  })

  test('are consented to by a person where nothing was decided, and only what they picked is told', async () => {
    const proposedRoots = ['trip', 'work'].map((name) => ({ path: join(folder, name) }))
    const setting = await withPerson({
      era,
      roots: listOf({}),
      proposedRoots,
      server: { tools: { list: [rootsQuestion(), rootsQuestion()] } },
      decide: (review) => (review.kind === 'folders' ? { action: 'grant', roots: [{ path: join(folder, 'work') }] } : undefined),
    })
    await setting.call('list')

    expect(setting.person.reviews).toMatchObject([{ kind: 'folders', subject: { proposed: proposedRoots } }])
    expect(told(setting)).toEqual([['work'], ['work']])
  })

  test('are never told before consent, and a request waits for it', async () => {
    const setting = await withPerson({
      era,
      roots: listOf({}),
      proposedRoots: [{ path: join(folder, 'trip') }],
      server: { tools: { list } },
      decide: () => undefined,
    })
    const opened = nextReview(setting.inbox)
    const result = setting.call('list')
    const { id } = await opened
    await new Promise(setImmediate)
    const before = answersOf(setting)
    await setting.inbox.decide(id, { action: 'grant', roots: [{ path: join(folder, 'trip') }] }, 'a screen')
    await result

    expect([before, told(setting)]).toEqual([[], [['trip']]])
  })

  test('that are refused are an empty list: nothing fails', async () => {
    const setting = await withPerson({
      era,
      roots: listOf({}),
      proposedRoots: [{ path: join(folder, 'trip') }],
      server: { tools: { list } },
      decide: [{ action: 'deny' }],
    })
    await setting.call('list')

    expect(told(setting)).toEqual([[]])
  })

  test('are granted and denied by a script', async () => {
    const setting = await withAnswers({
      era,
      roots: listOf({ travel: ['trip'] }),
      server: { tools: { list: [rootsQuestion(), rootsQuestion(), rootsQuestion()] } },
      answers: [
        { when: { request: 'roots' }, then: { action: 'grant', roots: [join(folder, 'other')] }, times: 1 },
        { when: { request: 'roots' }, then: { action: 'deny' }, times: 1 },
      ],
    })
    await setting.call('list')

    expect(told(setting)).toEqual([['other'], [], ['trip']])
  })

  test('that are taken away are told no longer, from the next question on', async () => {
    const roots = listOf({ travel: ['trip', 'work'] })
    const setting = await withPerson({ era, roots, server: { tools: { list } }, decide: [] })
    await setting.call('list')
    rmSync(join(folder, 'trip'), { recursive: true })
    await setting.call('list')
    roots.update(configured({ travel: [] }))
    await setting.call('list')

    expect(told(setting)).toEqual([['trip', 'work'], ['work'], []])
  })
})

const CHANGED = 'notifications/roots/list_changed'

test('a legacy server hears of a list that changed, once, and gets the new one', async () => {
  const roots = listOf({ travel: ['trip'] })
  const setting = await withPerson({ era: 'legacy', roots, server: { tools: { list } }, decide: [] })
  await setting.call('list')
  roots.update(configured({ travel: ['trip'], notes: ['other'] }))
  await setting.call('list')
  const before = receivedOf(setting, CHANGED).length
  roots.update(configured({ travel: ['trip', 'work'] }))
  await setting.server.waitFor(CHANGED)
  await setting.call('list')

  expect([before, receivedOf(setting, CHANGED).length, told(setting)]).toEqual([0, 1, [['trip'], ['trip'], ['trip', 'work']]])
})

test('a legacy server hears of a folder that appears', async () => {
  const roots = listOf({ travel: ['trip', 'late'] })
  const setting = await withPerson({ era: 'legacy', roots, server: { tools: { list } }, decide: [] })
  await setting.call('list')
  mkdirSync(join(folder, 'late'))
  await setting.server.waitFor(CHANGED)
  await setting.call('list')

  expect(told(setting)).toEqual([['trip'], ['trip', 'late']])
})

test('a modern server is told of no change: the notification is gone from the protocol', async () => {
  const roots = listOf({ travel: ['trip'] })
  const setting = await withPerson({ era: 'modern', roots, server: { tools: { list } }, decide: [] })
  await setting.call('list')
  const changed = new Promise<void>((resolve) =>
    roots.open({ name: 'travel', named: true, target: { kind: 'custom', description: '' } }).on('changed', resolve),
  )
  roots.update(configured({ travel: ['work'] }))
  await changed
  await setting.call('list')

  expect([receivedOf(setting, CHANGED), told(setting)]).toEqual([[], [['trip'], ['work']]])
})
