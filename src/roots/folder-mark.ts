import type { DiskObject } from '../paths/index.ts'
import type { FolderMark } from './root-entry.ts'

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
