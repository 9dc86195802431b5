import { ConsentryError } from '../errors.ts'
import type { Boundary, HeldCommand, Layout, StartCommand } from './boundary.ts'
import { bubblewrapCommand, probeBubblewrap } from './bubblewrap.ts'
import { findLandlockLauncher, landlockCommand } from './landlock.ts'
import { findRoots, layOut, writableOf } from './lay-out.ts'
import type { Machine } from './machine.ts'
import { thisMachine } from './machine.ts'
import { sayGitFolders } from './git-folders.ts'
import { findStartupFiles } from './startup-files.ts'

export interface SandboxOptions {
  /** Default: this one. */
  readonly machine?: Machine | undefined
  /** For tests: only this one is tried. */
  readonly only?: 'bubblewrap' | 'landlock' | undefined
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
  if (machine.platform !== 'linux') throw unavailable(reasons[machine.platform] ?? `there is nothing that could do it on ${machine.platform}`)
  const roots = findRoots(boundary.roots, machine)
  const startup = findStartupFiles(start, { home: boundary.home, writable: writableOf(roots), machine })
  const layout = layOut(boundary, roots, startup.readable, start.cwd, machine)
  const command: StartCommand = { ...start, command: startup.program, env: withoutAgents(start.env) }

  const noBubblewrap =
    only === 'landlock'
      ? 'bubblewrap was not tried'
      : await rememberIf(
          machine,
          `bubblewrap ${boundary.isOffline}`,
          (why) => why === undefined,
          () => probeBubblewrap(boundary.isOffline, machine),
        )
  if (noBubblewrap === undefined) {
    machine.closeInherited()
    const says = [...sayBubblewrap(layout, boundary), ...sayGitFolders(roots, machine)]
    return { ...bubblewrapCommand(command, layout, boundary.isOffline, machine), says, roots, close: () => {} }
  }
  if (only === 'bubblewrap') throw unavailable(noBubblewrap)
  if (boundary.isOffline) throw unavailable(`without bubblewrap nothing can keep it off the network, and ${noBubblewrap}`)
  if (layout.hidden.length > 0)
    throw unavailable(
      `${layout.hidden.join(', ')} would have to be kept from it inside of what it is given. Only bubblewrap can do that, and ${noBubblewrap}. Give it narrower folders`,
    )
  const launcher = await rememberIf(
    machine,
    'landlock',
    (found) => typeof found !== 'string',
    () => findLandlockLauncher(machine),
  )
  if (typeof launcher === 'string') throw unavailable(`${noBubblewrap}, and ${launcher}`)
  const temporary = machine.makeTemporary()
  machine.closeInherited()
  const held = landlockCommand(command, layout, { launcher, architecture: machine.architecture, temporary: temporary.path })
  return { ...held, says: [...sayLandlock(layout, launcher.version, noBubblewrap), ...sayGitFolders(roots, machine)], roots, close: temporary.remove }
}

/** What has worked once in this process works again; what has not is tried anew. */
const known = new WeakMap<Machine, Map<string, unknown>>()

async function rememberIf<Answer>(machine: Machine, question: string, isGood: (answer: Answer) => boolean, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = known.get(machine) ?? new Map<string, unknown>()
  known.set(machine, answers)
  if (answers.has(question)) return answers.get(question) as Answer
  const answer = await ask()
  if (isGood(answer)) answers.set(question, answer)
  return answer
}

const reasons: Readonly<Record<string, string>> = {
  win32: 'Windows has nothing that could do it without rights of an administrator',
  darwin:
    'on macOS it is not part of this version: what there is (sandbox-exec, and packages that are built on it) lets a program read everything by default, and we promise nothing that we have not tested',
}

function unavailable(why: string): ConsentryError {
  return new ConsentryError('SANDBOX_UNAVAILABLE', `The server was not started: it cannot be held to its folders here, because ${why}.`)
}

function withoutAgents(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !AGENTS.test(name)))
}

function sayBubblewrap(layout: Layout, { isOffline }: Boundary): readonly string[] {
  return [
    `held by bubblewrap: ${sayRoots(layout)}. Besides those it can read the system's programs and its own (${sayCount(layout)}), and write only to a temporary folder that is gone with it`,
    'it sees no other process, and no socket that is a file (D-Bus, docker.sock, an ssh agent)',
    isOffline
      ? 'it has no network'
      : 'the network is open to it, with everything that listens on this machine, sockets without a file included (--sandbox roots,offline closes it)',
    ...(layout.hidden.length > 0 ? [`inside of its folders these are shown empty: ${layout.hidden.join(', ')}`] : []),
  ]
}

function sayLandlock(layout: Layout, version: number, why: string): readonly string[] {
  return [
    `held by Landlock, files only (${why}): ${sayRoots(layout)}. Besides those it can read the system's programs and its own (${sayCount(layout)}), and write only to a temporary folder`,
    'Landlock does not stop it from talking to sockets that are files (D-Bus, docker.sock, an ssh agent): whoever answers there can act for it. Install bubblewrap to close that',
    `nor from seeing names and sizes of other files, changing permissions of yours, or using the network${version >= 6 ? '' : '; signals and sockets without a file are open to it too'}`,
  ]
}

function sayRoots({ roots }: Layout): string {
  if (roots.length === 0) return 'it has no folder of yours'
  return roots.map(({ path, access }) => `${path} (${access === 'read' ? 'read only' : 'read and write'})`).join(', ')
}

function sayCount({ readable }: Layout): string {
  const own = readable.filter((path) => !/^\/(?:usr|bin|sbin|lib\w*|etc|nix|gnu)(?:\/|$)/.test(path))
  return own.length === 0 ? 'nothing else' : own.join(', ')
}
