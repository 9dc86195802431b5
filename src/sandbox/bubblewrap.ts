import type { HeldFolder, Layout, StartCommand } from './boundary.ts'
import { findHolder, splitEnvironment } from './holder.ts'
import { lookAgain, type Expected } from './look-again.ts'
import { foldersAround, isCovered, writableOf } from './lay-out.ts'
import type { Machine } from './machine.ts'
import { rememberIf, type HoldingWay } from './way.ts'
import { sayHidden, sayReadable, sayRoots } from './say.ts'

const notInstalled = 'bubblewrap is not installed'
const BARE = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev']

/** Whether bubblewrap is here, and may do its work. @param program where it was found @returns undefined where it does, else why not */
export async function probeBubblewrap(program: string | undefined, isOffline: boolean, machine: Machine): Promise<string | undefined> {
  const run =
    program === undefined
      ? undefined
      : await machine.run(program, [...bare(isOffline), '--ro-bind', '/usr', '/usr', ...linksOfSystem(machine), '--', '/usr/bin/true'])
  if (run === undefined) return notInstalled
  return run.code === 0 ? undefined : `bubblewrap cannot work here (${run.output.split('\n')[0] ?? `exit code ${run.code}`})`
}

/** Holds a server by bubblewrap. */
export const holdByBubblewrap: HoldingWay = async ({ start, layout, isOffline, writable, machine }) => {
  const program = findHolder('bwrap', start.env['PATH'] ?? '', writable, machine)
  if (program === undefined) return notInstalled
  const why = await rememberIf(
    machine,
    `bubblewrap ${isOffline} ${program}`,
    (answer) => answer === undefined,
    () => probeBubblewrap(program, isOffline, machine),
  )
  const held = why ?? bubblewrapCommand(program, start, layout, isOffline, machine)
  return typeof held === 'string' ? held : { ...held, says: sayBubblewrap(layout, isOffline), close: () => {} }
}

/** A new view of the file system in which nothing is but what is granted; what lies deeper is laid over what lies above it. @returns why it cannot be made otherwise */
function bubblewrapCommand(
  bubblewrap: string,
  { command, args, env }: StartCommand,
  { roots, readable, identities, hidden, cwd, home }: Layout,
  isOffline: boolean,
  machine: Machine,
): StartCommand | string {
  const mounts: readonly Mount[] = [
    ...['/tmp', ...(home === undefined ? [] : [home])].map((path): Mount => ({ path, args: ['--tmpfs', path] })),
    ...readable.map((path) => mountReadable(path, machine)),
    ...roots.map((root) => mountRoot(root, roots)),
    ...foldersAround([...hidden, ...roots.filter(({ access }) => access === 'read').map(({ path }) => path)], writableOf(roots)).map((path): Mount => ({
      path,
      args: ['--bind', path, path],
    })),
    ...hidden.map((path): Mount => ({ path, args: machine.kindOf(path) === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path] })),
  ]
  const { plain, loading } = splitEnvironment(env)
  const expected = [...identities].map(([path, identity]): Expected => ({
    path,
    identity,
    mayBeGone: roots.some((root) => root.path === path && !isKeptIn(path, roots)),
  }))
  const server = lookAgain({ command, args, cwd }, expected, loading, machine)
  if (server === undefined) return 'bubblewrap needs sh and stat to look at what it was given'
  const inOrder = mounts.toSorted((one, other) => depthOf(one.path) - depthOf(other.path))
  return {
    command: bubblewrap,
    args: [...BARE, ...(isOffline ? [] : ['--share-net']), ...inOrder.flatMap((mount) => mount.args), '--remount-ro', '/', '--chdir', '/tmp', ...server],
    env: { ...plain, TMPDIR: '/tmp' },
  }
}

/** What it enforces, and what it does not. */
function sayBubblewrap(layout: Layout, isOffline: boolean): readonly string[] {
  return [
    `held by bubblewrap: ${sayRoots(layout)}. Besides those it can read the system's programs and settings, and its own (${sayReadable(layout)}), and write only to a temporary folder and an empty home that are gone with it`,
    'it sees no other process, and no socket that is a file (D-Bus, docker.sock, an ssh agent) but what lies in its folders',
    isOffline
      ? 'it has no network'
      : 'the network is open to it, with everything that listens on this machine, sockets without a file included (--sandbox roots,offline closes it)',
    ...sayHidden(layout, 'are shown empty'),
  ]
}

/** A network of its own takes the kernel longer than everything else. */
function bare(isOffline: boolean): readonly string[] {
  return isOffline ? BARE : [...BARE, '--share-net']
}

interface Mount {
  readonly path: string
  readonly args: readonly string[]
}

/**
 * A root that is gone by now is left out, and keeps no other back; a server that would start in it starts elsewhere. Not so inside of a folder that it can write:
 * there it could make anew, to write to, what it was to read only.
 */
function mountRoot({ path, access }: HeldFolder, roots: readonly HeldFolder[]): Mount {
  const bind = access === 'read' ? '--ro-bind' : '--bind'
  if (isKeptIn(path, roots)) return { path, args: [bind, path, path] }
  return { path, args: [`${bind}-try`, path, path] }
}

/** Whether a root lies inside of another one that the server can write. */
function isKeptIn(path: string, roots: readonly HeldFolder[]): boolean {
  return isCovered(path, writableOf(roots.filter((other) => other.path !== path)))
}

/** On most systems `/bin` and the like are links into `/usr`. */
function mountReadable(path: string, machine: Machine): Mount {
  const target = path.split('/').length === 2 ? machine.linkAt(path) : undefined
  return { path, args: target === undefined ? ['--ro-bind', path, path] : ['--symlink', target, path] }
}

function linksOfSystem(machine: Machine): readonly string[] {
  return ['/bin', '/lib', '/lib64'].filter((path) => machine.kindOf(path) !== undefined).flatMap((path) => mountReadable(path, machine).args)
}

function depthOf(path: string): number {
  return path.split('/').length
}
