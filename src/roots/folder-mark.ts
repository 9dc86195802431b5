import { parentOf, pathOf, placeAt, type Disk, type DiskObject } from '../paths/index.ts'
import type { FolderMark } from './root-entry.ts'

/**
 * What a consent to a path is a consent to. A folder is itself. A file is the file of its name in that folder: programs save by putting a new file
 * in the place of the old one. What a link leads to is itself, so that a link in a file's place is another object.
 */
export async function findConsentedObject(path: string, found: DiskObject, disk: Disk): Promise<DiskObject> {
  const parent = found.kind === 'file' ? parentOf(placeAt(path, disk.platform)!) : undefined
  if (!parent) return found
  const [own, folder] = await Promise.all([disk.look(path), disk.inspect(pathOf(parent))])
  if (own.kind !== 'file' || folder.kind !== 'folder') return found
  return { ...folder, kind: 'file', identity: `${folder.identity}/file` }
}

export function markOf({ identity, born }: DiskObject): FolderMark {
  const object = identity.slice(identity.indexOf(':') + 1)
  return born === undefined ? { object } : { object, born }
}

/** Whether two sightings are of one object. */
export function isSameObject(one: DiskObject, other: DiskObject): boolean {
  return one.identity === other.identity && isSameBirth(one, other)
}

/** Whether what lies there is what was marked. */
export function bearsMark(found: DiskObject, mark: FolderMark): boolean {
  return markOf(found).object === mark.object && isSameBirth(found, mark)
}

/** Where the disk does not say, nothing speaks against it. */
function isSameBirth({ born: one }: Pick<FolderMark, 'born'>, { born: other }: Pick<FolderMark, 'born'>): boolean {
  return one === undefined || other === undefined || one === other
}
