import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { readClientConfig, type ClientFormat } from './read-client-config.ts'

const edited = { file: 'x.json', home: '/home/ada', directory: '/home/ada/c', platform: 'posix' } as const
const read = (text: string, format: ClientFormat): readonly unknown[] =>
  readClientConfig(text, { ...edited, format }).map(({ name, entry, fault }) => [name, entry ?? fault?.message])
const stdio = (command: string, more: object = {}): object => ({ kind: 'stdio', command, args: [], env: {}, disabled: false, ...more })

test('Claude Desktop, Cursor, Windsurf and Gemini write mcpServers, each with members of its own', () => {
  const text = `{
    // mine
    "theme": "dark",
    "mcpServers": {
      "files": { "command": "npx", "args": ["-y", "server-filesystem"], "env": { "LANG": "C" }, "alwaysAllow": ["read"], "timeout": 600 },
      "notes": { "url": "https://notes.example/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } },
      "gemini": { "httpUrl": "https://g.example/mcp", "trust": true },
      "windsurf": { "serverUrl": "https://w.example/mcp", "disabled": true },
      "old": { "type": "sse", "url": "https://o.example/sse" },
      "broken": 7,
    }
  }`

  expect(read(text, 'mcpServers')).toEqual([
    ['files', stdio('npx', { args: ['-y', 'server-filesystem'], env: { LANG: 'C' } })],
    ['notes', { kind: 'http', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}' }, disabled: false }],
    ['gemini', { kind: 'http', url: 'https://g.example/mcp', headers: {}, disabled: false }],
    ['windsurf', { kind: 'http', url: 'https://w.example/mcp', headers: {}, disabled: true }],
    ['old', 'the old "sse" transport is not supported: use the server\'s streamable HTTP address'],
    ['broken', 'this is no server'],
  ])
})

test('VS Code writes servers, in a file of their own or in the settings; what only it can fill in is no server here', () => {
  const text =
    '{"inputs":[],"servers":{"a":{"type":"stdio","command":"a"},"b":{"type":"http","url":"https://b.example","headers":{"X":"${input:key}"}}},"mcp":{"servers":{"c":{"command":"c"}}}}'

  expect(read(text, 'servers')).toEqual([
    ['a', stdio('a')],
    ['b', 'only the other client can fill in ${input:key}: add this server by hand'],
    ['c', stdio('c')],
  ])
})

test('Zed writes context_servers, with the program within or beside', () => {
  const text =
    '{"context_servers":{"a":{"source":"custom","command":"a","args":["x"]},"b":{"command":{"path":"b","args":["y"],"env":{}}},"extension":{"settings":{}}}}'

  expect(read(text, 'context_servers')).toEqual(
    [
      ['a', stdio('a', { args: ['x'] })],
      ['b', stdio('b', { args: ['y'] })],
      ['extension', 'a server needs either a "command" or a "url" (it has neither)'],
    ].map(([name, entry]) => [name, name === 'extension' ? (expect.stringContaining('a server needs') as unknown) : entry]),
  )
})

test('Claude Code has servers for everywhere and for projects; a name counts once', () => {
  const text =
    '{"mcpServers":{"a":{"command":"a"}},"projects":{"/x":{"mcpServers":{"a":{"command":"other"},"b":{"command":"b"}}},"/y":{"mcpServers":{"b":{"command":"late"}}},"/z":{}}}'

  expect(read(text, 'claude-code')).toEqual([
    ['a', stdio('a')],
    ['b', stdio('b')],
  ])
})

test('Codex writes TOML', () => {
  const text = `
model = "gpt" # not ours
[profiles.x]
list = [1, { a = "]" }, '''
[mcp_servers.fake]
''']
[mcp_servers.files]
command = "npx"
args = [
  "-y", # yes
  'server-"x"',
]
env = { LANG = "C", "B" = "\\u00e9\\n" }
startup_timeout_sec = 20
[mcp_servers."my notes"]
url = "https://notes.example/mcp"
bearer_token_env_var = "NOTES_TOKEN"
[mcp_servers.sub.env]
KEY = "v"
[mcp_servers.sub]
command = "sub"
enabled = false
[[other]]
command = "no"
`

  expect(read(text, 'codex-toml')).toEqual([
    ['files', stdio('npx', { args: ['-y', 'server-"x"'], env: { LANG: 'C', B: 'é\n' } })],
    ['my notes', { kind: 'http', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer ${NOTES_TOKEN}' }, disabled: false }],
    ['sub', stdio('sub', { env: { KEY: 'v' }, disabled: true })],
  ])
})

test.each<[string, string, ClientFormat]>([
  ['JSON that is none', '{', 'mcpServers'],
  ['a text without end', '[mcp_servers.a]\ncommand = "x', 'codex-toml'],
  ['a list without end', '[mcp_servers.a]\nargs = ["x",', 'codex-toml'],
  ['a value that is missing', '[mcp_servers.a]\ncommand =\n', 'codex-toml'],
  ['nesting without end', `[mcp_servers.a]\nargs = ${'['.repeat(10_000)}`, 'codex-toml'],
])('%s is a fault, and no server', (_, text, format) => {
  expect(() => read(text, format)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

test('names that mean something to JavaScript are names like others', () => {
  expect(read('{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"}}}', 'mcpServers')).toHaveLength(2)
  expect(read('[mcp_servers.__proto__]\ncommand = "a"\n[mcp_servers.__proto__.__proto__]\nx = 1\n', 'codex-toml')).toHaveLength(1)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

test('no text makes the reader of TOML hang, or fail in another way', () => {
  const piece = fc.constantFrom('[mcp_servers.a]', '\n', 'a = ', '"', "'", '"""', "'''", '[', ']', '{', '}', ',', '#', '\\', 'x', ' ', '.', '=', '\u0000')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        read(pieces.join(''), 'codex-toml')
      } catch (error) {
        expect(error).toBeInstanceOf(ConsentryError)
      }
    }),
    { numRuns: 2000 },
  )
})
