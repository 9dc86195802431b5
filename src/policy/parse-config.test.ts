import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { parseConfig } from './parse-config.ts'

const posix = { home: '/home/ada', directory: '/home/ada/.config/consentry', platform: 'posix' } as const
const windows = { home: 'C:\\Users\\ada', directory: 'C:\\Users\\ada\\consentry', platform: 'win32' } as const

function faultOf(config: string, place: Parameters<typeof parseConfig>[2] = posix): string {
  try {
    parseConfig(config, 'config.jsonc', place)
  } catch (error) {
    if (error instanceof ConsentryError) return `${error.code} ${error.message}`
    throw error
  }
  return 'no fault'
}

test('the example of the documentation is read as it stands', () => {
  const text = `{
    // the same entries that other hosts use
    "mcpServers": {
      "travel": { "command": "node", "args": ["travel-server.js"], "env": { "LANG": "C" }, "cwd": "." },
      "notes":  { "url": "https://notes.example/mcp", "headers": { "Authorization": "Bearer \${NOTES_TOKEN}" } }
    },
    "roots": { "travel": [{ "path": "~/travel-planning", "name": "Travel Planning Workspace" }], "*": [] },
    "models": [{ "provider": "anthropic", "model": "claude-sonnet-4-5" }, { "provider": "ollama", "model": "qwen3:4b" }],
    "rules": [{ "server": "travel", "request": "sampling", "decision": "allow", "until": "2026-12-31",
                "limits": { "requestsPerMinute": 10, "tokensPerDay": 50000, "costPerDay": 0.50 } }]
  }`
  expect(parseConfig(text, 'config.jsonc', posix)).toEqual({
    mcpServers: new Map<string, unknown>([
      ['travel', { kind: 'stdio', command: 'node', args: ['travel-server.js'], env: { LANG: 'C' }, cwd: '/home/ada/.config/consentry/.', disabled: false }],
      ['notes', { kind: 'http', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer ${NOTES_TOKEN}' }, disabled: false }],
    ]),
    roots: new Map([
      ['travel', [{ path: '/home/ada/travel-planning', name: 'Travel Planning Workspace' }]],
      ['*', []],
    ]),
    rootMappings: new Map(),
    models: [
      { provider: 'anthropic', model: 'claude-sonnet-4-5' },
      { provider: 'ollama', model: 'qwen3:4b' },
    ],
    rules: [
      {
        server: 'travel',
        request: 'sampling',
        decision: 'allow',
        until: '2026-12-31',
        limits: { requestsPerMinute: 10, tokensPerDay: 50_000, costPerDay: 0.5 },
      },
    ],
    sampling: { servers: new Map() },
    alwaysAsk: false,
  })
})

test('models name their form of speech, where their key is, and which metadata they may be given', () => {
  const models = [
    { provider: 'work', model: 'claude', api: 'anthropic', apiKey: { keyring: 'work-claude' }, metadata: ['user_id'] },
    { provider: 'lab', model: 'm', apiKey: { command: ['op', 'read', 'op://lab/key'] } },
    { provider: 'openai', model: 'gpt', apiKey: '${MY_KEY}' },
  ]
  expect(parseConfig(JSON.stringify({ models }), 'config.jsonc', posix).models).toEqual([
    { provider: 'work', model: 'claude', api: 'anthropic', apiKey: { kind: 'keyring', name: 'work-claude' }, metadata: ['user_id'] },
    { provider: 'lab', model: 'm', apiKey: { kind: 'command', program: 'op', args: ['read', 'op://lab/key'] } },
    { provider: 'openai', model: 'gpt', apiKey: '${MY_KEY}' },
  ])
})

test('model requests are limited in total and by server, and what a server does not say holds for every server', () => {
  const sampling = { total: { costPerDay: 5, atOnce: 4 }, servers: { '*': { redact: true, limits: { tokensPerRun: 9 } }, travel: { keepText: true } } }
  const rules = [{ server: 'travel', request: 'sampling', decision: 'allow', review: 'completion' }]
  const config = parseConfig(JSON.stringify({ sampling, rules }), 'config.jsonc', posix)
  expect([config.sampling, config.rules]).toEqual([
    {
      total: { costPerDay: 5, atOnce: 4 },
      servers: new Map([
        ['*', { redact: true, limits: { tokensPerRun: 9 } }],
        ['travel', { keepText: true }],
      ]),
    },
    rules,
  ])
})

test('entries copied from other hosts are understood', () => {
  const text = `{ "mcpServers": {
    "a": { "type": "stdio", "command": "npx", "args": ["-y", "server"], "disabled": true },
    "b": { "type": "http", "url": "http://127.0.0.1:8123/mcp" },
    "c": { "type": "streamable-http", "url": "https://x.example" } } }`
  expect([...parseConfig(text, 'config.jsonc', posix).mcpServers.values()]).toEqual([
    { kind: 'stdio', command: 'npx', args: ['-y', 'server'], env: {}, disabled: true },
    { kind: 'http', url: 'http://127.0.0.1:8123/mcp', headers: {}, disabled: false },
    { kind: 'http', url: 'https://x.example', headers: {}, disabled: false },
  ])
})

test('what other programs write into an entry is understood, or said to be unused; a permission is never taken over', () => {
  const text = `{ "mcpServers": {
    "cursor": { "command": "a", "envFile": ".env", "autoApprove": ["rm"] },
    "cline": { "command": "a", "alwaysAllow": ["rm"], "timeout": 60, "disabled": true, "type": "stdio" },
    "windsurf": { "serverUrl": "https://w.example/mcp", "disabledTools": ["rm"] },
    "gemini": { "httpUrl": "https://g.example/mcp", "trust": true, "description": "Notes", "headers": { "A": "b" } },
    "code": { "type": "streamableHttp", "url": "https://c.example/mcp", "gallery": "https://g.example", "version": "1.0.0" },
    "zed": { "command": "a", "enabled": false },
    "claude": { "type": "http", "url": "https://h.example/mcp", "headersHelper": "/bin/token" } } }`
  const entries = [...parseConfig(text, 'config.jsonc', posix).mcpServers]

  expect(entries.map(([name, { kind, disabled, notes = [] }]) => [name, kind, disabled, notes.map((note) => note.replace(/:.*/, ''))])).toEqual([
    ['cursor', 'stdio', false, ['"envFile" is not read', '"autoApprove" is never taken over']],
    ['cline', 'stdio', true, ['"alwaysAllow" is never taken over', '"timeout" is not used']],
    ['windsurf', 'http', false, ['"disabledTools" is not used']],
    ['gemini', 'http', false, ['"trust" is never taken over']],
    ['code', 'http', false, []],
    ['zed', 'stdio', true, []],
    ['claude', 'http', false, ['"headersHelper" is not run']],
  ])
})

test('a server may have the name of something that every object has', () => {
  const { mcpServers } = parseConfig('{ "mcpServers": { "__proto__": { "command": "a" }, "constructor": { "command": "b" } } }', 'config.jsonc', posix)
  expect([...mcpServers.keys()]).toEqual(['__proto__', 'constructor'])
})

test.each([
  [
    '{\n  // a comment is fine\n  "roots": {},\n  "rootz": {}\n}',
    '4:3 unknown key "rootz"; known here: mcpServers, roots, rootMappings, models, rules, sampling, alwaysAsk',
  ],
  ['[]', '1:1 the file must be an object in braces'],
  ['{ "alwaysAsk": "yes" }', '1:3 "alwaysAsk" must be true or false'],
  ['{ "mcpServers": { "x": {} } }', '1:19 a server needs either a "command" or a "url"'],
  ['{ "mcpServers": { "x": { "command": "a", "url": "https://x.example" } } }', '1:19 a server needs either a "command" or a "url"'],
  ['{ "mcpServers": { "x": { "url": "https://x.example",\n "serverUrl": "https://y.example" } } }', '2:2 a server has one address: take the other one out'],
  [
    '{ "mcpServers": { "x": { "command": "a",\n "autoAprove": [] } } }',
    '2:2 unknown key "autoAprove"; known here: type, command, args, env, cwd, sandbox, sandboxRead, rootsTo, url, serverUrl, httpUrl, headers, disabled, enabled',
  ],
  ['{ "mcpServers": { "x": { "command": "a", "disabled": "yes" } } }', '1:42 "disabled" must be true or false'],
  ['{ "mcpServers": { "x": { "command": "" } } }', '1:26 "command" must not be empty'],
  ['{ "mcpServers": { "x": { "command": "a",\n "args": ["b", 3] } } }', '2:16 element 2 must be a text'],
  ['{ "mcpServers": { "x": { "command": "a", "env": { "A": 1 } } } }', '1:51 "A" must be a text'],
  ['{ "mcpServers": { "x": { "command": "a", "env": { "A=B": "1" } } } }', '1:51 this is not the name of an environment variable'],
  ['{ "mcpServers": { "x": { "command": "a", "headers": {} } } }', '1:42 "headers" is not for servers that have a "command"'],
  ['{ "mcpServers": { "x": { "type": "http", "command": "a" } } }', '1:26 "type" does not fit the other keys'],
  [
    '{ "mcpServers": { "x": { "type": "sse", "url": "https://x.example" } } }',
    '1:26 the old "sse" transport is not supported: use the server\'s streamable HTTP address',
  ],
  ['{ "mcpServers": { "x": { "url": "file:///etc" } } }', '1:26 must be an address that begins with https:// or http://'],
  ['{ "mcpServers": { "x": { "url": "https://u:p@x.example" } } }', '1:26 must not contain a user name or password: use "headers" with ${NAME}'],
  ['{ "mcpServers": { "x": { "url": "https://x.example", "headers": { "a b": "c" } } } }', '1:67 this is not the name of an HTTP header'],
  ['{ "mcpServers": { "*": { "command": "a" } } }', '1:19 "*" stands for every server, so that no server can be called so'],
  ['{ "roots": { "x": { "path": "/a" } } }', '1:14 "x" must be a list in brackets'],
  ['{ "roots": { "x": [{ "name": "a" }] } }', '1:20 a root needs a "path"'],
  ['{ "roots": { "x": [{ "path": "a/b" }] } }', '1:22 "path" must be absolute, or begin with ~/'],
  ['{ "roots": { "x": [{ "path": "~other/b" }] } }', '1:22 "path" must be absolute, or begin with ~/'],
  ['{ "roots": { "x": [{ "path": "file:///a" }] } }', '1:22 "path" must be a path, not a URI'],
  ['{ "roots": { "x": [{ "path": "/a\\u0000b" }] } }', '1:22 "path" must not contain control characters'],
  ['{ "roots": { "x": [{ "path": "/a", "uri": "" }] } }', '1:36 unknown key "uri"; known here: path, name, readOnly'],
  ['{ "models": [{ "provider": "x" }] }', '1:14 a model needs "provider" and "model"'],
  ['{ "models": [{ "provider": "x:y", "model": "z" }] }', '1:16 "provider" must not contain a colon: it separates provider and model'],
  ['{ "models": [{ "provider": "x", "model": "z", "intelligence": 85 }] }', '1:47 "intelligence" must be 1 or less'],
  ['{ "models": [{ "provider": "x", "model": "z", "cost": { "input": 3 } }] }', '1:47 "cost" needs "input" and "output", in USD per million tokens'],
  ['{ "rules": [{ "server": "x" }] }', '1:13 a rule needs a "decision": "allow", "ask" or "deny"'],
  ['{ "rules": [{ "decision": "maybe" }] }', '1:15 "decision" must be "allow" or "ask" or "deny"'],
  ['{ "rules": [{ "decision": "deny", "request": "tools" }] }', '1:35 "request" must be "roots" or "elicitation" or "sampling"'],
  ['{ "rules": [{ "decision": "deny", "mode": "url" }] }', '1:35 "mode" is only for rules with "request": "elicitation"'],
  ['{ "rules": [{ "decision": "deny", "request": "elicitation", "content": {} }] }', '1:61 "content" is only for rules that allow'],
  [
    '{ "rules": [{ "decision": "ask", "request": "elicitation", "message": { "exact": "a" } }] }',
    '1:60 "message" is a text (* stands for any text, ? for one character), or { "exactly": "…" } for one text and no other',
  ],
  ['{ "rules": [{ "decision": "ask", "request": "elicitation", "message": { "exactly": "a\\u0000" } }] }', '1:60 "message" must not contain a NUL character'],
  [
    '{ "rules": [{ "decision": "allow", "request": "elicitation", "server": "travel", "message": "*", "content": {} }] }',
    '1:98 "content" answers one form only: say which with "server" (one name), "message" and "schema" (its fingerprint, from "consentry audit export")',
  ],
  [
    '{ "rules": [{ "decision": "deny", "request": "elicitation", "schema": "abc" }] }',
    '1:61 "schema" is the fingerprint of a form: 64 hexadecimal digits, from "consentry audit export"',
  ],
  [
    '{ "rules": [{ "decision": "allow", "request": "elicitation", "mode": "url", "content": {} }] }',
    '1:77 "content" is for forms: only a person opens an address',
  ],
  ['{ "rules": [{ "decision": "deny", "server": "evil*" }] }', '1:35 "server" is the name of one server, or "*" for every server'],
  ['{ "rules": [{ "decision": "deny", "until": "2026-02-30" }] }', '1:35 "until" must be a day of the calendar, written as YYYY-MM-DD'],
  ['{ "rules": [{ "decision": "allow", "limits": { "requestsPerMinute": 1.5 } }] }', '1:48 "requestsPerMinute" must be a whole number'],
  ['{ "rules": [{ "request": "sampling", "decision": "ask", "review": "prompt" }] }', '1:57 "review" is only for rules that allow, with "request": "sampling"'],
  [
    '{ "models": [{ "provider": "a", "model": "b", "apiKey": {} }] }',
    '1:47 "apiKey" is "${NAME}" for a variable of the environment, {"keyring": "NAME"} for the system\'s keyring, or {"command": ["PROGRAM", "ARG"]}',
  ],
  ['{ "models": [{ "provider": "a", "model": "b", "apiKey": { "command": [] } }] }', '1:59 "command" needs the program that prints the key'],
  ['{ "sampling": { "servers": { "travel": { "redact": 1 } } } }', '1:42 "redact" must be true or false'],
  ['{ "rules": [{ "decision": "allow", "limits": { "costPerDay": -1 } }] }', '1:48 "costPerDay" must be 0 or more'],
])('%s is refused with its place', (text, fault) => {
  expect(faultOf(text)).toBe(`CONFIG_INVALID config.jsonc:${fault}`)
})

test('paths of Windows follow the rules of Windows', () => {
  const paths = ['~\\trip', '~/trip', 'C:\\a', '\\\\server\\share\\a', 'C:a', '/a', '\\\\.\\C:\\a', '\\\\server'].map((path) => {
    const text = JSON.stringify({ roots: { x: [{ path }] } })
    const fault = faultOf(text, windows)
    return fault === 'no fault' ? parseConfig(text, 'config.jsonc', windows).roots.get('x')?.[0]?.path : fault.replace(/^.*"path" /, '')
  })
  expect(paths).toEqual([
    'C:\\Users\\ada\\trip',
    'C:\\Users\\ada/trip',
    'C:\\a',
    '\\\\server\\share\\a',
    'must say which folder of the drive is meant: C:\\folder',
    'must be absolute, or begin with ~/',
    'must not name a device',
    'must be absolute, or begin with ~/',
  ])
})

test('mappings say how a server with other files knows our folders', () => {
  const text = '{ "rootMappings": { "box": { "~/projects": "file:///workspace/", "/srv": "file:///c:/srv" } } }'

  expect(parseConfig(text, 'config.jsonc', posix).rootMappings).toEqual(
    new Map([
      [
        'box',
        [
          { path: '/home/ada/projects', uri: 'file:///workspace' },
          { path: '/srv', uri: 'file:///C:/srv' },
        ],
      ],
    ]),
  )
})

test.each([
  ['{ "rootMappings": { "*": {} } }', 'stands for every server'],
  ['{ "rootMappings": { "box": { "projects": "file:///w" } } }', 'the folder "projects" must be absolute'],
  ['{ "rootMappings": { "box": { "/srv": "/workspace" } } }', 'must be a file:// URI'],
  ['{ "rootMappings": { "box": { "/srv": "file:///a/../b" } } }', 'must be a file:// URI'],
  ['{ "rootMappings": { "box": ["/srv"] } }', 'must be an object'],
])('the mapping %s is refused by name', (text, message) => {
  expect(faultOf(text)).toMatch(/^CONFIG_INVALID config\.jsonc:1:\d+/)
  expect(faultOf(text)).toContain(message)
})

test('a server can be held to its folders, learn of them when it is started, and be let only read one', () => {
  const text = `{
    "mcpServers": { "files": { "command": "files", "sandbox": "roots,offline", "sandboxRead": ["~/data", "more"], "rootsTo": "env:ALLOWED" }, "plain": { "command": "x", "rootsTo": "arguments" } },
    "roots": { "files": [{ "path": "/w", "readOnly": true }] }
  }`

  const { mcpServers, roots } = parseConfig(text, 'config.jsonc', posix)

  expect([mcpServers.get('files'), mcpServers.get('plain'), roots.get('files')]).toEqual([
    expect.objectContaining({
      wishes: {
        sandbox: { isOffline: true },
        sandboxRead: ['/home/ada/data', '/home/ada/.config/consentry/more'],
        rootsTo: { kind: 'environment', name: 'ALLOWED' },
      },
    }),
    expect.objectContaining({ wishes: { sandbox: undefined, sandboxRead: undefined, rootsTo: { kind: 'arguments' } } }),
    [{ path: '/w', readOnly: true }],
  ])
})

test.each([
  ['{ "mcpServers": { "a": { "command": "x", "sandbox": "all" } } }', 'must be "roots", or "roots,offline"'],
  ['{ "mcpServers": { "a": { "command": "x", "rootsTo": "env:" } } }', 'must be "arguments", or "env:NAME"'],
  ['{ "mcpServers": { "a": { "command": "x", "sandboxRead": ["/x"] } } }', 'only beside "sandbox"'],
  ['{ "mcpServers": { "a": { "url": "https://x.example", "sandbox": "roots" } } }', 'is not for servers'],
])('%s is refused: %s', (text, message) => {
  expect(() => parseConfig(text, 'config.jsonc', posix)).toThrow(message)
})
