import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Boundary, HeldCommand } from './boundary.ts'
import { nodeLauncher } from './landlock.ts'
import { thisMachine, type Machine } from './machine.ts'
import { holdServer } from './sandbox.ts'

type Attempt = readonly [what: string, ...args: readonly string[]]

let base = ''
const at = (name: string): string => join(base, name)
const isLinux = process.platform === 'linux'

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['root', 'reading', 'outside', 'home/.ssh', 'home/project', 'state', 'server']) mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('server/package.json'), '{}')
  copyFileSync(join(import.meta.dirname, '../../test/fixtures/attacker.mjs'), at('server/attacker.mjs'))
  for (const file of ['root/in', 'reading/in', 'outside/secret', 'home/.ssh/id_rsa', 'home/private', 'home/project/file', 'state/consentry.db'])
    writeFileSync(at(file), file === 'outside/secret' ? 'kept from it' : file)
})

const boundary = (parts: Partial<Boundary> = {}): Boundary => ({
  roots: [
    { path: at('root'), access: 'read-write' },
    { path: at('reading'), access: 'read' },
  ],
  readable: [],
  isOffline: false,
  home: at('home'),
  state: at('state'),
  ...parts,
})

function resultsIn(output: string): readonly string[] {
  return (JSON.parse(output) as { readonly params: { readonly results: readonly string[] } }).params.results
}

/** Without Perl, Node and koffi do its work. */
const withoutPerl: Machine = {
  ...thisMachine,
  run: (command, args) => (command.endsWith('perl') ? Promise.resolve(undefined) : thisMachine.run(command, args)),
}

const ways = [
  { name: 'bubblewrap', only: 'bubblewrap', machine: thisMachine },
  { name: 'Landlock', only: 'landlock', machine: thisMachine },
  { name: 'Landlock without Perl', only: 'landlock', machine: withoutPerl },
] as const

