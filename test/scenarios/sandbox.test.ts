import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { filesystem, node, program, textIn, Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, wordsOf } from '../fixtures/wrapped.ts'

const LONG = 120_000
const attacker = join(import.meta.dirname, '../fixtures/attacker.mjs')

/** A folder that is granted, one that is not, and what must never leave it. */
function setUp(): Workplace {
  const place = new Workplace()
  for (const name of ['root', 'root/folder', 'outside', 'own']) mkdirSync(join(place.folder, name))
  place.write('root/file', 'inside')
  place.write('root/folder/secret', 'inside')
  place.write('outside/secret', 'kept from it')
  place.write('state/keys', 'kept from it')
  return place
}

describe.runIf(process.platform === 'linux')('a server that is held to its roots', () => {
  test(
    'the reference filesystem server works in them unchanged, and cannot leave whatever it believes',
    async () => {
      const place = setUp()
      const outside = join(place.folder, 'outside/secret')
      const read = (path: string, ...options: readonly string[]): ReturnType<Workplace['call']> =>
        place.call(['read_text_file', '--args', JSON.stringify({ path }), '--sandbox', 'roots', ...options])

      const within = await read(join(place.folder, 'root/file'), '--root', 'root', '--', node, filesystem, join(place.folder, 'root'))
      // Without roots it keeps what it was started with: here everything.
      const believing = await read(outside, '--', node, filesystem, '/')
      const state = await read(join(place.home, 'keys'), '--', node, filesystem, '/')

      expect([textIn(within.output), within.code, within.stderr]).toEqual([
        'inside',
        0,
        expect.stringContaining(`${join(place.folder, 'root')} (read and write)`),
      ])
      expect([believing.code, state.code]).toEqual([1, 1])
      expect(JSON.stringify([believing.output, state.output])).not.toContain('kept from it')
    },
    LONG,
  )

  test(
    'a folder that its command only names is not granted by that, and it is said what grants it',
    async () => {
      const place = setUp()
      const [root, outside] = [join(place.folder, 'root'), join(place.folder, 'outside')]
      const { stderr } = await place.call(['list_allowed_directories', '--sandbox', 'roots', '--root', root, '--', node, filesystem, root, outside])

      expect(stderr).toContain(`its command names ${outside}, where it is not let in by that: add --root ${outside} (in the config: "roots")`)
      expect(stderr).not.toContain(`its command names ${root}`)
    },
    LONG,
  )

  test(
    'no race of links lets it out, though it checks names and then uses them',
    async () => {
      const place = setUp()
      const root = join(place.folder, 'root')
      const client = await connectThroughWrap('SDK v2', place, ['--root', 'root', '--sandbox', 'roots', '--no-desk', '--', node, filesystem, root])
      const swapper = spawn(node, [join(import.meta.dirname, '../fixtures/path-swapper.mjs'), root, join(place.folder, 'outside'), '20000'])
      onTestFinished(() => void swapper.kill('SIGKILL'))
      const seen = new Set<string>()
      for (let round = 0; round < 150; round += 1) {
        for (const path of ['file', 'folder/secret'])
          seen.add(wordsOf(await client.callTool({ name: 'read_text_file', arguments: { path: join(root, path) } })))
      }

      expect([...seen].filter((text) => text.includes('kept'))).toEqual([])
      expect(seen.has('inside')).toBe(true)
    },
    LONG,
  )

  test(
    'what was left open, and names of agents, do not reach it through wrap',
    async () => {
      const place = setUp()
      const attempts = JSON.stringify([
        ['descriptors'],
        ['env', 'SSH_AUTH_SOCK'],
        ['env', 'CONSENTRY_HOME'],
        ['read', join(place.home, 'keys')],
        ['read', `/proc/${process.pid}/environ`],
      ])
      const command = `exec 9<"$1" 200<"$1"; shift; exec "$@"`
      const child = spawn(
        'bash',
        ['-c', command, 'bash', join(place.folder, 'outside/secret'), node, program, 'wrap', '--sandbox', 'roots', '--no-desk', '--', node, attacker, attempts],
        {
          cwd: place.folder,
          env: { PATH: process.env['PATH'], HOME: place.folder, CONSENTRY_HOME: place.home, SSH_AUTH_SOCK: '/tmp/agent' },
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      )
      let errors = ''
      child.stderr.on('data', (chunk) => (errors += String(chunk)))
      const [code, output] = await Promise.all([
        new Promise((resolve) => child.once('exit', resolve)),
        (async () => {
          let text = ''
          for await (const chunk of child.stdout) text += String(chunk)
          return text
        })(),
      ])

      expect([code, JSON.parse(output)], errors).toEqual([
        0,
        { jsonrpc: '2.0', method: 'attacked', params: { results: ['0', 'unset', 'unset', 'ENOENT', 'ENOENT'] } },
      ])
    },
    LONG,
  )

  test(
    'the config holds it too, a folder may be for reading only, and servers that do not ask learn of it from their arguments',
    async () => {
      const place = setUp()
      place.config({
        mcpServers: { files: { command: node, args: [filesystem], sandbox: 'roots', rootsTo: 'arguments' } },
        roots: { files: [{ path: join(place.folder, 'root'), readOnly: true }] },
      })
      const write = await place.call(['write_file', '--args', JSON.stringify({ path: join(place.folder, 'root/new'), content: 'x' }), '--server', 'files'])
      const list = await place.call(['list_allowed_directories', '--server', 'files'])

      expect([write.code, write.output.result?.isError, textIn(list.output)]).toEqual([1, true, expect.stringContaining(join(place.folder, 'root'))])
      expect(write.stderr).toContain('(read only)')
    },
    LONG,
  )
})

test('what cannot be done is refused before anything is started, with exit code 2', async () => {
  const place = setUp()
  symlinkSync(place.home, join(place.folder, 'disguised'))
  const refusals = await Promise.all([
    place.run(['wrap', '--sandbox', 'everything', '--', node]),
    place.run(['wrap', '--sandbox', 'roots', '--pass', 'roots', '--', node]),
    place.run(['wrap', '--sandbox', 'roots', '--root', 'disguised', '--', node]),
    place.run(['call', 'x', '--sandbox', 'roots', '--url', 'https://x.example']),
  ])

  expect(refusals.map(({ code, stdout }) => `${code}${stdout}`)).toEqual(Array(4).fill('2'))
  expect(readFileSync(join(place.home, 'keys'), 'utf8')).toBe('kept from it')
})
