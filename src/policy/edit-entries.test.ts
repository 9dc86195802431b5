import { expect, test } from 'vitest'
import { changeServer, putRule, putServer, removeRule, removeServer, setServerDisabled } from './edit-entries.ts'

const file = { file: 'config.jsonc', home: '/home/ada', directory: '/home/ada/.config/consentry', platform: 'posix' } as const
const config = `{
  // mine
  "mcpServers": {
    "travel": { "command": "node", "args": ["travel.js"] } // the demo
  },
  "rules": [
    { "server": "travel", "request": "roots", "decision": "allow" }
  ]
}
`

test('a server is added, changed, switched off and taken out, and the comments stay', () => {
  const added = putServer(config, 'notes', { url: 'https://notes.example/mcp' }, file)
  const changed = putServer(added, 'travel', { command: 'node', args: ['other.js'] }, file)
  const off = setServerDisabled(changed, 'notes', true, file)
  const removed = removeServer(setServerDisabled(off, 'notes', false, file), 'travel', file)

  expect(added).toContain('"notes": { "url": "https://notes.example/mcp" }')
  expect(changed).toContain('other.js')
  expect(off).toContain('"disabled": true')
  expect(JSON.stringify([removed.includes('"travel":'), removed.includes('notes.example'), removed.includes('disabled')])).toBe('[false,true,false]')
  expect([added, changed, off, removed].every((text) => text.includes('// mine'))).toBe(true)
})

test('a server that is changed stays held to its folders, and switched off', () => {
  const held = putServer(config, 'files', { command: 'a', env: { A: '1' }, cwd: '/x', sandbox: 'roots', disabled: true }, file)

  expect(JSON.parse(changeServer(held, 'files', { command: 'b', args: ['c'] }, file).replaceAll(/\/\/.*/g, '')).mcpServers.files).toEqual({
    command: 'b',
    args: ['c'],
    sandbox: 'roots',
    disabled: true,
  })
})

test('the first server and the first rule make their lists', () => {
  const text = putRule(putServer(undefined, 'a', { command: 'a' }, file), undefined, { decision: 'deny' }, file)

  expect(JSON.parse(text)).toEqual({ mcpServers: { a: { command: 'a' } }, rules: [{ decision: 'deny' }] })
})

test('rules are added behind, replaced in their place and taken out', () => {
  const two = putRule(config, undefined, { request: 'sampling', decision: 'deny' }, file)
  const changed = putRule(two, 0, { server: 'travel', decision: 'ask' }, file)
  const one = removeRule(changed, 1, file)

  expect(two).toContain('"decision": "allow" },\n    { "request": "sampling", "decision": "deny" }')
  expect(one).not.toContain('sampling')
  expect(one).toContain('ask')
})

test.each<[string, () => string]>([
  ['a server that is neither started nor reached', () => putServer(config, 'x', { args: [] }, file)],
  ['a name that none may have', () => putServer(config, '*', { command: 'x' }, file)],
  ['a rule that decides nothing', () => putRule(config, undefined, { request: 'roots' }, file)],
  ['a text that is broken before', () => removeServer('{', 'travel', file)],
])('%s is refused, and nothing is written', (_, change) => {
  expect(change).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})