describe.runIf(isLinux).each(ways)('held by $name', ({ only, machine }) => {
  async function hold(
    attempts: readonly Attempt[],
    parts?: Partial<Boundary>,
    env: Readonly<Record<string, string>> = {},
    cwd = at('root'),
    script = at('server/attacker.mjs'),
  ): Promise<HeldCommand> {
    const start = {
      command: 'node',
      args: [script, JSON.stringify(attempts)],
      env: { PATH: process.env['PATH'] ?? '', HOME: at('home'), ...env },
      cwd,
    }
    const held = await holdServer(start, boundary(parts), { only, machine })
    onTestFinished(() => held.close())
    return held
  }

  async function attack(attempts: readonly Attempt[], parts?: Partial<Boundary>, env?: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return run(await hold(attempts, parts, env))
  }

  async function run({ command, args, env: whole, cwd }: HeldCommand): Promise<readonly string[]> {
    const child = spawn(command, args, { env: whole, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    await once(child, 'close')
    if (output === '') throw new Error(errors)
    return resultsIn(output)
  }

  const refused = expect.stringMatching(/^(?:EACCES|ENOENT|EPERM|EROFS|EXDEV)$/) as string

  test('it starts where its script was named from a folder that is not granted', async () => {
    const held = await hold([['read', at('root/in')]], {}, {}, at(''), 'server/attacker.mjs')

    expect(await run(held)).toEqual(['root/in'])
  })

  test('it works in its roots, and where it may only read it only reads', async () => {
    const results = await attack([
      ['read', at('root/in')],
      ['write', at('root/new'), 'made'],
      ['mkdir', at('root/a/b')],
      ['rename', at('root/new'), at('root/a/b/moved')],
      ['read', at('reading/in')],
      ['list', at('reading')],
      ['write', at('reading/in')],
      ['truncate', at('reading/in')],
      ['write', at('reading/new')],
      ['rename', at('root/in'), at('reading/in')],
    ])

    expect(results).toEqual(['root/in', 'done', 'done', 'done', 'reading/in', 'in', refused, refused, refused, refused])
    expect([readFileSync(at('root/a/b/moved'), 'utf8'), readFileSync(at('reading/in'), 'utf8')]).toEqual(['made', 'reading/in'])
  })

  test('a root that is gone between the look and the start is missing, and keeps no other back', async () => {
    const held = await hold([
      ['read', at('root/in')],
      ['read', at('reading/in')],
    ])
    rmSync(at('reading'), { recursive: true })
    expect(await run(held)).toEqual(['root/in', refused])
  })

  test('a server that would start in a root that is gone by then starts all the same', async () => {
    const roots = [
      { path: at('root'), access: 'read-write' },
      { path: at('reading'), access: 'read' },
    ] as const
    const held = await hold([['read', at('reading/in')]], { roots }, {}, at('outside'))
    rmSync(at('root'), { recursive: true })
    expect(await run(held)).toEqual(['reading/in'])
  })

  test('it cannot leave: not by paths, not by links in any position, not through /proc, not by what it starts', async () => {
    symlinkSync(at('outside'), at('root/out'))
    symlinkSync(at('outside/secret'), at('root/file-out'))
    const results = [
      ...(await attack([
        ['read', at('outside/secret')],
        ['list', at('outside')],
        ['read', at('root/out/secret')],
        ['read', at('root/file-out')],
        ['read', `${at('root')}/../outside/secret`],
        ['write', at('outside/new')],
        ['write', at('root/out/new')],
        ['truncate', at('outside/secret')],
        ['hardlink', at('outside/secret'), at('root/hard')],
        ['rename', at('outside/secret'), at('root/stolen')],
        ['read', `/proc/self/root${at('outside/secret')}`],
        ['read', `/proc/self/cwd/../outside/secret`],
        ['read', `/proc/1/root${at('outside/secret')}`],
        ['run', '/bin/cat', at('outside/secret')],
        ['run', '/bin/sh', '-c', `cd ${at('outside')} && cat secret`],
        ['read', '/etc/shadow'],
      ])),
    ]

    const [cat, shell] = results.splice(13, 2) as [string, string]
    expect(results).toEqual(Array(14).fill(refused))
    expect(`${cat} ${shell}`).not.toContain('kept from it')
    expect([readdirSync(at('outside')), existsSync(at('root/hard'))]).toEqual([['secret'], false])
  })

  test('links that it makes itself lead nowhere either', async () => {
    const results = await attack([
      ['link', at('outside'), at('root/mine')],
      ['read', at('root/mine/secret')],
      ['link', '/proc/self/root', at('root/proc')],
      ['read', `${at('root/proc')}${at('outside/secret')}`],
    ])

    expect(results).toEqual(['done', refused, 'done', refused])
  })

  test('keys, other people’s files and our own state are not there, and its own package is not written', async () => {
    const results = await attack([
      ['read', at('home/.ssh/id_rsa')],
      ['list', at('home/.ssh')],
      ['read', at('home/private')],
      ['read', at('state/consentry.db')],
      ['write', at('state/consentry.db')],
      ['write', at('server/attacker.mjs')],
      ['write', at('server/new.mjs')],
      ['write', '/usr/lib/new'],
    ])

    expect(results).toEqual(Array(8).fill(refused))
    expect(readFileSync(at('server/attacker.mjs'), 'utf8')).toContain('Tries what it is told')
  })

  test('it finds a temporary folder of its own, that nobody else uses', async () => {
    const results = await attack([['run', '/bin/sh', '-c', 'echo x > "$TMPDIR/file" && cat "$TMPDIR/file"']])

    expect(results).toEqual(['x'])
  })

  test('neither descriptors nor the names of agents are left to it', async () => {
    const inherited = openSync(at('outside/secret'), 'r')
    onTestFinished(() => thisMachine.closeInherited())
    const results = await attack(
      [
        ['descriptors'],
        ['env', 'SSH_AUTH_SOCK'],
        ['env', 'DBUS_SESSION_BUS_ADDRESS'],
        ['env', 'CONSENTRY_HOME'],
        ['env', 'MINE'],
        ['read', `/proc/self/fd/${inherited}`],
      ],
      undefined,
      {
        SSH_AUTH_SOCK: at('agent'),
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${at('bus')}`,
        CONSENTRY_HOME: at('state'),
        MINE: 'kept',
      },
    )

    expect(results.slice(0, 5)).toEqual(['0', 'unset', 'unset', 'unset', 'kept'])
  })

  test('the environment of other processes is closed to it', async () => {
    const [own] = await attack([['read', `/proc/${process.pid}/environ`]])

    expect(own).toEqual(refused)
  })

  test('the program is gone when its start is, and says how it ended', async () => {
    const { command, args, env, cwd } = await hold([['run', '/bin/sh', '-c', 'exit 0']])
    const child = spawn(command, args, { env, cwd, stdio: 'ignore' })

    expect((await once(child, 'exit'))[0]).toBe(0)
  })

  test('a script that a held server could have replaced leads nowhere when it is started again', async () => {
    symlinkSync(at('home/private'), at('root/server.mjs'))
    const held = await holdServer({ command: 'node', args: [at('root/server.mjs')], env: { PATH: process.env['PATH'] ?? '' }, cwd: at('root') }, boundary(), {
      only,
      machine,
    })
    onTestFinished(() => held.close())

    expect(held.args.filter((argument) => argument.startsWith(at('home/private')))).toEqual([])
  })
})

describe.runIf(isLinux)('held by bubblewrap', () => {
  const run = async (attempts: readonly Attempt[], parts?: Partial<Boundary>): Promise<readonly string[]> => {
    const start = { command: 'node', args: [at('server/attacker.mjs'), JSON.stringify(attempts)], env: { PATH: process.env['PATH'] ?? '' } }
    const { command, args, env } = await holdServer(start, boundary(parts), { only: 'bubblewrap' })
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    await once(child, 'close')
    return resultsIn(output)
  }

  test('no socket that is a file can be reached: an ssh agent, docker.sock, a D-Bus', async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(at('outside/agent.sock'), resolve))
    onTestFinished(() => void server.close())

    const results = await run([
      ['connect', at('outside/agent.sock')],
      ['connect', '/var/run/docker.sock'],
      ['connect', '/run/user/0/bus'],
      ['list', '/run'],
      ['run', '/bin/sh', '-c', 'command -v systemd-run >/dev/null && systemd-run --user true && echo ran'],
    ])

    expect(results.slice(0, 4)).toEqual(Array(4).fill('ENOENT'))
    expect(results[4]).not.toBe('ran')
  })

  test('no other process is seen', async () => {
    const [processes] = await run([['run', '/bin/sh', '-c', 'ls -d /proc/[0-9]* | wc -l']])

    expect(Number(processes)).toBeLessThan(6)
  })

  test('offline there is no network', async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const knock: Attempt = [
      'run',
      'node',
      '-e',
      `require('net').connect(${port}, '127.0.0.1').on('connect', () => { console.log('in'); process.exit() }).on('error', (error) => { console.log(error.code); process.exit() })`,
    ]

    expect([await run([knock]), await run([knock], { isOffline: true })]).toEqual([['in'], ['ECONNREFUSED']])
  })

  test('keys and our state inside of a root are shown empty', async () => {
    const results = await run(
      [
        ['read', at('home/private')],
        ['list', at('home/.ssh')],
        ['list', at('state')],
        ['read', at('home/project/file')],
      ],
      { roots: [{ path: base, access: 'read-write' }] },
    )

    expect(results).toEqual(['home/private', '', '', 'home/project/file'])
  })
})

describe.runIf(isLinux)('where it cannot be done', () => {
  const hold = (parts: Partial<Boundary>, machine: Machine = thisMachine, only?: 'landlock'): Promise<HeldCommand> =>
    holdServer({ command: 'node', args: [], env: { PATH: process.env['PATH'] ?? '' } }, boundary(parts), { machine, only })

  test.each([
    ['Windows', { platform: 'win32' }],
    ['macOS', { platform: 'darwin' }],
    ['neither bubblewrap nor Landlock', { run: () => Promise.resolve(undefined) }],
    [
      'a bubblewrap that may not work, and an old kernel',
      { run: (command: string) => Promise.resolve(command.endsWith('bwrap') ? { code: 1, output: 'bwrap: No permissions' } : { code: 0, output: '2' }) },
    ],
    ['a machine that is not known', { architecture: 'mips', run: () => Promise.resolve(undefined) }],
  ])('nothing is started, and the reason is said: %s', async (_, parts) => {
    await expect(hold({}, { ...thisMachine, ...parts })).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('because') })
  })

  test('Landlock refuses what it could not keep: keys inside of a root, and the network', async () => {
    await expect(hold({ roots: [{ path: at('home'), access: 'read' }] }, thisMachine, 'landlock')).rejects.toThrow('.ssh')
    await expect(hold({ isOffline: true }, thisMachine, 'landlock')).rejects.toThrow('network')
  })

  test('our own state and the insides of the system are given to nobody', async () => {
    await expect(hold({ roots: [{ path: at('state'), access: 'read' }] })).rejects.toThrow('own state')
    await expect(hold({ roots: [{ path: '/proc', access: 'read' }] })).rejects.toThrow('insides')
    await expect(hold({ roots: [{ path: '/', access: 'read' }] })).rejects.toThrow('insides')
  })

  test('a program that is not there is said so before anything is started', async () => {
    await expect(holdServer({ command: 'no-such-program', args: [], env: { PATH: '/usr/bin' } }, boundary())).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
    })
  })
})

test.runIf(isLinux)('the launcher in Node says the version of the kernel as the one in Perl does', async () => {
  const koffi = createRequire(import.meta.url).resolve('koffi')
  const [node, perl] = await Promise.all([
    thisMachine.run(process.execPath, [...nodeLauncher(koffi), 'version']),
    thisMachine.run('perl', ['-e', 'print syscall(444, 0, 0, 1)']),
  ])

  expect(node).toEqual(perl)
})

test.runIf(isLinux)('the git folder of a worktree is offered where it points back, never granted by itself, and not offered where it is granted', async () => {
  const hold = (more: Partial<Boundary> = {}): Promise<HeldCommand> =>
    holdServer({ command: 'node', args: [], env: { PATH: process.env['PATH'] ?? '' } }, { ...boundary(), ...more }, { only: 'bubblewrap' })
  for (const folder of ['worktrees/w', 'objects', 'refs']) mkdirSync(at(`outside/.git/${folder}`), { recursive: true })
  writeFileSync(at('outside/.git/HEAD'), '')
  writeFileSync(at('root/.git'), `gitdir: ${at('outside/.git/worktrees/w')}\n`)
  const before = await hold()
  writeFileSync(at('outside/.git/worktrees/w/gitdir'), `${at('root/.git')}\n`)
  const after = await hold()

  expect(before.says.join('\n')).not.toContain('git')
  const granted = [
    await hold({ readable: [at('outside/.git')] }),
    await hold({ roots: [...boundary().roots, { path: at('outside/.git'), access: 'read-write' }] }),
  ]

  expect(after.says.join('\n')).toMatch(new RegExp(`add --sandbox-read ${at('outside/.git')};.* add --root ${at('outside/.git')},`))
  expect(after.args).not.toContain(at('outside/.git'))
  expect(granted.map(({ says }) => says.filter((sentence) => sentence.startsWith('git ')))).toEqual([[], []])
})
