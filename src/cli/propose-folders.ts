import { openNodeDisk } from '../paths/index.ts'
import { detectWorkspace, type Proposal } from '../roots/index.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** Projects around the working directory, best first. A folder that nothing speaks for is not proposed, wherever we were started. */
export async function proposeFolders(place: Place): Promise<readonly Proposal[]> {
  const candidates = await detectWorkspace(place.cwd, { disk: openNodeDisk(), home: homeOf(place), state: openStateFolder(place).path })
  return candidates.filter(({ evidence, level }) => evidence.length > 0 && level !== 'block').map(({ path, why }) => ({ path, why }))
}
