import { expect, test } from 'vitest'
import { withPath } from './command-server.ts'

test.each([
  ['linux', { PATH: '/bin' }, '/usr/bin:/bin', { PATH: '/bin:/usr/bin' }],
  ['linux', { PATH: '' }, '/a:/b', { PATH: '/a:/b' }],
  ['linux', {}, '/a', { PATH: '/a' }],
  ['linux', { PATH: '/bin' }, undefined, { PATH: '/bin' }],
  ['win32', { Path: 'C:\\w' }, 'D:\\n;C:\\w', { Path: 'C:\\w;D:\\n' }],
] as const)('on %s, folders for programs stand behind those of %o', (platform, environment, folders, after) => {
  expect(withPath(environment, folders, { platform })).toEqual(after)
})
