import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
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
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined }
}

/** Whether a person sits at this command: they can be shown something, and can type. */
export function hasTerminal({ stdin, stderr }: Place): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

export function homeOf({ environment }: Place): string {
  return environment['HOME'] ?? environment['USERPROFILE'] ?? homedir()
}

/** `CONSENTRY_HOME`, or `consentry` in the platform's own config folder. */
export function stateFolderOf(place: Place): string {
  const { environment, platform } = place
  const given = environment['CONSENTRY_HOME']
  if (given !== undefined && given !== '') return resolve(place.cwd, given)
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(homeOf(place), 'AppData', 'Roaming'), 'consentry')
  if (platform === 'darwin') return join(homeOf(place), 'Library', 'Application Support', 'consentry')
  return join(environment['XDG_CONFIG_HOME'] ?? join(homeOf(place), '.config'), 'consentry')
}
