import { userInfo } from 'node:os'
import { posix, resolve, win32, type PlatformPath } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ConsentryError } from '../errors.ts'

/** What a command gets from the process it runs in. */
export interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  /** Aborted when somebody ends the command from outside (Ctrl-C, SIGTERM): what was started is ended first. */
  readonly interrupted: AbortSignal
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }
}

/** Whether a person sits at this command: they can be shown something, and can type. */
export function hasTerminal({ stdin, stderr }: Place): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** How paths are written on the platform of a command, which in a test need not be this one. */
export function pathsOf({ platform }: Pick<Place, 'platform'>): PlatformPath {
  return platform === 'win32' ? win32 : posix
}

/**
 * A folder that a variable of the environment names. What is empty, or would depend on where a command is run, names none: a project must not bring the user's settings.
 *
 * @see XDG Base Directory Specification: paths that are not absolute are ignored
 */
export function folderIn(place: Pick<Place, 'environment' | 'platform'>, variable: string): string | undefined {
  const path = place.environment[variable]
  return path !== undefined && pathsOf(place).isAbsolute(path) ? path : undefined
}

/** The folder of this user; where the environment does not say it, the one of their account. @throws ConsentryError `USAGE` where nothing says it */
export function homeOf(place: Pick<Place, 'environment' | 'platform'>): string {
  return folderIn(place, 'HOME') ?? folderIn(place, 'USERPROFILE') ?? homeOfAccount()
}

function homeOfAccount(): string {
  try {
    return userInfo().homedir
  } catch (cause) {
    throw new ConsentryError('USAGE', 'It is not known where your files are: set HOME to the path of your home folder.', { cause })
  }
}

/** Where programs keep the settings of this user. */
export function configFolderOf(place: Place): string {
  const paths = pathsOf(place)
  const home = homeOf(place)
  if (place.platform === 'win32') return folderIn(place, 'APPDATA') ?? paths.join(home, 'AppData', 'Roaming')
  if (place.platform === 'darwin') return paths.join(home, 'Library', 'Application Support')
  return folderIn(place, 'XDG_CONFIG_HOME') ?? paths.join(home, '.config')
}

/** `CONSENTRY_HOME`, or `consentry` in the platform's own config folder. */
export function stateFolderOf(place: Place): string {
  const given = place.environment['CONSENTRY_HOME']
  return given ? resolve(place.cwd, given) : pathsOf(place).join(configFolderOf(place), 'consentry')
}
