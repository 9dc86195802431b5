import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
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

/** What of the state folder others than the user can look into: where it was there before us, its permissions are somebody else's choice, and may be meant. */
export function openToOthers({ path }: StateFolder, { platform }: Place): readonly string[] {
  if (platform === 'win32') return []
  try {
    return [path, ...readdirSync(path).map((name) => join(path, name))].filter((one) => {
      const stats = statSync(one, { throwIfNoEntry: false })
      return stats !== undefined && (stats.mode & OF_OTHERS) !== 0 && !stats.isSocket()
    })
  } catch {
    return []
  }
}

const OF_OTHERS = 0o077

/** Nothing there is fine: it is made when something is written. What cannot be looked at says why when it is used. */
function isOther(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  } catch {
    return false
  }
}
