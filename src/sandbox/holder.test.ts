import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Boundary } from './boundary.ts'
import { thisMachine, type Machine } from './machine.ts'
import { holdServer, type SandboxOptions } from './sandbox.ts'

let base = ''
const at = (name: string): string => join(base, name)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holder-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['root', 'outside', 'home', 'state']) mkdirSync(at(folder))
})

const boundary = (parts: Partial<Boundary> = {}): Boundary => ({
  roots: [{ path: at('root'), access: 'read-write' }],
  readable: [],
  isOffline: false,
  home: at('home'),
  state: at('state'),
  ...parts,
})

/** Runs a held shell to its end. @returns what it wrote */
async function run(script: string, env: Readonly<Record<string, string>>, options: SandboxOptions): Promise<string> {
  const start = { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin', ...env }, cwd: at('root') }
  const held = await holdServer(start, boundary(), options)
  onTestFinished(() => held.close())
  // A client starts us in its project, which is often the folder that is granted.
  const child = spawn(held.command, held.args, { env: held.env, cwd: at('root'), stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  return output.trim()
}

/** Code of the server's that marks the folder outside, wherever it is not held. */
function plant(name: string, text: string): void {
  writeFileSync(at(`root/${name}`), text)
  chmodSync(at(`root/${name}`), 0o755)
}

const withoutPerl: Machine = {
  ...thisMachine,
  run: (command, args) => (command.endsWith('perl') ? Promise.resolve(undefined) : thisMachine.run(command, args)),
}
const ways = [
  { name: 'bubblewrap', only: 'bubblewrap', machine: thisMachine },
  { name: 'Landlock', only: 'landlock', machine: thisMachine },
  { name: 'Landlock without Perl', only: 'landlock', machine: withoutPerl },
] as const

describe.runIf(process.platform === 'linux').each(ways)('what holds a server by $name', ({ only, machine }) => {
  test('is never a program that the server could have put on the PATH', async () => {
    for (const name of ['bwrap', 'perl', 'true']) plant(name, `#!/bin/sh\ntouch ${at('outside/escaped')}\n`)
    const output = await run('echo started', { PATH: [at('root'), '.', '', '/usr/bin', '/bin'].join(delimiter) }, { only, machine })

    expect([output, existsSync(at('outside/escaped'))]).toEqual(['started', false])
  })

  test('loads no code that the server could have put where variables name it, and the server still gets those', async () => {
    plant('strict.pm', `open my $file, '>', '${at('outside/escaped')}'; 1;\n`)
    plant('evil.cjs', `try { require('fs').writeFileSync(${JSON.stringify(at('outside/escaped'))}, '') } catch {}\n`)
    const env = { PERL5LIB: at('root'), PERL5OPT: '-Mstrict', NODE_OPTIONS: `--require ${at('root/evil.cjs')}`, LD_LIBRARY_PATH: ':', OPENSSL_CONF: '/none' }
    const held = await holdServer({ command: '/bin/sh', args: [], env: { PATH: '/usr/bin', ...env } }, boundary(), { only, machine })
    onTestFinished(() => held.close())
    const output = await run('echo "$PERL5LIB|$PERL5OPT|$NODE_OPTIONS|$LD_LIBRARY_PATH|$OPENSSL_CONF"', env, { only, machine })

    expect(Object.keys(held.env).filter((name) => name in env)).toEqual([])
    expect([output, existsSync(at('outside/escaped'))]).toEqual([Object.values(env).join('|'), false])
  })

  test.each(['Node', 'this program'])('is not written by the server: %s', async (what) => {
    const own = [what === 'this program' ? at('root/node_modules/consentry/dist/main.js') : at('root/bin/node')]
    const start = { command: '/bin/sh', args: [], env: { PATH: '/usr/bin' } }

    await expect(holdServer(start, boundary(), { only, machine: { ...machine, own } })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining(own[0]!),
    })
    await expect(
      holdServer(start, boundary({ roots: [{ path: at('root'), access: 'read' }] }), { only, machine: { ...machine, own } }).then((held) => held.close()),
    ).resolves.toBeUndefined()
  })

  test('keeps our state from it also where that is not there yet', async () => {
    symlinkSync(at('root'), at('alias'))

    await expect(
      holdServer({ command: '/bin/sh', args: [], env: { PATH: '/usr/bin' } }, boundary({ state: at('alias/of/consentry') }), { only, machine }),
    ).rejects.toThrow('its own state')
  })
})

test.runIf(process.platform === 'linux')(
  'a folder for reading only inside of one for writing is held by bubblewrap, and refused where only Landlock is there',
  async () => {
    mkdirSync(at('root/kept'))
    const roots = [
      { path: at('root'), access: 'read-write' },
      { path: at('root/kept'), access: 'read' },
    ] as const
    const start = { command: '/bin/sh', args: ['-c', `touch ${at('root/made')} ; touch ${at('root/kept/made')}`], env: { PATH: '/usr/bin:/bin' } }
    const { command, args, env } = await holdServer(start, boundary({ roots }), { only: 'bubblewrap' })
    await once(spawn(command, args, { env, stdio: 'ignore' }), 'close')

    expect([existsSync(at('root/made')), existsSync(at('root/kept/made'))]).toEqual([true, false])
    await expect(holdServer(start, boundary({ roots }), { only: 'landlock' })).rejects.toThrow('only read')
  },
)

test.runIf(process.platform === 'linux')('what is kept from a server inside of its folders cannot be moved out of the way for the next start', async () => {
  for (const folder of ['root/sub/kept', 'home/.local/share/keyrings']) mkdirSync(at(folder), { recursive: true })
  const roots = [
    { path: at('root'), access: 'read-write' },
    { path: at('root/sub/kept'), access: 'read' },
    { path: at('home'), access: 'read-write' },
  ] as const
  const moves = ['root/sub root/moved', 'home/.local home/moved', 'root/sub/kept root/taken', 'home/.local/share/keyrings home/taken']
  const script = `cd ${base}; ${moves.map((names) => `perl -e 'rename $ARGV[0], $ARGV[1]' ${names}`).join('; ')}; touch root/sub/made`
  const start = { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } }
  const { command, args, env } = await holdServer(start, boundary({ roots }), { only: 'bubblewrap' })
  await once(spawn(command, args, { env, stdio: 'ignore' }), 'close')

  expect(
    ['root/sub/kept', 'root/sub/made', 'home/.local/share/keyrings', 'root/moved', 'root/taken', 'home/moved', 'home/taken'].map((name) =>
      existsSync(at(name)),
    ),
  ).toEqual([true, true, true, ...Array<boolean>(4).fill(false)])
})

test.runIf(process.platform === 'linux')('a root below another is no way out where a server has put a link in its place', async () => {
  symlinkSync(at('outside'), at('root/kept'))
  const roots = [
    { path: at('root'), access: 'read-write' },
    { path: at('root/kept'), access: 'read' },
  ] as const

  await expect(holdServer({ command: '/bin/sh', args: [], env: {} }, boundary({ roots }))).rejects.toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('leads out of'),
  })
})

