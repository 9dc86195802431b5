import { homedir } from 'node:os'
import { posix, resolve, win32, type PlatformPath } from 'node:path'
import type { Readable, Writable } from 'node:stream'

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

export function homeOf({ environment }: Place): string {
  return environment['HOME'] ?? environment['USERPROFILE'] ?? homedir()
}

/** How paths are written on the platform of a command, which in a test need not be this one. */
export function pathsOf({ platform }: Pick<Place, 'platform'>): PlatformPath {
  return platform === 'win32' ? win32 : posix
}

/** Where programs keep the settings of this user. */
export function configFolderOf(place: Place): string {
  const { environment, platform } = place
  const paths = pathsOf(place)
  const home = homeOf(place)
  if (platform === 'win32') return environment['APPDATA'] || paths.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support')
  return environment['XDG_CONFIG_HOME'] || paths.join(home, '.config')
}

/** `CONSENTRY_HOME`, or `consentry` in the platform's own config folder. */
export function stateFolderOf(place: Place): string {
  const given = place.environment['CONSENTRY_HOME']
  return given ? resolve(place.cwd, given) : pathsOf(place).join(configFolderOf(place), 'consentry')
}
