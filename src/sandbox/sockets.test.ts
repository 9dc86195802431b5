import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Boundary } from './boundary.ts'
import { thisMachine, type Machine } from './machine.ts'
import { holdServer, type SandboxOptions } from './sandbox.ts'

let base = ''
const at = (name: string): string => join(base, name)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sockets-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['root', 'home', 'state', 'server']) mkdirSync(at(folder))
  writeFileSync(at('server/package.json'), '{}')
  copyFileSync(join(import.meta.dirname, '../../test/fixtures/attacker.mjs'), at('server/attacker.mjs'))
})

interface Listener {
  readonly path: string
  /** Whoever got through. */
  knocks: number
}

/** Somebody who would act for whoever talks to them, as an agent, a daemon or a bus does. */
async function listen(name: string): Promise<Listener> {
  const listener: Listener = { path: at(name), knocks: 0 }
  mkdirSync(dirname(listener.path), { recursive: true })
  const server = createServer((socket) => {
    listener.knocks += 1
    socket.on('error', () => undefined).end()
  })
  server.listen(listener.path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return listener
}

interface Attack extends Partial<Boundary> {
  readonly env?: Readonly<Record<string, string>>
  readonly options?: SandboxOptions
}

/** Runs it for real, and tells what came of each attempt. */
async function attack(attempts: readonly (readonly string[])[], { env = {}, options, ...parts }: Attack = {}): Promise<readonly string[]> {
  const boundary = {
    roots: [{ path: at('root'), access: 'read-write' }],
    readable: [],
    isOffline: false,
    home: at('home'),
    state: at('state'),
    ...parts,
  } as const
  const start = { command: 'node', args: [at('server/attacker.mjs'), JSON.stringify(attempts)], env: { PATH: process.env['PATH'] ?? '', ...env } }
  const held = await holdServer(start, boundary, { only: 'bubblewrap', ...options })
  onTestFinished(() => held.close())
  const child = spawn(held.command, held.args, { env: held.env, cwd: held.cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  return (JSON.parse(output) as { readonly params: { readonly results: readonly string[] } }).params.results
}

describe.runIf(process.platform === 'linux')('sockets that listen while a held server runs', () => {
  test('outside of its folders they are not there for it: an ssh agent, docker.sock, the buses, with or without their names', async () => {
    const names = ['agent/ssh.sock', 'run/docker.sock', 'run/user/1000/bus', 'run/dbus/system_bus_socket']
    const listeners = await Promise.all(names.map(listen))
    const [ssh, docker, bus] = listeners
    const env = {
      SSH_AUTH_SOCK: ssh!.path,
      DOCKER_HOST: `unix://${docker!.path}`,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus!.path}`,
      XDG_RUNTIME_DIR: at('run'),
    }
    const results = await attack([...Object.keys(env).map((name) => ['env', name]), ...listeners.map(({ path }) => ['connect', path])], { env })

    expect(results).toEqual([...Array<string>(4).fill('unset'), ...Array<string>(4).fill('ENOENT')])
    expect(listeners.map(({ knocks }) => knocks)).toEqual([0, 0, 0, 0])
  })

  test('in a home that it was given, those among the keys are not there; one beside its work is, as it was granted', async () => {
    const kept = await Promise.all(['home/.ssh/agent.sock', 'home/.gnupg/S.gpg-agent', 'home/.docker/run/docker.sock', 'home/.config/app/control'].map(listen))
    const granted = await listen('home/work/dev.sock')
    const roots = [{ path: at('home'), access: 'read-write' }] as const
    const results = await attack(
      [...kept, granted].map(({ path }) => ['connect', path]),
      { roots },
    )

    expect(results.slice(0, 4)).toEqual(Array<string>(4).fill('ENOENT'))
    expect([kept.map(({ knocks }) => knocks), granted.knocks]).toEqual([[0, 0, 0, 0], 1])
  })

  test('in a folder of the running system that it was given, those of the system are not there', async () => {
    const kept = await Promise.all(['run/docker.sock', 'run/user/1000/bus', 'run/dbus/system_bus_socket', 'run/podman/podman.sock'].map(listen))
    const granted = await listen('run/app/app.sock')
    // `/run` is this test's own here, so that nothing of the machine is touched.
    const machine: Machine = { ...thisMachine, realPath: (path) => thisMachine.realPath(path.startsWith('/run/') ? base + path : path) }
    const roots = [{ path: at('run'), access: 'read-write' }] as const
    const results = await attack(
      [...kept, granted].map(({ path }) => ['connect', path]),
      { roots, options: { machine } },
    )

    expect(results.slice(0, 4)).toEqual([expect.stringMatching(/^E/), 'ENOENT', 'ENOENT', 'ENOENT'])
    expect([kept.map(({ knocks }) => knocks), granted.knocks]).toEqual([[0, 0, 0, 0], 1])
  })

  test('a home among the programs of the system is shown empty', async () => {
    const home = '/usr/share'
    const [inHome, beside] = await attack(
      [
        ['list', home],
        ['run', '/bin/sh', '-c', 'ls /usr | wc -l'],
      ],
      { home },
    )

    expect([inHome, Number(beside) > 1]).toEqual(['', true])
  })

  test('Landlock holds files only, and says so: a socket outside can be reached, though not by its name', async () => {
    const agent = await listen('agent/ssh.sock')
    const options = { only: 'landlock' } as const
    const results = await attack(
      [
        ['env', 'SSH_AUTH_SOCK'],
        ['read', '/etc/shadow'],
        ['connect', agent.path],
      ],
      { env: { SSH_AUTH_SOCK: agent.path }, options },
    )
    const held = await holdServer(
      { command: '/bin/sh', args: [], env: {} },
      { roots: [], readable: [], isOffline: false, home: at('home'), state: at('state') },
      options,
    )
    onTestFinished(() => held.close())

    expect([results.slice(0, 2), agent.knocks]).toEqual([['unset', expect.stringMatching(/^E/)], 1])
    expect(held.says.join('\n')).toContain('Landlock does not stop it from talking to sockets that are files')
  })
})
