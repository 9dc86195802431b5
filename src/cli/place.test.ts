import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { configFolderOf, homeOf, stateFolderOf, type Place } from './place.ts'

function placeOf(environment: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux'): Place {
  return { environment, platform, cwd: '/work/project' } as unknown as Place
}

test.each([{}, { HOME: '' }, { HOME: '.' }, { HOME: 'project' }])(
  'with the environment %j, home is the one of the account, wherever a command is run',
  (environment) => {
    expect(homeOf(placeOf(environment))).toBe(userInfo().homedir)
  },
)

test('a config folder that depends on where a command is run is none: a project cannot bring the settings of a user', () => {
  const folders = [
    placeOf({ HOME: '/home/ada', XDG_CONFIG_HOME: '.config' }),
    placeOf({ HOME: '/home/ada', XDG_CONFIG_HOME: '' }),
    placeOf({ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }),
    placeOf({ USERPROFILE: 'C:\\Users\\ada', APPDATA: 'roaming' }, 'win32'),
    placeOf({ USERPROFILE: 'C:\\Users\\ada', APPDATA: 'D:\\roaming' }, 'win32'),
  ].map(configFolderOf)

  expect(folders).toEqual(['/home/ada/.config', '/home/ada/.config', '/etc/ada', 'C:\\Users\\ada\\AppData\\Roaming', 'D:\\roaming'])
})

test('who names a state folder by hand may name it from where they are', () => {
  expect(stateFolderOf(placeOf({ HOME: '/home/ada', CONSENTRY_HOME: 'state' }))).toBe('/work/project/state')
})