test.runIf(process.platform === 'linux')('a program among the arguments of a server is no path, however long it is', async () => {
  const long = `// ${'long '.repeat(1000)}\nprocess.exit(0)`

  await expect(holdServer({ command: '/bin/sh', args: ['-e', long, '/'.repeat(5000)], env: {} }, boundary())).resolves.toMatchObject({
    args: expect.arrayContaining([long]) as unknown,
  })
})

describe.runIf(process.platform === 'linux')('what is laid out for a server', () => {
  const hold = (parts: Partial<Boundary>, machine: Machine = thisMachine): ReturnType<typeof holdServer> =>
    holdServer({ command: '/bin/sh', args: [], env: {} }, boundary(parts), { only: 'bubblewrap', machine })

  test('is never the whole system, nor its insides, for reading either', async () => {
    for (const path of ['/', '/proc', '/dev/shm']) await expect(hold({ readable: [path] })).rejects.toThrow('insides of the running system')
    await expect(hold({ readable: [at('state')] })).rejects.toThrow('own state')
  })

  test('hides a home that lies among the programs of the system, and the sockets of the system where they lie in a root', async () => {
    // Named as they are on a system that has them.
    const there = new Map([
      ['/usr/home/me', 'folder'],
      ['/run', 'folder'],
      ['/run/user', 'folder'],
      ['/run/docker.sock', 'other'],
    ] as const)
    const machine: Machine = {
      ...thisMachine,
      kindOf: (path) => there.get(path as '/run') ?? thisMachine.kindOf(path),
      realPath: (path) => (there.has(path as '/run') ? path : thisMachine.realPath(path)),
    }
    const { args } = await hold({ home: '/usr/home/me', roots: [{ path: '/run', access: 'read' }] }, machine)
    const mounted = (path: string): readonly string[] => args.flatMap((argument, index) => (argument === path ? [args[index - 1]!, args[index - 2]!] : []))

    expect([mounted('/usr/home/me'), mounted('/run/user'), mounted('/run/docker.sock')]).toEqual([
      expect.arrayContaining(['--tmpfs']),
      expect.arrayContaining(['--tmpfs']),
      ['/dev/null', '--ro-bind'],
    ])
  })
})
