import { expect, test } from 'vitest'
import { askingServer, node, Workplace } from '../fixtures/program.ts'

const LONG = 120_000
const entry = { command: node, args: [askingServer, 'legacy'] }

test.each([
  ['a server', ['call', 'echo', '--server', 'travle'], 2, 'no server "travle" is in the config (it has: notes, travel; is "travel" meant?)'],
  ['a server that is like none', ['call', 'echo', '--server', 'calendar'], 2, 'no server "calendar" is in the config (it has: notes, travel)'],
  ['a tool', ['call', 'eccho', '--server', 'travel'], 1, 'travel has no tool "eccho": is "echo" meant? It has these tools: '],
  ['a tool that is like none', ['call', 'book_flight', '--server', 'travel'], 1, 'travel has these tools: '],
] as const)(
  'who mistypes the name of %s is told what there is, and what may be meant',
  async (_, args, expected, said) => {
    const place = new Workplace()
    place.config({ mcpServers: { notes: entry, travel: entry } })
    const { code, stderr } = await place.run(args)

    expect([code, stderr]).toEqual([expected, expect.stringContaining(said)])
  },
  LONG,
)

test(
  'install says which server may be meant, and changes nothing',
  async () => {
    const place = new Workplace()
    const file = place.write('mcp.json', { mcpServers: { travel: entry } })
    const before = place.read('mcp.json')
    const { code, stderr } = await place.run(['install', 'travle', '--config', file, '--yes'])

    expect([code, stderr, place.read('mcp.json')]).toEqual([2, expect.stringContaining('(they have: travel; is "travel" meant?)'), before])
  },
  LONG,
)

test.each([
  [
    'names a server where there is none is told where servers are looked for',
    ['--server', 'travel'],
    /no server "travel" is in the config \(.*config\.jsonc has none\)/,
  ],
  [
    'forgets the dashes before a command is reminded of them',
    ['npx', '-y', 'some-server'],
    /unknown option '-y'\n\(the command of the server stands after --;/,
  ],
] as const)(
  'who %s',
  async (_, args, said) => {
    const { code, stderr } = await new Workplace().run(['call', 'echo', ...args])

    expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
  },
  LONG,
)
