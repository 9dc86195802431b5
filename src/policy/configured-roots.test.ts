import { expect, test } from 'vitest'
import type { ServerIdentity } from '../protocol/index.ts'
import { configuredMappings, configuredRoots } from './configured-roots.ts'
import { parseConfig } from './parse-config.ts'

const config = parseConfig(
  `{ "mcpServers": { "travel": { "command": "node", "args": ["a.js"] } },
     "rootMappings": { "travel": { "/trip": "file:///workspace" } },
     "roots": { "travel": [{ "path": "/trip" }], "notes": [{ "path": "/notes" }], "*": [{ "path": "/all" }] } }`,
  'config.jsonc',
  { home: '/home/ada', directory: '/', platform: 'posix' },
)
const server = (name: string, named: boolean, ...args: string[]): ServerIdentity => ({ name, named, target: { kind: 'stdio', command: 'node', args } })

test.each([
  ['a server of the config gets its folders and those of every server', server('travel', true, 'a.js'), ['/trip', '/all'], []],
  ['a name that the user gave is enough where the config lists no such server', server('notes', true, 'x.js'), ['/notes', '/all'], []],
  ['a name that the user did not give matches nothing', server('travel', false, 'a.js'), ['/all'], []],
  ['another command under a name of the config is a matter for a person', server('travel', true, 'b.js'), ['/all'], ['/trip']],
  ['more arguments are another command', server('travel', true, 'a.js', '--all'), ['/all'], ['/trip']],
  ['a server called "*" is one server', server('*', true, 'x.js'), ['/all'], []],
])('%s', (_, identity, granted, proposed) => {
  const roots = configuredRoots(config, identity)
  expect([roots.granted.map(({ path }) => path), roots.proposed.map(({ path }) => path)]).toEqual([granted, proposed])
})

test('a mapping is meant for the server that has its name, and for no other command', () => {
  const mappings = [{ path: '/trip', uri: 'file:///workspace' }]
  const servers = [server('travel', true, 'a.js'), server('travel', false, 'a.js'), server('travel', true, 'b.js'), server('notes', true)]

  expect(servers.map((identity) => configuredMappings(config, identity))).toEqual([mappings, [], [], []])
})
