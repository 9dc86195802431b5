import { expect, test } from 'vitest'
import { otherClientFiles } from './other-clients.ts'
import { stateFolderOf, type Place } from './place.ts'

const installed = (place: Partial<Place>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    otherClientFiles(place as Place)
      .filter(({ installs }) => installs !== undefined)
      .map(({ client, file }) => [client, file]),
  )

test('on Windows clients keep their files in the roaming folder', () => {
  const place = {
    platform: 'win32',
    cwd: 'D:\\work\\trip',
    environment: { USERPROFILE: 'C:\\Users\\Ada', APPDATA: 'C:\\Users\\Ada\\AppData\\Roaming' },
  } as const

  expect([installed(place), stateFolderOf(place as unknown as Place)]).toEqual([
    {
      'Claude Desktop': 'C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'Claude Code': 'C:\\Users\\Ada\\.claude.json',
      'Claude Code, this project': 'D:\\work\\trip\\.mcp.json',
      Cursor: 'C:\\Users\\Ada\\.cursor\\mcp.json',
      'Cursor, this project': 'D:\\work\\trip\\.cursor\\mcp.json',
      'VS Code': 'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      'VS Code, settings': 'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\settings.json',
      'VS Code, this project': 'D:\\work\\trip\\.vscode\\mcp.json',
    },
    'C:\\Users\\Ada\\AppData\\Roaming\\consentry',
  ])
})

test('on macOS they are in Application Support', () => {
  expect(installed({ platform: 'darwin', cwd: '/work', environment: { HOME: '/Users/ada' } })).toMatchObject({
    'Claude Desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    'Claude Code': '/Users/ada/.claude.json',
    Cursor: '/Users/ada/.cursor/mcp.json',
    'VS Code': '/Users/ada/Library/Application Support/Code/User/mcp.json',
  })
})

test.each([
  [{ HOME: '/home/ada' }, '/home/ada/.config'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: '' }, '/home/ada/.config'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/conf' }, '/conf'],
])('on Linux they are where %o says', (environment, config) => {
  expect(installed({ platform: 'linux', cwd: '/work', environment })).toMatchObject({
    'Claude Desktop': `${config}/Claude/claude_desktop_config.json`,
    'VS Code': `${config}/Code/User/mcp.json`,
    Cursor: '/home/ada/.cursor/mcp.json',
  })
})

test('Claude Code can be told another folder', () => {
  expect(installed({ platform: 'linux', cwd: '/work', environment: { HOME: '/home/ada', CLAUDE_CONFIG_DIR: '/cc' } })).toMatchObject({
    'Claude Code': '/cc/.claude.json',
  })
})
