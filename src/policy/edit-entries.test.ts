import { expect, test } from 'vitest'
import {
  changeServer,
  putFirstRule,
  putRule,
  putServer,
  raiseRule,
  removeRule,
  removeServer,
  setServerDisabled,
  setServerLimits,
  setTotalLimits,
} from './edit-entries.ts'

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

test('a rule is put before all others, or changes places with the one before it, and comments stay where they were', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((server) => ({ server, decision: 'deny' }))
  const three = [b!, c!].reduce((text, rule) => putRule(text, undefined, rule, file), `{ "rules": [ // in this order\n  ${JSON.stringify(a)}, /* then */\n] }`)
  const first = putFirstRule(three, { server: 'first', decision: 'ask' }, file)
  const raised = raiseRule(first, 3, file)
  const orderOf = (text: string): readonly string[] => [...text.matchAll(/"server": ?"(\w+)"/gu)].map((match) => match[1]!)

  expect([first, raised, raiseRule(raised, 0, file), raiseRule(raised, 9, file)].map(orderOf)).toEqual([
    ['first', 'a', 'b', 'c'],
    ['first', 'a', 'c', 'b'],
    ['first', 'a', 'c', 'b'],
    ['first', 'a', 'c', 'b'],
  ])
  expect([raised.includes('// in this order'), raised.includes('/* then */')]).toEqual([true, true])
})

test('what a server may use is set, changed and taken out, and what else is said of it stays', () => {
  const set = setServerLimits('{ "sampling": { "servers": { "travel": { "redact": true } } } }', 'travel', { tokensPerDay: 5, costPerDay: undefined }, file)
  const changed = setServerLimits(set, 'travel', { costPerDay: 0.5 }, file)

  expect([set, changed, setServerLimits(changed, 'travel', {}, file)].map((text) => JSON.parse(text).sampling.servers.travel)).toEqual([
    { redact: true, limits: { tokensPerDay: 5 } },
    { redact: true, limits: { costPerDay: 0.5 } },
    { redact: true },
  ])
})

test.each<[string, () => string]>([
  ['a server that is neither started nor reached', () => putServer(config, 'x', { args: [] }, file)],
  ['a name that none may have', () => putServer(config, '*', { command: 'x' }, file)],
  ['a rule that decides nothing', () => putRule(config, undefined, { request: 'roots' }, file)],
  ['a text that is broken before', () => removeServer('{', 'travel', file)],
])('%s is refused, and nothing is written', (_, change) => {
  expect(change).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

test('the limits of all servers together are set and taken out, and what is no limit is refused', () => {
  const set = setTotalLimits('{\n  // mine\n  "sampling": { "servers": {} }\n}', { costPerDay: 2 }, file)

  expect([set.includes('// mine'), setTotalLimits(set, {}, file).includes('costPerDay')]).toEqual([true, false])
  expect(set).toMatch(/"total": \{\s+"costPerDay": 2\s+\}/u)
  expect(() => setTotalLimits(set, { costPerDay: -1 }, file)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})
