import { existsSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { stateFolderOf, type Place } from './place.ts'

/** Where everything that the program writes is. */
export interface StateFolder {
  readonly path: string
  readonly configFile: string
  readonly databaseFile: string
  readonly anchorFile: string
  /** Where the running desk can be reached, and the key that lets a wrap ask there. */
  readonly deskFile: string
  /** Held by the running desk. */
  readonly deskLock: string
  /** What a desk said that nobody started by hand. */
  readonly deskLog: string
  /** What a person likes in the console. */
  readonly preferencesFile: string
  /** Pages that open a browser, for a moment each. */
  readonly redirectFolder: string
  /** There where a person once said that they answer in place of a client each time: then wraps ask the desk about every client. */
  readonly takeOverFile: string
  /** Stays empty: told in place of no folders, where a person chooses that. */
  readonly emptyFolder: string
  /** What `install` made of the config files of other clients. */
  readonly installsFile: string
  /** Those files, as they were before. */
  readonly backupFolder: string
}

/** @throws ConsentryError `CONFIG_INVALID` where something else is in its place */
export function openStateFolder(place: Place): StateFolder {
  const path = stateFolderOf(place)
  if (isOther(path)) throw new ConsentryError('CONFIG_INVALID', `the state folder ${path} is no folder: set CONSENTRY_HOME to one`)
  return {
    path,
    configFile: join(path, 'config.jsonc'),
    databaseFile: join(path, 'consentry.db'),
    anchorFile: join(path, 'audit.head'),
    deskFile: join(path, 'desk.json'),
    deskLock: join(path, 'desk.lock'),
    deskLog: join(path, 'desk.log'),
    preferencesFile: join(path, 'preferences.json'),
    redirectFolder: join(path, 'open'),
    takeOverFile: join(path, 'take-over'),
    emptyFolder: join(path, 'nothing'),
    installsFile: join(path, 'installs.json'),
    backupFolder: join(path, 'backups'),
  }
}

/** Whether a desk may know of clients in whose place a person answers: looked at before anything is loaded that could say of which. */
export function mayBeTakenOver(place: Place): boolean {
  return existsSync(openStateFolder(place).takeOverFile)
}

/**
 * What of the state folder others than the user can look into: where it was there before us, its permissions are somebody else's choice, and may be meant.
 * What lies behind a folder that lets nobody through is open to nobody, whatever its own permissions say.
 *
 * @param look tells the permissions of a path
 */
export function openToOthers(
  { path }: Pick<StateFolder, 'path'>,
  { platform }: Pick<Place, 'platform'>,
  look: (path: string) => Stats = statSync,
): readonly string[] {
  if (platform === 'win32') return []
  try {
    const real = realpathSync(path)
    const stats = look(real)
    const before = foldersAbove(real).reduce((passing, folder) => passing & through(look(folder)), THROUGH.group | THROUGH.others)
    const within = before & through(stats)
    const inside = readdirSync(real).flatMap((name) => {
      const file = join(path, name)
      const one = existsSync(file) ? look(file) : undefined
      return one !== undefined && !one.isSocket() && isOpen(one, within) ? [file] : []
    })
    return [...(isOpen(stats, before) ? [path] : []), ...inside]
  } catch {
    return []
  }
}

/** Bits of a mode: to pass through a folder, or to do anything at all, for the group and for everybody else. */
const THROUGH = { group: 0o010, others: 0o001 }
const ANYTHING = { group: 0o070, others: 0o007 }

/** Which of `THROUGH` a folder lets pass. */
function through({ mode, uid }: Stats): number {
  // Its owner, who is somebody else, gets through anyway.
  if (uid !== process.getuid?.() && uid !== 0) return THROUGH.group | THROUGH.others
  return (mode & (THROUGH.group | THROUGH.others) ? THROUGH.group : 0) | (mode & THROUGH.others)
}

function isOpen({ mode }: Stats, passing: number): boolean {
  return ((passing & THROUGH.group) !== 0 && (mode & ANYTHING.group) !== 0) || ((passing & THROUGH.others) !== 0 && (mode & ANYTHING.others) !== 0)
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path)
  return above === path ? [] : [...foldersAbove(above), above]
}

/** Of a folder that is not there yet, the one that it would be made in, or what stands in its way. */
export function nearestAbove(path: string): string {
  const above = dirname(path)
  return above === path || isThere(above) ? above : nearestAbove(above)
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Nothing there is fine: it is made when something is written. What cannot be looked at says why when it is used. */
function isOther(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  } catch {
    return false
  }
}
