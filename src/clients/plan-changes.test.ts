import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/index.ts'
import { changeEntries, readClientDocument, type EntryChange } from './client-document.ts'
import { findOurWords } from './our-words.ts'
import { planInstall, planUninstall, recordInstall, type EntryPlan } from './plan-changes.ts'
import { showChanges } from './show-changes.ts'

const wrapper = { node: '/usr/bin/node', program: '/opt/consentry/dist/cli/main.js' }
const needs = { wrapper, names: undefined, pathFor: () => undefined }

function install(text: string, wanted: Partial<Parameters<typeof planInstall>[1]> = {}): { readonly after: string; readonly plans: readonly EntryPlan[] } {
  const document = readClientDocument(text, 'mcp.json')
  const plans = planInstall(document, { ...needs, ...wanted })
  return { after: changeEntries(document, changesOf(plans)), plans }
}

function uninstall(text: string, recorded: Parameters<typeof planUninstall>[1]['recorded'] = []): string {
  const document = readClientDocument(text, 'mcp.json')
  return changeEntries(document, changesOf(planUninstall(document, { recorded, names: undefined })))
}

function changesOf(plans: readonly EntryPlan[]): readonly EntryChange[] {
  return plans.filter((plan) => plan.action === 'change')
}

const wrapped = (entry: string, path?: string): string => {
  const { after } = install(`{"mcpServers":{"fs":${entry}}}`, { pathFor: () => path })
  return after.slice('{"mcpServers":{"fs":'.length, -2)
}

test('the words stand before the server, and nothing else changes', () => {
  expect(
    install(`{
  // my servers
  "mcpServers": {
    "fs": {
      "command": "npx", // from npm
      "args": [
        "-y",
        "server-files" /* here */,
      ],
      "env": { "A": "1" },
    },
  },
}
`).after,
  ).toBe(`{
  // my servers
  "mcpServers": {
    "fs": {
      "command": "/usr/bin/node", // from npm
      "args": [
        "/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--", "npx",
        "-y",
        "server-files" /* here */,
      ],
      "env": { "A": "1" },
    },
  },
}
`)
})

test.each([
  [
    'no arguments',
    '{"command":"a"}',
    '{"command":"/usr/bin/node", "args": ["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--was", "no-args", "--", "a"]}',
  ],
  [
    'an empty list of arguments',
    '{"args":[ ],"command":"a"}',
    '{"args":["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--", "a" ],"command":"/usr/bin/node"}',
  ],
  [
    'a spelling of its own',
    '{"command":"\\u0061", "args":["--", "\\/x"]}',
    '{"command":"/usr/bin/node", "args":["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--", "\\u0061", "--", "\\/x"]}',
  ],
  [
    'a command that is an object',
    '{"command":{"path":"a","args":["b"],"env":{}}}',
    '{"command":{"path":"/usr/bin/node","args":["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--", "a", "b"],"env":{}}}',
  ],
  [
    'an address',
    '{"type":"http","url":"https://notes.example/mcp"}',
    '{"type":"stdio","command":"/usr/bin/node", "args": ["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--url", "https://notes.example/mcp"]}',
  ],
  [
    'headers, whose values no other program of the machine is shown',
    '{"url":"https://n.example/", "headers": {"Authorization": "Bearer ${input:token}", "X-A": "1"}}',
    '{"command":"/usr/bin/node", "args": ["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--url", "https://n.example/", "--header-env", "Authorization=CONSENTRY_HEADER_AUTHORIZATION", "--header-env", "X-A=CONSENTRY_HEADER_X_A"], "env": {"CONSENTRY_HEADER_AUTHORIZATION": "Bearer ${input:token}", "CONSENTRY_HEADER_X_A": "1"}}',
  ],
])('an entry with %s is wrapped', (_, before, after) => {
  expect(wrapped(before)).toBe(after)
})

test('what programs are looked for in besides PATH stands among the words', () => {
  expect(wrapped('{"command":"npx","args":["x"]}', '/home/me/.nvm/bin')).toBe(
    '{"command":"/usr/bin/node","args":["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--path", "/home/me/.nvm/bin", "--", "npx", "x"]}',
  )
})

