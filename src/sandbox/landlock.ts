import type { HeldFolder, Layout, StartCommand } from './boundary.ts'
import { findHolder, splitEnvironment } from './holder.ts'
import { isCovered } from './lay-out.ts'
import { rememberIf, type HoldingWay } from './way.ts'
import { launchHeld, perlLauncher } from './landlock-launchers.ts'
import type { Machine } from './machine.ts'
import { sayReadable, sayRoots } from './say.ts'

/** What may be done below a folder, or to a file. @see landlock(7) */
const EXECUTE = 1n << 0n
const READ = EXECUTE | (1n << 2n) | (1n << 3n)
const WRITE_FILE = 1n << 1n
/** Everything that Linux knows up to version 5 of its interface; what a kernel does not know yet is not asked of it. */
const EVERYTHING = (1n << 16n) - 1n
const BEFORE: Readonly<Record<number, bigint>> = { 3: (1n << 15n) - 1n, 4: (1n << 15n) - 1n }
const DEVICES = (1n << 6n) | (1n << 11n)
/** Abstract sockets and signals to others, from version 6 on. */
const SCOPES = 0b11n
/** Before this version every file could be emptied. */
const LEAST_VERSION = 3
/** What any program may read and write: they lead nowhere. */
const HARMLESS = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']
/** What runtimes read of the machine they run on. */
const MACHINE = [
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/version',
  '/proc/uptime',
  '/proc/loadavg',
  '/proc/filesystems',
  '/proc/sys/vm/overcommit_memory',
  '/sys/devices/system/cpu',
]

/** The number of prctl, by Node's name of the machine; those of Landlock are the same everywhere. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167, riscv64: 167, loong64: 167, ia32: 172, arm: 172, s390x: 172, ppc64: 171 }

/** What a launcher can be made of, where it was found. */
export interface LauncherParts {
  readonly perl: string | undefined
  readonly koffi: string | undefined
}

/** How a program restricts itself and then becomes the server. */
export interface LandlockLauncher {
  readonly command: string
  readonly args: readonly string[]
  /** Of the kernel's interface. */
  readonly version: number
}

/** Holds the files of a server by Landlock. */
export const holdByLandlock: HoldingWay = async ({ start, layout, isOffline, writable, machine }, why) => {
  if (isOffline) return 'Landlock cannot keep it off the network'
  if (layout.hidden.length > 0) return `Landlock cannot keep ${layout.hidden.join(', ')} from it inside of what it is given: give it narrower folders`
  const within = layout.roots.find(({ path, access }) => access === 'read' && isCovered(path, writable))
  if (within) return `Landlock cannot let it only read ${within.path} inside of what it may write: give it narrower folders`
  const perl = findHolder('perl', start.env['PATH'] ?? '', writable, machine)
  const found = machine.findPackage('koffi')
  const koffi = found === undefined || isCovered(found, writable) ? undefined : found
  const launcher = await rememberIf(
    machine,
    `landlock ${perl} ${koffi}`,
    (answer) => typeof answer !== 'string',
    () => findLandlockLauncher({ perl, koffi }, machine),
  )
  if (typeof launcher === 'string') return launcher
  const temporary = machine.makeTemporary()
  const held = landlockCommand(start, layout, { launcher, architecture: machine.architecture, temporary: temporary.path })
  return { ...held, says: sayLandlock(layout, launcher.version, why.join(', and ')), close: temporary.remove }
}

/**
 * Finds what can set up Landlock before the server starts: Perl, which nearly every Linux has and which is there at once, or Node with koffi.
 *
 * @returns why not, where nothing can
 */
export async function findLandlockLauncher({ perl, koffi }: LauncherParts, machine: Machine): Promise<LandlockLauncher | string> {
  if (PRCTL[machine.architecture] === undefined) return `Landlock is not set up on ${machine.architecture} machines`
  const candidates = [
    ...(perl === undefined ? [] : [{ command: perl, args: ['-e', perlLauncher] }]),
    ...(koffi === undefined ? [] : [{ command: process.execPath, args: nodeLauncher(koffi) }]),
  ]
  for (const { command, args } of candidates) {
    const run = await machine.run(command, [...args, 'version'])
    if (run?.code !== 0) continue
    const version = Number(run.output)
    if (version >= LEAST_VERSION) return { command, args, version }
    return version > 0 ? `this kernel's Landlock is too old (version ${version} of ${LEAST_VERSION})` : 'this kernel has no Landlock, or it is switched off'
  }
  return 'Landlock needs Perl, or the package koffi (npm install koffi)'
}

/** For tests, and where there is no Perl. */
export function nodeLauncher(koffi: string): readonly string[] {
  return ['-e', `(${launchHeld.toString()})(require, ${JSON.stringify(koffi)}, process['argv'].slice(1))`, '--']
}

interface LandlockCommandOptions {
  readonly launcher: LandlockLauncher
  readonly architecture: string
  /** A folder of the server's own. */
  readonly temporary: string
}

/** The same command behind a launcher that gives up all other files for good, and then becomes it. */
function landlockCommand(
  { command, args, env, cwd }: StartCommand,
  { roots, readable, identities }: Layout,
  { launcher, architecture, temporary }: LandlockCommandOptions,
): StartCommand {
  const known = BEFORE[launcher.version] ?? EVERYTHING
  const write = known & ~DEVICES
  const rules = [
    ...[...readable, ...MACHINE].map((path) => ({ path, access: READ })),
    ...roots.map(({ path, access }: HeldFolder) => ({ path, access: access === 'read' ? READ : write })),
    ...HARMLESS.map((path) => ({ path, access: READ | WRITE_FILE })),
    { path: temporary, access: write },
  ]
  const { plain, loading } = splitEnvironment(env)
  const scopes = launcher.version >= 6 ? SCOPES : 0n
  return {
    command: launcher.command,
    args: [
      ...launcher.args,
      String(PRCTL[architecture]),
      String(known),
      String(scopes),
      String(rules.length),
      String(loading.length),
      ...rules.flatMap(({ path, access }) => [String(access & known), path, identities.get(path) ?? '']),
      ...loading.flat(),
      command,
      ...args,
    ],
    env: { XDG_CACHE_HOME: `${temporary}/cache`, npm_config_cache: `${temporary}/npm`, ...plain, TMPDIR: temporary },
    cwd,
  }
}

/** The same for Landlock. @param why it is not bubblewrap */
function sayLandlock(layout: Layout, version: number, why: string): readonly string[] {
  return [
    `held by Landlock, files only (${why}): ${sayRoots(layout)}. Besides those it can read the system's programs and settings, and its own (${sayReadable(layout)}), and write only to a temporary folder`,
    'Landlock does not stop it from talking to sockets that are files (D-Bus, docker.sock, an ssh agent): whoever answers there can act for it. Install bubblewrap to close that',
    `nor from seeing names and sizes of other files, changing permissions of yours, or using the network${version >= 6 ? '' : '; signals and sockets without a file are open to it too'}`,
  ]
}
