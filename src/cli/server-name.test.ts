import { expect, test } from 'vitest'
import { nameAfterCommand } from './server-name.ts'

test.each([
  [['node', 'travel-server.js'], 'travel-server'],
  [['npx', '-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/w'], 'server-filesystem'],
  [['/usr/bin/python3', '-m', 'notes_server'], 'notes_server'],
  [['uv', 'run', 'weather.py'], 'weather'],
  [['C:\\tools\\travel.cmd'], 'travel'],
  [['env', 'A=b', 'node', './build/index.mjs'], 'my-notes'],
  [['node', '/opt/server-everything/dist/index.js'], 'server-everything'],
  [['node', 'C:\\servers\\weather\\dist\\index.js'], 'weather'],
  [['node', '/index.js'], 'index'],
  [['my.server'], 'my.server'],
  [['node'], 'node'],
  [[''], 'server'],
])('%j is called %s', (command, name) => {
  expect(nameAfterCommand(command, '/home/ada/my-notes')).toBe(name)
})
