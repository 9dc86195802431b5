import { expect, test } from 'vitest'
import { describeDisk } from '../paths/index.ts'
import { validateRoot } from './validate-root.ts'

const disk = describeDisk(
  {
    dirs: ['/home/u/app', '/home/u/.ssh', '/state', '/w/.git/objects', '/w/.git/refs', '/locked'],
    files: ['/w/.git/HEAD', '/w/.git/config'],
    links: { '/keys': '/home/u/.ssh', '/proc/self/cwd': '/home/u/app', '/home/u/here': '/other', '/other': '/proc/self/cwd' },
    unreadable: ['/locked'],
  },
  { platform: 'posix' },
)

test.each([
  ['~/app', 'ok', 'ok', undefined],
  ['~', 'ok', 'confirm', 'home'],
  ['/keys', 'ok', 'confirm', 'keys'],
  ['/state', 'ok', 'confirm', 'state'],
  ['/w', 'ok', 'ok', undefined],
  ['/w/.git', 'denied', 'block', 'git-dir'],
  ['/w/.git/config', 'denied', 'block', 'git-dir'],
  ['/locked', 'denied', 'ok', undefined],
  ['/gone', 'missing', 'ok', undefined],
  // Each process has another one there.
  ['/proc/self/cwd', 'denied', 'block', 'kernel'],
  ['/home/u/here', 'denied', 'block', 'kernel'],
  ['/etc/gone', 'missing', 'confirm', 'system'],
])('%s is %s and %s before consent', async (path, status, level, concern) => {
  expect(await validateRoot({ path }, { disk, home: '/home/u', state: '/state' })).toMatchObject({ ok: true, path, status, level, concern })
})

test('what can be no root is refused with a reason', async () => {
  expect(await validateRoot({ path: '/' }, { disk, home: '/home/u' })).toMatchObject({ ok: false, problem: 'top-folder' })
})
