import { expect, test } from 'vitest'
import { toldApp } from '../../test/fixtures/kept-folders.ts'
import { describeDisk } from '../paths/index.ts'
import type { GrantStore } from './granted-folders.ts'
import { prepareStandIn } from './stand-in.ts'

const disk = describeDisk({ dirs: ['/s/nothing', '/s/used/in', '/w/secret'], files: ['/s/file'], links: { '/s/link': '/w/secret' } }, { platform: 'posix' })

test.each([
  ['/s/nothing', undefined],
  ['/s/used', 'stand-in-taken'],
  ['/s/link', 'stand-in-taken'],
  ['/s/file', 'stand-in-taken'],
  ['/s/gone', 'stand-in-failed'],
])('only a folder of its own with nothing in it stands in for none: %s', async (path, key) => {
  expect((await prepareStandIn({ path, make: () => Promise.resolve() }, disk))?.key).toBe(key)
})

test('a folder that was not made for want of room is no empty folder, and one that cannot be seen to is none either', async () => {
  const make = (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device'))
  expect((await prepareStandIn({ path: '/s/gone', make }, disk))?.facts).toEqual({ path: '/s/gone', reason: 'ENOSPC: no space left on device' })
  expect((await prepareStandIn({ path: '/s/nothing', make }, disk))?.key).toBe('stand-in-failed')
})

const full = (): Promise<never> => Promise.reject(new Error('no space'))
const notMade = '(stand-in: The empty folder /s/gone cannot be made (no space): see that the disk has room and that you may write there, and try again.)'

test('where the empty folder cannot be made and nobody is there, that is said once, nothing is claimed, and the next read tries again', async () => {
  let [path, make] = ['/s/gone', full as () => Promise<void>]
  const standIn = {
    get path() {
      return path
    },
    make: () => make(),
  }
  const { configure, read, reports, list } = await toldApp('nobody is there', { standIn })
  await configure()
  const lists = [await read(), await read()]
  ;[path, make] = ['/s/nothing', () => Promise.resolve()]
  await read()
  lists.push(await read())
  list.close()

  expect(reports).toEqual([`none-told nothing file:///w/app ${notMade}`, 'none-told stand-in file:///w/app'])
  expect(lists).toEqual([[], [], ['file:///s/nothing']])
})

test('a person who picks an empty folder that cannot be made hears why, and decides again', async () => {
  const { configure, read, asked, faults, news, list } = await toldApp({ action: 'stand-in' }, { standIn: { path: '/s/gone', make: full } })
  await configure()
  await read()
  list.close()

  expect([asked.length, faults, news]).toEqual([1, ['action stand-in-failed'], ['changed']])
})

test('where the question cannot be put, because the log takes nothing, an empty folder is told all the same', async () => {
  const { configure, read, reports, list } = await toldApp('the log is full')
  await configure()
  const lists = [await read(), await read()]
  list.close()

  expect([lists, reports]).toEqual([
    [[], ['file:///s/nothing']],
    ['none-told stand-in asked file:///w/app', 'none-told stand-in file:///w/app (asking: no space)'],
  ])
})

test.each(['stand-in', 'restart'] as const)('what cannot be remembered (%s) is done all the same, and said to be for this time', async (action) => {
  const grants: GrantStore = { find: () => Promise.resolve([]), add: full, revoke: full }
  const { configure, read, reports, list } = await toldApp({ action, remember: {} }, { grants })
  await configure()
  const lists = [await read(), await read()]
  list.close()

  expect(reports).toEqual(['none-told stand-in asked file:///w/app', `none-told ${action} file:///w/app (remembering: no space)`])
  expect(lists[1]).toEqual(action === 'stand-in' ? ['file:///s/nothing'] : [])
})
