import { expect, test } from 'vitest'
import { judgeFolder } from './levels.ts'
import { placeAt, type Place, type Platform } from './place.ts'

const at = (path: string, platform: Platform = 'posix'): Place => placeAt(path, platform)!
const linux = { home: at('/home/u'), temporary: [at('/private/scratch')], state: at('/w/state/consentry') }

test.each([
  ['/w/app', 'ok', undefined],
  ['/home/u/app', 'ok', undefined],
  ['/home/u/.configured', 'ok', undefined],
  ['/var/www/site', 'ok', undefined],
  ['/tmp/clone', 'ok', undefined],
  ['/etcetera', 'ok', undefined],
  ['/', 'block', 'top'],
  ['/proc/self/cwd', 'block', 'kernel'],
  ['/dev', 'block', 'kernel'],
  ['/home/u', 'confirm', 'home'],
  ['/home', 'confirm', 'above-home'],
  ['/home/eve', 'confirm', 'other-home'],
  ['/home/eve/app', 'confirm', 'other-home'],
  ['/Users/eve/app', 'confirm', 'other-home'],
  ['/root/app', 'confirm', 'other-home'],
  ['/etc', 'confirm', 'system'],
  ['/usr/local/src/app', 'confirm', 'system'],
  ['/var', 'confirm', 'shared'],
  ['/var/tmp', 'confirm', 'shared'],
  ['/private/scratch', 'confirm', 'shared'],
  ['/home/u/.ssh', 'confirm', 'keys'],
  ['/home/u/.config/nvim', 'confirm', 'keys'],
  ['/w/state/consentry', 'confirm', 'state'],
  ['/w/state/consentry/keys', 'confirm', 'state'],
  ['/w/state', 'confirm', 'state'],
])('for the user of /home/u the folder %s is %s', (path, level, concern) => {
  expect(judgeFolder(at(path), linux)).toEqual(concern ? { level, concern } : { level })
})

test('what lies in the own home is the own, wherever the home lies', () => {
  expect(judgeFolder(at('/root/app'), { home: at('/root') })).toEqual({ level: 'ok' })
  expect(judgeFolder(at('/usr/home/u/app'), { home: at('/usr/home/u') })).toEqual({ level: 'ok' })
  expect(judgeFolder(at('/usr/home/eve/app'), { home: at('/usr/home/u') })).toEqual({ level: 'confirm', concern: 'other-home' })
})

test('where the top is called home, the system stays the system', () => {
  expect(judgeFolder(at('/etc/nginx'), { home: at('/') })).toEqual({ level: 'confirm', concern: 'system' })
})

test.each([
  ['C:\\work\\app', 'ok', undefined],
  ['c:\\users\\U\\app', 'ok', undefined],
  ['C:\\', 'block', 'top'],
  ['C:\\Users\\u', 'confirm', 'home'],
  ['C:\\Users', 'confirm', 'above-home'],
  ['C:\\Users\\eve\\app', 'confirm', 'other-home'],
  ['C:\\Users\\u\\appdata\\Local', 'confirm', 'keys'],
  ['C:\\WINDOWS\\System32', 'confirm', 'system'],
  ['D:\\Program Files\\x', 'confirm', 'system'],
  ['\\\\srv\\share\\app', 'confirm', 'network'],
])('on Windows the folder %s is %s', (path, level, concern) => {
  expect(judgeFolder(at(path, 'win32'), { home: at('C:\\Users\\u', 'win32') })).toEqual(concern ? { level, concern } : { level })
})
