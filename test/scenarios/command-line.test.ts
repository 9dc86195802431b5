import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { askingServer, everything, node, peer, program, textIn, Workplace } from '../fixtures/program.ts'

const LONG = 60_000
const echo = ['--', node, peer]
/** A server that writes down that it was started. */
const recorded = (place: Workplace, behaviour: object = {}): readonly string[] => [
  '--',
  node,
  peer,
  JSON.stringify({ record: `${place.folder}/started`, ...behaviour }),
]

describe('a config that is wrong', () => {
  test.each<[string, string, string]>([
    ['has an unknown key', '{\n  "mcpServer": {}\n}', 'config.jsonc:2:3 unknown key "mcpServer"'],
    ['has a value of a wrong type', '{\n  "mcpServers": []\n}', 'config.jsonc:2:'],
    ['has an unknown key of a rule', '{ "rules": [\n  { "sever": "travel", "decision": "allow" } ] }', 'config.jsonc:2:'],
    ['has a decision that nobody knows', '{ "rules": [\n  { "decision": "maybe" } ] }', 'config.jsonc:2:'],
    ['has a path that no folder can have', '{ "roots": { "*": [\n  { "path": "a\\u0000b" } ] } }', 'config.jsonc:2:'],
    ['does not parse', '{\n  "rules": [,]\n}', 'config.jsonc:2:'],
  ])(
    'and %s is refused with its place: nothing is started, printed or written',
    async (_, text, message) => {
      const place = new Workplace()
      place.config(text)
      const { code, stdout, stderr } = await place.run(['call', 'echo', ...recorded(place)])

      expect([code, stdout, place.has('started')]).toEqual([2, '', false])
      expect(stderr).toContain(message)
      expect(place.state().map((entry) => entry.split(' ')[1])).toEqual([undefined, 'config.jsonc'])
    },
    LONG,
  )

  test(
    'and names a variable that is not set is refused by that name',
    async () => {
      const place = new Workplace()
      place.config({ mcpServers: { notes: { command: node, args: [peer], env: { TOKEN: '${NOTES_TOKEN}' } } } })
      const { code, stdout, stderr } = await place.run(['call', 'echo', '--server', 'notes'])

      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('NOTES_TOKEN')
    },
    LONG,
  )
})

describe('a command line that is wrong', () => {
  test.each<[string, readonly string[], string]>([
    ['no server', ['call', 'echo'], 'name one server: --server NAME, --url URL, or -- COMMAND'],
    ['two servers', ['call', 'echo', '--url', 'http://127.0.0.1:1/', ...echo], 'name one server'],
    ['no command behind the dashes', ['call', 'echo', '--'], 'a command is missing'],
    ['a server that the config does not have', ['call', 'echo', '--server', 'nowhere'], 'no server "nowhere"'],
    ['nothing to call', ['call', ...echo], 'name one thing to ask for'],
    ['arguments that are no JSON', ['call', 'echo', '--args', '{a:1}', ...echo], '--args is not JSON'],
    ['arguments that are no object', ['call', 'echo', '--args', '[1]', ...echo], '--args must be a JSON object'],
    ['an option that nobody knows', ['call', 'echo', '--anwsers', 'x', ...echo], '--anwsers'],
    ['a revision that nobody knows', ['call', 'echo', '--protocol', '2027-01-01', ...echo], '2027-01-01'],
    ['an address that is none', ['call', 'echo', '--url', 'notes'], 'no http or https address'],
    ['a root that is no path', ['call', 'echo', '--root', 'file:relative', ...echo], 'file:relative'],
    ['a command that nobody knows', ['cal', 'echo'], 'cal'],
  ])(
    'with %s is refused, and says what to do',
    async (_, args, message) => {
      const place = new Workplace()
      const { code, stdout, stderr } = await place.run(args)

      expect([code, stdout, place.state()]).toEqual([2, '', []])
      expect(stderr).toContain(message)
    },
    LONG,
  )
})

