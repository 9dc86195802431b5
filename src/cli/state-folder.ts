import { join } from 'node:path'
import { stateFolderOf, type Place } from './place.ts'

/** Where everything that the program writes is. */
export interface StateFolder {
  readonly path: string
  readonly configFile: string
  readonly databaseFile: string
  readonly anchorFile: string
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
    emptyFolder: join(path, 'nothing'),
  }
}