test.each([
  ['{"url":"https://n.example/sse","type":"sse"}', 'it speaks the old "sse" transport, which is not supported: use its streamable HTTP address'],
  ['{"url":"https://a:b@n.example/"}', 'its address holds a user name or password: send them in a header'],
  ['{"url":"https://n.example/","headersHelper":"x"}', 'only its client can do what "headersHelper" says'],
  ['{"url":"https://n.example/","headers":{"a b":"x"}}', 'one of its "headers" has a name that is none'],
  ['{"url":"https://n.example/","serverUrl":"https://n.example/"}', 'it has two addresses'],
  ['{"url":"https://n.example/","command":"a"}', 'it has a command and an address'],
  ['{"command":"a","args":"b"}', 'its "args" are no list of texts'],
  ['{"command":"a","args":["\\u0000"]}', 'its "args" are no list of texts'],
  ['{"command":7}', 'its command is no text'],
  ['{}', 'it has neither a command nor an address'],
  ['[]', 'its entry is no object'],
  ['{"command":"a","disabled":true}', 'it is switched off; name it to wrap it all the same'],
  ['{"command":"mcp-proxy","args":["--","npx","consentry","wrap","--","a"]}', 'consentry stands behind another program there'],
])('%s is left as it is, and why is said', (entry, why) => {
  const { after, plans } = install(`{"mcpServers":{"fs":${entry}}}`)

  expect([after, plans.map((plan) => plan.action === 'skip' && plan.why)]).toEqual([`{"mcpServers":{"fs":${entry}}}`, [why]])
})

test('a server that is switched off is wrapped where somebody names it', () => {
  expect(install('{"mcpServers":{"fs":{"command":"a","disabled":true}}}', { names: new Set(['fs']) }).plans[0]).toMatchObject({ action: 'change' })
})

test('a program that is not here is not wrapped', () => {
  const { plans } = install('{"mcpServers":{"fs":{"command":"a"}}}', { pathFor: (command) => ({ missing: `there is no ${command}` }) })

  expect(plans).toMatchObject([{ action: 'skip', why: 'there is no a' }])
})

test.each(['mcpServers', 'servers', 'context_servers'])('servers under %s are found in a file that nobody knows', (key) => {
  expect(install(`{"${key}":{"a":{"command":"a"}}}`).plans.map(({ action }) => action)).toEqual(['change'])
})

test('servers of each project are found, and named with it', () => {
  const document = readClientDocument('{"mcpServers":{"a":{}},"projects":{"/p":{"mcpServers":{"a":{}}}}}', '.claude.json', 'claude-code')

  expect(document.entries.map(({ name, project }) => [name, project])).toEqual([
    ['a', undefined],
    ['a', '/p'],
  ])
})

test('what is wrapped by this program stays as it is, and what another one wrapped leads here afterwards', () => {
  const { after: once } = install('{"servers":{"a":{"command":"a","args":["b"]}}}')
  const moved = install(once, { wrapper: { node: '/new/node', program: '/new/consentry/dist/cli/main.js' } })

  expect([install(once).plans.map(({ action }) => action), uninstall(moved.after)]).toEqual([['keep'], '{"servers":{"a":{"command":"a","args":["b"]}}}'])
  expect(moved.after).toContain('"/new/node","args":["/new/consentry/dist/cli/main.js", "wrap"')
})

test('where node has moved, its folder moves with it', () => {
  const { after } = install('{"servers":{"a":{"command":"npx","args":["b"]}}}', {
    wrapper: { ...wrapper, node: '/old/bin/node' },
    pathFor: () => '/usr/bin:/old/bin',
  })

  expect(install(after, { wrapper: { ...wrapper, node: '/new/bin/node' } }).after).toBe(
    after.replace('"/old/bin/node"', '"/new/bin/node"').replace('/usr/bin:/old/bin', '/usr/bin:/new/bin'),
  )
})

