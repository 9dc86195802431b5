import type { ConfigPlace } from '../policy/config.ts'
import { ConfigFile } from '../policy/config-file.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

export function configPlaceOf(place: Place): ConfigPlace {
  return { home: homeOf(place), directory: openStateFolder(place).path, platform: place.platform === 'win32' ? 'win32' : 'posix' }
}

/**
 * The user's config, followed while we run; the caller closes it.
 *
 * @param interval milliseconds between two looks at it
 * @throws ConsentryError `CONFIG_INVALID`
 */
export function openConfig(place: Place, interval?: number): Promise<ConfigFile> {
  return ConfigFile.open({ file: openStateFolder(place).configFile, place: configPlaceOf(place), interval })
}
