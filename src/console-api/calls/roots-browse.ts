import { parentOf, pathOf, placeAt, placeBelow, readRootPath } from '../../paths/index.ts'
import { ConsentryError } from '../../errors.ts'
import { detectWorkspace, validateRoot } from '../../roots/index.ts'
import { findRepository } from '../../roots/find-checkouts.ts'
import type { CallNeeds, Handler } from '../call.ts'

const MOST_FOLDERS = 2000
/** So many names are looked at; a folder of millions holds nobody up. */
const MOST_NAMES = 10_000

export function browseFolder({ disk, place }: Pick<CallNeeds, 'disk' | 'place'>): Handler<'roots/browse'> {
  return async (body) => {
    const reading = readRootPath(body.optionalText('path') ?? place.home, disk.platform, { home: place.home })
    const here = reading.ok ? placeAt(reading.path, disk.platform) : undefined
    if (!reading.ok || here === undefined) throw new ConsentryError('ROOT_INVALID', reading.ok ? 'No folder can have this path.' : reading.reason)
    const { path } = reading
    const options = { disk, home: place.home, state: place.stateFolder }
    const [listed, seen, found, repository] = await Promise.all([
      disk.list(path),
      validateRoot({ path }, options),
      detectWorkspace(path, options),
      findRepository(path, disk),
    ])
    const names = listed ?? []
    const looked = names.slice(0, MOST_NAMES)
    const kinds = await Promise.all(looked.map(async (name) => ({ name, kind: (await disk.inspect(pathOf(placeBelow(here, name)))).kind })))
    const folders = kinds
      .filter(({ kind }) => kind === 'folder')
      .map(({ name }) => ({ name, path: pathOf(placeBelow(here, name)), hidden: name.startsWith('.') }))
      .toSorted((one, other) => Number(one.hidden) - Number(other.hidden) || one.name.localeCompare(other.name))
    const parent = parentOf(here)
    const own = found.find((candidate) => candidate.path === path)
    return {
      path,
      ...(parent !== undefined && { parent: pathOf(parent) }),
      folders: folders.slice(0, MOST_FOLDERS),
      more: folders.length > MOST_FOLDERS || names.length > MOST_NAMES,
      ...(listed === undefined && { unlisted: true as const }),
      evidence: own?.evidence ?? [],
      ...(repository !== undefined && { offeredRepository: repository }),
      ...(seen.ok
        ? { status: seen.status, uri: seen.uri, reason: seen.reason, level: seen.level, warning: seen.warning }
        : { status: 'denied' as const, level: 'block' as const }),
    }
  }
}