test.each([
  ['{"command":"npx","args":["consentry","wrap","--name","t","--root","/r","--","node","t.js"]}', '{"command":"node","args":["t.js"]}'],
  ['{"command":"npx","args":["-y","consentry@1.2.0","wrap","--","t"],"env":{}}', '{"command":"t","args":[],"env":{}}'],
  ['{"command":"C:\\\\x\\\\consentry.cmd","args":["wrap","--","t",]}', '{"command":"t","args":[]}'],
])('words that somebody wrote by hand are taken out too', (entry, after) => {
  expect(uninstall(`{"servers":{"t":${entry}}}`)).toBe(`{"servers":{"t":${after}}}`)
})

test('an address that somebody wrapped by hand is one again', () => {
  const back = uninstall('{"servers":{"t":{"command":"consentry","args":["wrap","--url","https://n.example/","--header","A: ${B}"],"env":{"C":"d"}}}}')

  expect(JSON.parse(back)).toEqual({ servers: { t: { url: 'https://n.example/', headers: { A: '${B}' }, env: { C: 'd' } } } })
})

test('an entry that was changed since keeps the change, and loses our words alone', () => {
  const { after } = install('{"mcpServers":{"a":{"command":"npx","args":["x"]}}}')

  expect(uninstall(after.replace('"x"]', '"x", "y"],"env":{"B":"1"}'))).toBe('{"mcpServers":{"a":{"command":"npx","args":["x", "y"],"env":{"B":"1"}}}}')
})

test('an address that was changed since gets its headers back', () => {
  const { after } = install('{"mcpServers":{"n":{"url":"https://n.example/","headers":{"A":"b"},"type":"http"}}}')
  const changed = after.replace('"type":"stdio"', '"type":"stdio","timeout":9')

  expect(JSON.parse(uninstall(changed))).toEqual({ mcpServers: { n: { url: 'https://n.example/', headers: { A: 'b' }, type: 'http', timeout: 9 } } })
})

test('a change is shown with its line', () => {
  const document = readClientDocument('{"mcpServers":{\n  "fs": {\n    "command": "a",\n    "args": []\n  }\n}}\n', 'mcp.json')

  expect(showChanges(document, changesOf(planInstall(document, needs)))).toBe(`--- mcp.json
+++ mcp.json
@@ fs, line 2 @@
   "fs": {
-    "command": "a",
-    "args": []
+    "command": "/usr/bin/node",
+    "args": ["/opt/consentry/dist/cli/main.js", "wrap", "--name", "fs", "--", "a"]
   }
`)
})

test.each([
  ['node', ['/x/dist/cli/main.js', 'wrap', '--name', 'a', '--', 'a']],
  ['node', ['/x/dist/cli/main.js', 'wrap', '--root', '/r', '--name', 'a', '--', 'a']],
  ['node', ['/x/consentry/dist/cli/main.js', 'wrap', '--', 'a']],
  ['/usr/bin/node', ['--no-warnings', '/x/node_modules/.bin/consentry', 'wrap', '--no-desk', '--url', 'https://a.example']],
])('%s %s is ours', (command, args) => {
  expect(findOurWords(command, args)?.position).toBe('front')
})

test.each([
  ['node', ['/x/wrap', '--', 'a']],
  ['consentry', ['call', 'wrap', '--', 'a']],
  ['node', ['/x/dist/cli/main.js', 'wrap']],
  ['gift', ['wrap', '--', 'a']],
  ['node', ['/gift/dist/cli/main.js', 'wrap', '--', 'a']],
])('%s %s is not ours', (command, args) => {
  expect(findOurWords(command, args)).toBe(undefined)
})

const blank = fc.constantFrom('', ' ', '\n', '\r\n  ', '\t', ' /* "x": { */ ', ' // } , \n', '\n\n    ')
const text = fc.oneof(fc.string(), fc.constantFrom('npx', '--', '-y', 'wrap', 'consentry', '${input:key}', 'C:\\a', '\u2028', '한국어'))
const entry: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(
    { command: text, args: fc.array(text, { maxLength: 4 }), env: fc.dictionary(text, text, { maxKeys: 2 }), disabled: fc.boolean(), x: fc.jsonValue() },
    { requiredKeys: ['command'] },
  ),
  fc.record(
    { url: fc.webUrl(), type: fc.constantFrom('http', 'sse'), headers: fc.dictionary(fc.stringMatching(/^[A-Za-z-]{1,8}$/), text, { maxKeys: 3 }) },
    { requiredKeys: ['url'] },
  ),
  fc.object({ maxDepth: 1 }),
) as fc.Arbitrary<JsonObject>

