import { spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { node, peer, program, Workplace, type Run } from '../fixtures/program.ts'

const LONG = 240_000

interface Health {
  readonly ok: boolean
  readonly checks: readonly { readonly check: string; readonly about?: string; readonly state: string; readonly says: string; readonly advice?: string }[]
}

const environment = { PATH: dirname(node) }
const server = (options: object = {}): object => ({ command: 'node', args: [peer, JSON.stringify(options)] })

const run = (place: Workplace, ...args: readonly string[]): Promise<Run> => place.run(args, { environment })
const examine = async (place: Workplace, ...args: readonly string[]): Promise<Health & { readonly code: number | null; readonly stderr: string }> => {
  const { stdout, stderr, code } = await run(place, 'doctor', ...args, '--json')
  return { ...(JSON.parse(stdout) as Health), code, stderr }
}

test(
  'the doctor finds nothing wrong where nothing is, and connects to every server',
  async () => {
    const place = new Workplace()
    place.config({ mcpServers: { own: server(), off: { ...server({ exitAtStart: 1 }), disabled: true } } })
    chmodSync(join(place.home, 'config.jsonc'), 0o600)
    chmodSync(place.home, 0o700)
    place.write('.cursor/mcp.json', { mcpServers: { theirs: { command: node, args: [program, 'wrap', '--name', 'theirs', '--', node, peer] } } })

    const found = await examine(place)

    expect([found.code, found.ok, found.checks.filter(({ check }) => check === 'servers').map(({ about, state }) => [about, state])]).toEqual([
      0,
      true,
      [
        ['own', 'ok'],
        ['theirs in Cursor', 'ok'],
      ],
    ])
    expect(new Set(found.checks.map(({ check }) => check))).toEqual(new Set(['node', 'state', 'config', 'desk', 'models', 'sandbox', 'browser', 'servers']))
    expect(place.has('state/desk.json')).toBe(false)
  },
  LONG,
)

test(
  'the doctor names each fault with its place, and what to do',
  async () => {
    const place = new Workplace()
    place.config('{\n  "rules": [{ "request": "roots" }],\n  "models": [{ "provider": "x" }]\n}\n')
    place.write('.cursor/mcp.json', {
      mcpServers: {
        dead: { command: node, args: [program, 'wrap', '--name', 'dead', '--', node, peer, '{"exitAtStart":3}'] },
        moved: { command: node, args: ['/gone/consentry/dist/cli/main.js', 'wrap', '--', node, peer] },
      },
    })

    const { code, stdout } = await run(place, 'doctor')

    expect(code).toBe(1)
    for (const words of [
      /config\.jsonc:2:\d+ /,
      /config\.jsonc:3:\d+ /,
      /WRONG {2}servers: dead .*exit code 2.*config\.jsonc:3/,
      /WRONG {2}servers: moved .*not there/,
    ])
      expect(stdout).toMatch(words)
  },
  LONG,
)

test(
  'of many servers each is named, and one that never answers keeps none of the others back',
  async () => {
    const place = new Workplace()
    const hangs = { command: 'node', args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'] }
    const good = Array.from({ length: 20 }, (_, number) => [`good-${number}`, server()] as const)
    place.config({ mcpServers: { hangs, ...Object.fromEntries(good), gone: { command: 'no-such-program' } } })
    place.write('.cursor/mcp.json', { mcpServers: { lost: { command: node, args: [program, 'wrap', '--name', 'lost', '--', 'node', '/nope/server.js'] } } })

    const { code, checks, stderr } = await examine(place, '--wait', '25')
    const servers = checks.filter(({ check }) => check === 'servers')

    expect([code, servers.filter(({ state }) => state === 'ok').map(({ about }) => about)]).toEqual([1, good.map(([name]) => name)])
    expect(servers.filter(({ state }) => state === 'wrong').map(({ about, says }) => `${about}: ${says}`)).toEqual([
      expect.stringMatching(/^hangs: it did not answer within 25 s/),
      expect.stringMatching(/^gone: .*no-such-program.*cannot be started/),
      // Node's words, and none of the wrap before it.
      expect.stringMatching(/^lost in Cursor: .*It said last: Error: Cannot find module '\/nope\/server.js'(?![^]*consentry:)/),
    ])
    // Whoever waits is told for whom.
    expect(stderr).toContain('consentry: still waiting for hangs (5 s)')
  },
  LONG,
)

test(
  'a desk that runs, one that stands still and one that was killed are told apart, also where another process has its number by now',
  async () => {
    const place = new Workplace()
    const about = async (): Promise<readonly (string | undefined)[]> => {
      const { checks } = await examine(place)
      const { state, says, advice } = checks.find(({ check }) => check === 'desk')!
      return [state, says, advice]
    }
    const desk = await DeskProgram.start(place)
    const { pid } = desk.child
    const running = await about()
    desk.child.kill('SIGSTOP')
    onTestFinished(() => void desk.child.kill('SIGCONT'))
    const frozen = await about()
    desk.child.kill('SIGKILL')
    desk.child.kill('SIGCONT')
    await desk.ended
    const dead = await about()
    // Whoever has its number now is no desk.
    const other = spawn(node, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    place.write('state/desk.json', { ...(JSON.parse(place.read('state/desk.json')) as object), pid: other.pid })
    const foreign = await about()

    const none = ['ok', 'none runs: the first wrap that needs one starts it', undefined]
    expect([running, frozen, dead, foreign]).toEqual([
      ['ok', expect.stringContaining(`it runs (process ${pid})`), undefined],
      ['wrong', expect.stringContaining(`process ${pid} is the desk and does not answer`), `end process ${pid}; the next wrap starts another`],
      none,
      none,
    ])
  },
  LONG,
)
