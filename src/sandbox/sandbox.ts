import { ConsentryError } from '../errors.ts'
import type { Boundary, HeldCommand, StartCommand } from './boundary.ts'
import { holdByBubblewrap } from './bubblewrap.ts'
import { sayGitFolders } from './git-folders.ts'
import { holdByLandlock } from './landlock.ts'
import { findRoots, isCovered, layOut, writableOf } from './lay-out.ts'
import { thisMachine, type Machine } from './machine.ts'
import { holdBySeatbelt } from './seatbelt.ts'
import { findStartupFiles } from './startup-files.ts'
import type { HoldingWay } from './way.ts'

export interface SandboxOptions {
  /** Default: this one. */
  readonly machine?: Machine | undefined
  /** For tests: only this one is tried. */
  readonly only?: 'bubblewrap' | 'landlock' | 'seatbelt' | undefined
}

/** Names of what listens to a user's programs; a held server gets none of them. */
const AGENTS =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_.*|XAUTHORITY|DOCKER_.*|CONTAINER_HOST|PODMAN_.*|NOTIFY_SOCKET|LISTEN_.*|INVOCATION_ID|TMUX.*|STY|VSCODE_.*|CONSENTRY_.*)$/

/**
 * Makes of a server's command one that starts the same server, held to its roots by the operating system: nothing else of the user's files can be read or written, by it or by
 * anything that it starts. What is enforced, and what is not, stands in `says`.
 *
 * @throws ConsentryError `SANDBOX_UNAVAILABLE` where that cannot be done here: nothing is started then, held less than was asked
 */
export async function holdServer(start: StartCommand, boundary: Boundary, { machine = thisMachine, only }: SandboxOptions = {}): Promise<HeldCommand> {
  const ways = waysOn[machine.platform] ?? []
  if (ways.length === 0) throw unavailable(reasons[machine.platform] ?? `there is nothing that could do it on ${machine.platform}`)
  const roots = findRoots(boundary.roots, machine)
  const writable = writableOf(roots)
  const own = machine.own.find((path) => isCovered(path, writable))
  if (own !== undefined)
    throw unavailable(
      `it could write to ${own}, which belongs to what holds it. Give it narrower folders, or let it only read (--read-root), or install Consentry and Node elsewhere`,
    )
  const startup = findStartupFiles(start, { home: boundary.home, writable, machine })
  const layout = layOut(boundary, roots, startup.readable, start.cwd, machine)
  const command: StartCommand = { ...start, command: startup.program, args: startup.args, env: withoutAgents(start.env) }
  const granted = [...layout.readable, ...roots.map(({ path }) => path)]
  const secret = [boundary.home, boundary.state].flatMap((path) => machine.realPath(path) ?? []).filter((path) => !isCovered(path, granted))
  const captive = { start: command, layout, isOffline: boundary.isOffline, writable, secret, machine }

  const why: string[] = []
  for (const { name, hold } of ways) {
    const held = only === undefined || only === name ? await hold(captive, why) : `${name} was not tried`
    if (typeof held === 'string') {
      why.push(held)
      continue
    }
    machine.closeInherited()
    const git = await sayGitFolders(
      roots.map(({ path }) => path),
      granted,
    )
    return { ...held, says: [...held.says, ...git], roots, granted }
  }
  throw unavailable(why.join(', and '))
}

/** What is tried on each system, in this order. */
const waysOn: Readonly<Record<string, readonly { readonly name: NonNullable<SandboxOptions['only']>; readonly hold: HoldingWay }[]>> = {
  darwin: [{ name: 'seatbelt', hold: holdBySeatbelt }],
  linux: [
    { name: 'bubblewrap', hold: holdByBubblewrap },
    { name: 'landlock', hold: holdByLandlock },
  ],
}

const reasons: Readonly<Record<string, string>> = {
  win32: 'Windows has nothing that could do it without rights of an administrator',
}

function unavailable(why: string): ConsentryError {
  return new ConsentryError('SANDBOX_UNAVAILABLE', `The server was not started: it cannot be held to its folders here, because ${why}.`)
}

function withoutAgents(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !AGENTS.test(name)))
}