/** JSON as people and their editors write it: blanks, comments and commas everywhere. */
function write(value: unknown, blanks: () => string): string {
  if (Array.isArray(value)) {
    const elements = value.map((element) => `${blanks()}${write(element, blanks)}${blanks()}`)
    return `[${elements.join(',')}${elements.length > 0 && blanks().length > 1 ? `,${blanks()}` : blanks()}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value).map(([key, member]) => `${blanks()}${JSON.stringify(key)}${blanks()}:${blanks()}${write(member, blanks)}${blanks()}`)
  return `{${members.join(',')}${members.length > 0 && blanks().length > 1 ? `,${blanks()}` : blanks()}}`
}

const files = fc
  .record({
    key: fc.constantFrom('mcpServers', 'servers', 'context_servers'),
    servers: fc.dictionary(text, entry, { maxKeys: 5 }),
    other: fc.jsonValue(),
    mark: fc.boolean(),
    blanks: fc.array(blank, { minLength: 1, maxLength: 40 }),
  })
  .map(({ key, servers, other, mark, blanks }) => {
    let next = 0
    const written = write({ 'first key': other, [key]: servers, last: null }, () => blanks[(next += 1) % blanks.length]!)
    return `${mark ? '\uFEFF' : ''}${written}${blanks[0]!}`
  })

test('install and uninstall give back the same bytes, however a file is written', () => {
  fc.assert(
    fc.property(files, (before) => {
      const document = readClientDocument(before, 'mcp.json')
      const plans = planInstall(document, needs)
      const after = changeEntries(document, changesOf(plans))
      const recorded = recordInstall([], plans, document)

      expect(planInstall(readClientDocument(after, 'mcp.json'), needs).filter(({ action }) => action === 'change')).toEqual([])
      // What stood there by hand before is not ours to keep: only what was wrapped just now is compared.
      const back = readClientDocument(after, 'mcp.json')
      const names = new Set(changesOf(plans).map((change) => change.entry.name))
      expect(changeEntries(back, changesOf(planUninstall(back, { recorded, names })))).toBe(before)
    }),
    { numRuns: 500 },
  )
})

test('without the record, a server is the same after install and uninstall', () => {
  fc.assert(
    fc.property(files, (before) => {
      const document = readClientDocument(before, 'mcp.json')
      const plans = planInstall(document, needs)
      const back = readClientDocument(changeEntries(document, changesOf(plans)), 'mcp.json')
      const names = new Set(changesOf(plans).map((change) => change.entry.name))
      const again = readClientDocument(changeEntries(back, changesOf(planUninstall(back, { recorded: [], names }))), 'mcp.json')

      for (const [index, plan] of document.entries.entries())
        if (changesOf(plans).some((change) => change.entry === plan)) expect(again.entries[index]!.value).toEqual(plan.value)
    }),
    { numRuns: 300 },
  )
})

test.each([
  '{ "httpUrl": "https://n.example/", "headers": { "X-B": "2", /* keep */ "X-A": "1" }, "timeout": 5 }',
  '{ "serverUrl" : /* mine */ "https://n.example/" }',
  '{ "type": "streamable-http", "url" : "https://n.example/", "headers": { /* none */ } }',
  '{\n  "url": "https://n.example/", // here\n  "headers": {\n    "A": "b",\n  },\n}',
  '{ "env": {}, "url": "https://n.example/" }',
  '{ "command": "a" }',
  '{ "command": "a", "args": [ /* none */ ] }',
  '{ "args": [ "b" /* , */ , ], "command": /* "x" */ "a" /*,*/ }',
  '{ "command": { "path": "a" } }',
])('%s is the same, byte for byte, without any record', (before) => {
  const text = `{"mcpServers":{"fs":${before}}}`

  expect(uninstall(install(text).after)).toBe(text)
})

test('an address that was changed since keeps its key, its type, its comments, and what was changed', () => {
  const { after } = install('{"mcpServers":{"n":{"httpUrl":"https://n.example/", "type":"sse2", "headers":{"A":"b" /* mine */}}}}')
  const changed = after.replace('"b" /* mine */', '"c" /* mine */').replace('"type":"stdio"', '"type":"stdio","timeout":9')

  expect(uninstall(changed)).toBe('{"mcpServers":{"n":{"httpUrl":"https://n.example/", "type":"sse2","timeout":9, "headers":{"A":"c" /* mine */}}}}')
})

test('after uninstall no entry leads to us, however it came about, and an entry that still does is said', () => {
  const original = '{"servers":{"a":{"command":"a","args":["b"]}}}'
  const { after: once } = install(original)
  const edited = once.replace('"b"]', '"b"],"env":{"X":"1"}')
  const elsewhere = { wrapper: { node: '/usr/bin/node', program: '/new/consentry/dist/cli/main.js' } }
  const moved = install(edited, elsewhere)
  const document = readClientDocument(edited, 'mcp.json')
  const entryOf = (text: string): string => text.slice('{"servers":{"a":'.length, -2)
  const recorded = recordInstall([], moved.plans, document)
  const twice = once.replace('"--", "a"', '"--", "npx", "consentry", "wrap", "--name", "x", "--", "a"')
  const formerly = [{ path: ['servers', 'a'], before: entryOf(edited), after: entryOf(moved.after) }]
  const free = original.replace('"b"]', '"b"],"env":{"X":"1"}')

  expect([recorded, uninstall(moved.after, recorded), uninstall(moved.after), uninstall(moved.after, formerly), uninstall(twice)]).toEqual([
    [],
    free,
    free,
    free,
    original,
  ])
})

test.each([
  [
    '{"command":"consentry","args":["wrap","--","mcp-proxy","--","npx","consentry","wrap","--","a"]}',
    'change',
    'consentry stands behind another program there: take it out by hand',
  ],
  ['{"command":"mcp-proxy","args":["--","npx","consentry","wrap","--","a"]}', 'skip', 'consentry stands behind another program there: take it out by hand'],
  ['{"command":"consentry","args":["wrap","--"]}', 'skip', 'consentry stands before nothing there: take it out by hand'],
  [
    '{"command":"consentry","args":["wrap","--","a",7]}',
    'skip',
    'it still leads to consentry, and cannot be read (its "args" are no list of texts): take it out by hand',
  ],
  [
    '{"command":"consentry","args":["wrap","--","a"],"url":"x"}',
    'skip',
    'it still leads to consentry, and cannot be read (it has a command and an address): take it out by hand',
  ],
])('%s still leads to us, and that is said', (entry, action, why) => {
  const [plan] = planUninstall(readClientDocument(`{"servers":{"a":${entry}}}`, 'mcp.json'), { recorded: [], names: undefined })

  expect(plan).toMatchObject({ action, [action === 'change' ? 'remains' : 'why']: why })
})

test.each(['', '${HOME}', 'a\u0000'])('a server named %j is not wrapped: its name would be one of our words', (name) => {
  expect(install(JSON.stringify({ servers: { [name]: { command: 'a' } } })).plans).toMatchObject([
    { action: 'skip', why: expect.stringContaining('name') as string },
  ])
})

test('what stands recorded stays recorded until it stands no more, whatever is recorded besides', () => {
  const first = readClientDocument('{"servers":{"a":{"command":"a"},"b":{"command":"b"}}}', 'mcp.json')
  const plans = planInstall(first, { ...needs, names: new Set(['a']) })
  const recorded = recordInstall([], plans, first)
  const second = readClientDocument(changeEntries(first, changesOf(plans)), 'mcp.json')
  const others = planInstall(second, { ...needs, names: new Set(['b']) })

  expect(recordInstall(recorded, others, second).map(({ path }) => path[1])).toEqual(['a', 'b'])
  expect(recordInstall(recorded, others, first).map(({ path }) => path[1])).toEqual(['b'])
})
