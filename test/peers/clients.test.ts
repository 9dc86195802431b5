import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { everything, node, program, Workplace } from '../fixtures/program.ts'

const bin = join(import.meta.dirname, 'node_modules/.bin')
/** The inspector needs a newer Node than we do. */
const newerNode = join(bin, 'node')
const run = promisify(execFile)

/** What these clients are told to start: server-everything behind `wrap`, with a script that answers. */
function wrappedEverything(options: readonly string[]): { readonly place: Workplace; readonly config: string } {
  const place = new Workplace()
  place.write('trip/plan.md', 'Barcelona')
  const answers = place.answers(
    { when: { request: 'roots' }, then: { action: 'grant', roots: ['./trip'] } },
    { when: { request: 'elicitation' }, then: { action: 'decline' } },
    { when: { request: 'sampling' }, then: { action: 'approve', text: 'Take the 10:05.' } },
  )
  const args = [program, 'wrap', '--answers', answers, ...options, '--', node, everything, 'stdio']
  return { place, config: place.write('clients.json', { mcpServers: { everything: { command: node, args, env: { CONSENTRY_HOME: place.home } } } }) }
}

const questions = [
  ['get-roots-list', /1 total[\s\S]*\/trip/],
  ['trigger-elicitation-request', /"action\\": \\"decline/],
  ['trigger-sampling-request', /Take the 10:05/],
] as const

test('the command line of MCP Inspector: every question is answered behind its back', async () => {
  // It says that it can be asked for folders, and has none to tell.
  const { place, config } = wrappedEverything(['--take', 'roots'])
  const environment = { PATH: `${bin}:${process.env['PATH']}`, HOME: place.folder, MCP_INSPECTOR_SECRET_STORE: 'memory' }

  for (const [tool, answer] of questions) {
    const command = [join(bin, 'mcp-inspector'), '--cli', '--config', config, '--server', 'everything', '--method', 'tools/call', '--tool-name', tool]
    const { stdout } = await run(newerNode, [...command, '--tool-arg', 'prompt=Which flight?'], { env: environment, cwd: place.folder })
    expect(stdout).toMatch(answer)
  }
})

test('mcpc: what it promises and does not know is answered too', async () => {
  const { place, config } = wrappedEverything([])
  const environment = { PATH: `${bin}:${process.env['PATH']}`, HOME: place.folder, MCPC_HOME_DIR: join(place.folder, 'mcpc') }
  const mcpc = (...args: readonly string[]) => run(newerNode, [join(bin, 'mcpc'), ...args], { env: environment, cwd: place.folder })
  onTestFinished(async () => void (await mcpc('close', '@everything')))
  // It gives what it starts no more than five seconds, whatever else the machine does.
  await vi.waitFor(() => mcpc('connect', `${config}:everything`, '@everything'), { timeout: 100_000 })

  for (const [tool, answer] of questions) {
    const { stdout } = await mcpc('--json', '@everything', 'tools-call', tool, 'prompt:=Which flight?')
    expect(stdout).toMatch(answer)
  }
})
