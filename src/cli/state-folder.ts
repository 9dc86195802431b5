import { join } from 'node:path'
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
  /** Stays empty: told in place of no folders, where a person chooses that. */
  readonly emptyFolder: string
}

export function openStateFolder(place: Place): StateFolder {
  const path = stateFolderOf(place)
  return {
    path,
    configFile: join(path, 'config.jsonc'),
    databaseFile: join(path, 'consentry.db'),
    anchorFile: join(path, 'audit.head'),
    deskFile: join(path, 'desk.json'),
    deskLock: join(path, 'desk.lock'),
    deskLog: join(path, 'desk.log'),
    emptyFolder: join(path, 'nothing'),
  }
}
