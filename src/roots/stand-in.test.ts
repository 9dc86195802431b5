import { expect, test } from 'vitest'
import { describeDisk } from '../paths/index.ts'
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
