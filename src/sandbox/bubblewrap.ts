import type { HeldFolder, Layout, StartCommand } from './boundary.ts'
import type { Machine } from './machine.ts'

const BARE = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev']

/** Whether bubblewrap is here, and may do its work. @returns undefined where it does, else why not */
export async function probeBubblewrap(isOffline: boolean, machine: Machine): Promise<string | undefined> {
  const run = await machine.run('bwrap', [...bare(isOffline), '--ro-bind', '/usr', '/usr', ...linksOfSystem(machine), '--', '/usr/bin/true'])
  if (run === undefined) return 'bubblewrap is not installed'
  return run.code === 0 ? undefined : `bubblewrap cannot work here (${run.output.split('\n')[0] ?? `exit code ${run.code}`})`
}

/** A new view of the file system in which nothing is but what is granted; what lies deeper is laid over what lies above it. */
export function bubblewrapCommand(
  { command, args, env }: StartCommand,
  { roots, readable, hidden, cwd }: Layout,
  isOffline: boolean,
  machine: Machine,
): StartCommand {
  const mounts: readonly Mount[] = [
    { path: '/tmp', args: ['--tmpfs', '/tmp'] },
    ...readable.map((path) => mountReadable(path, machine)),
    ...roots.map(mountRoot),
    ...hidden.map((path): Mount => ({ path, args: machine.kindOf(path) === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path] })),
  ]
  const inOrder = mounts.toSorted((one, other) => depthOf(one.path) - depthOf(other.path))
  return {
    command: 'bwrap',
    args: [
      ...BARE,
      ...(isOffline ? [] : ['--share-net']),
      ...inOrder.flatMap((mount) => mount.args),
      '--remount-ro',
      '/',
      '--chdir',
      cwd ?? '/tmp',
      '--',
      command,
      ...args,
    ],
    env: { ...env, TMPDIR: '/tmp' },
  }
}

/** A network of its own takes the kernel longer than everything else. */
function bare(isOffline: boolean): readonly string[] {
  return isOffline ? BARE : [...BARE, '--share-net']
}

interface Mount {
  readonly path: string
  readonly args: readonly string[]
}

function mountRoot({ path, access }: HeldFolder): Mount {
  return { path, args: [access === 'read' ? '--ro-bind' : '--bind', path, path] }
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
