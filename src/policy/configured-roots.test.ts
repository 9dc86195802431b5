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

test.each<[string, readonly string[], string | undefined, string | undefined, 'granted' | 'proposed']>([
  ['an absolute file', ['/srv/a.js'], '/srv', '/home/ada', 'granted'],
  ['a package', ['@scope/server', '--all'], '/srv', '/home/ada', 'granted'],
  ['a relative file, there', ['./a.js'], '/srv/.', '/srv', 'granted'],
  ['a relative file, elsewhere', ['./a.js'], '/srv', '/home/ada', 'proposed'],
  ['a file without a folder, elsewhere', ['a.js'], '/srv', '/home/ada', 'proposed'],
  ['a relative file that the config starts wherever it is', ['a.js'], undefined, '/home/ada', 'proposed'],
  ['a relative file behind a flag, elsewhere', ['--config=./a.json'], '/srv', '/home/ada', 'proposed'],
  ['an absolute file behind a flag', ['--config=/a.json'], '/srv', '/home/ada', 'granted'],
])('%s is the server of the config only where it is the same file', (_, args, known, real, expected) => {
  const { mcpServers } = parseConfig(JSON.stringify({ mcpServers: { travel: { command: 'node', args, cwd: known } } }), 'config.jsonc', {
    home: '/home/ada',
    directory: '/',
    platform: 'posix',
  })
  const roots = configuredRoots(
    { ...config, mcpServers, roots: new Map([['travel', [{ path: '/trip' }]]]) },
    { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args, cwd: real } },
  )

  expect(roots[expected]).toEqual([{ path: '/trip' }])
})

test('a mapping is meant for the server that has its name, and for no other command', () => {
  const mappings = [{ path: '/trip', uri: 'file:///workspace' }]
  const servers = [server('travel', true, 'a.js'), server('travel', false, 'a.js'), server('travel', true, 'b.js'), server('notes', true)]

  expect(servers.map((identity) => configuredMappings(config, identity))).toEqual([mappings, [], [], []])
})