describe('a server that is not as it should be', () => {
  test.each<[string, readonly string[], string]>([
    ['cannot be found', ['--', 'no-such-server-anywhere'], 'no-such-server-anywhere'],
    ['dies at its start', ['--', node, peer, '{"exitAtStart":3}'], 'cannot start: no database'],
  ])(
    'and %s is reported as unreachable, with its last words',
    async (_, command, words) => {
      const place = new Workplace()
      const { code, output, stderr } = await place.call(['echo', ...command])

      expect([code, output]).toEqual([3, { ok: false, protocol: null, error: expect.objectContaining({ code: 'SERVER_UNREACHABLE' }), requests: [] }])
      expect(stderr).toContain(words)
    },
    LONG,
  )

  test(
    'and is an address where nobody listens is reported as unreachable',
    async () => {
      const place = new Workplace()
      const closed = createServer()
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
      const { port } = closed.address() as AddressInfo
      await new Promise((resolve) => closed.close(resolve))
      const { code, output } = await place.call(['echo', '--url', `http://127.0.0.1:${port}/mcp`])

      expect([code, output.error?.code]).toEqual([3, 'SERVER_UNREACHABLE'])
    },
    LONG,
  )

  test(
    'and prints junk is understood all the same',
    async () => {
      const place = new Workplace()
      const { code, output } = await place.call(['echo', '--args', '{"a":1}', '--', node, peer, '{"junk":true}'])

      expect([code, output.ok, textIn(output)]).toEqual([0, true, '{"a":1}'])
    },
    LONG,
  )

  test(
    'and dies in the middle of a call is reported with how it ended',
    async () => {
      const place = new Workplace()
      const { code, output, stderr } = await place.call(['die', ...echo])

      expect([code, output.ok, output.error?.code]).toEqual([3, false, 'CONNECTION_LOST'])
      expect(stderr).toContain('out of memory')
    },
    LONG,
  )

  test(
    'and sends 12 MB, or 500 questions at once, is served',
    async () => {
      const place = new Workplace()
      const answers = place.answers({ when: { request: 'roots' }, then: { action: 'deny' } })
      const big = await place.call(['big', '--args', '{"bytes":12582912}', ...echo])
      const burst = await place.call(['burst', '--args', '{"count":500}', '--answers', answers, ...echo])

      expect([big.code, textIn(big.output).length, burst.code, textIn(burst.output), burst.output.requests.length]).toEqual([0, 12_582_912, 0, '500', 500])
      expect(burst.stderr).not.toMatch(/warning/i)
    },
    LONG,
  )

  test.each(['legacy', 'modern'])(
    'and asks a form outside the protocol is told so (%s era)',
    async (era) => {
      const place = new Workplace()
      const answers = place.answers({ when: { request: 'elicitation' }, then: { action: 'accept' } })
      const { code, output } = await place.call(['nested', '--answers', answers, '--', node, askingServer, era])

      if (era === 'legacy') expect([code, output.requests]).toMatchObject([0, [{ request: 'elicitation', by: 'none', error: { code: -32602 } }]])
      else expect([code, output.error]).toMatchObject([4, { code: 'INPUT_REFUSED', data: { request: 'elicitation', cause: 'FORM_SCHEMA_INVALID' } }])
    },
    LONG,
  )

  test(
    'rule 3: and writes escape sequences moves nobody’s cursor: what it says is shown as text',
    async () => {
      const place = new Workplace()
      const shown = await place.run(['call', 'evil', '--', node, askingServer])
      const failed = await place.run(['call', 'evil-error', '--', node, askingServer])

      expect([shown.code, failed.code]).toEqual([0, 1])
      expect([shown.stdout, failed.stderr].join('\n')).toContain('fine')
      expect([shown.stdout, shown.stderr, failed.stdout, failed.stderr].join('\n')).not.toMatch(/(?!\n)\p{Cc}/u)
    },
    LONG,
  )
})

describe('an answers file', () => {
  test.each<[string, string, string]>([
    ['has a typo', '{ "answers": [\n  { "when": { "request": "elicitation" }, "then": { "action": "acept" } } ] }', 'answers.jsonc:2:'],
    ['has an unknown key', '{ "answers": [\n  { "when": { "request": "roots" }, "then": { "action": "deny" }, "tmies": 1 } ] }', 'answers.jsonc:2:'],
    ['does not parse', '{ "answers": [\n', 'answers.jsonc:'],
  ])(
    'that %s is refused with its place, before anything is started',
    async (_, text, message) => {
      const place = new Workplace()
      const file = place.write('answers.jsonc', text)
      const { code, stdout, stderr } = await place.run(['call', 'echo', '--json', '--answers', file, ...recorded(place)])

      expect([code, stdout, place.has('started'), place.state()]).toEqual([2, '', false, []])
      expect(stderr).toContain(message)
    },
    LONG,
  )

  test(
    'that is not there is refused, before anything is started',
    async () => {
      const place = new Workplace()
      const { code, stdout, stderr } = await place.run(['call', 'echo', '--answers', 'nowhere.jsonc', ...recorded(place)])

      expect([code, stdout, place.has('started')]).toEqual([2, '', false])
      expect(stderr).toContain('nowhere.jsonc')
    },
    LONG,
  )

  test.each(['legacy', 'modern'])(
    'that does not fit the form is not sent: cancel, each field named, exit 4 (%s era)',
    async (era) => {
      const place = new Workplace()
      const answers = place.answers({ when: { request: 'elicitation' }, then: { action: 'accept', content: { name: 'A', age: 'seven' } } })
      const { code, output, stderr } = await place.call(['who', '--answers', answers, '--', node, askingServer, era])

      expect([code, output.ok, output.requests]).toEqual([4, false, [{ request: 'elicitation', mode: 'form', by: 'none', response: { action: 'cancel' } }]])
      expect(stderr).toMatch(/name: .*\n.*age: /)
    },
    LONG,
  )
})

describe('who does not know what a server has', () => {
  const toEverything = ['--', node, everything, 'stdio']

  test(
    'is told by --list, a line each',
    async () => {
      const { code, stdout } = await new Workplace().run(['call', '--list', ...toEverything])

      expect(code).toBe(0)
      expect(stdout).toMatch(/^tools: \d+\n {2}echo {2}Echoes back the input/)
      expect(stdout).toMatch(/\nprompts: \d+\n {2}simple-prompt {2}/)
      expect(stdout).toMatch(/\nresources: \d+\n {2}\w+:\/\//)
    },
    LONG,
  )

  test(
    'and names a tool that is not there is told which are',
    async () => {
      const { code, stderr } = await new Workplace().run(['call', 'nosuch', ...toEverything])

      expect(code).toBe(1)
      expect(stderr).toMatch(/server-everything has these tools: echo, /)
    },
    LONG,
  )
})

test.runIf(process.platform === 'linux')(
  'what cannot be printed whole is no success',
  () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(node, [program, '--help'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
    closeSync(full)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^consentry: what was printed is not whole: ENOSPC/)])
  },
  LONG,
)
