import { emptyConfig, parseConfig, type Config, type ConfigPlace } from '../policy/index.ts'
import type { ConsentryError } from '../errors.ts'
import { privateFiles } from '../store/index.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** The user's config while we run. */
export interface WatchedConfig {
  /** What was last read without a fault. */
  readonly current: Config
  on(event: 'changed', listener: (config: Config) => void): () => void
  on(event: 'broken', listener: (error: ConsentryError) => void): () => void
  close(): void
}

export function configPlaceOf(place: Place): ConfigPlace {
  return { home: homeOf(place), directory: openStateFolder(place).path, platform: place.platform === 'win32' ? 'win32' : 'posix' }
}

/** @throws ConsentryError `CONFIG_INVALID` */
export async function readConfig(place: Place): Promise<Config> {
  const { configFile } = openStateFolder(place)
  const text = await privateFiles.read(configFile)
  return text === undefined ? emptyConfig : parseConfig(text, configFile, configPlaceOf(place))
}
