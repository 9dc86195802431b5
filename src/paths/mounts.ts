import { isWithin, placeAt, type Place, type Platform } from './place.ts'

/** Where something is mounted, and whether it may leave a call without an answer. */
export interface Mount {
  readonly place: Place
  readonly mayHang: boolean
}

/** File systems behind which there is a network, or another program. */
const HANGING = /^(?:nfs|cifs|smb|fuse|ceph|afs|autofs|lustre|gpfs|gluster|ocfs2|ncpfs|davfs|vboxsf|prl_fs)/
/** Where other systems mount what is not theirs. */
const FOREIGN = ['/Volumes', '/Network', '/net']

/** Reads `/proc/self/mountinfo`; what is mounted later covers what was mounted before. @see proc_pid_mountinfo(5) */
export function readMounts(mountInfo: string): readonly Mount[] {
  return mountInfo.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ')
    const point = before?.split(' ')[4]?.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    const place = point === undefined ? undefined : placeAt(point, 'posix')
    return place ? [{ place, mayHang: HANGING.test(after ?? '') }] : []
  })
}

/** Whether the first call to a path may be left without an answer: nobody knows yet on which device it really lies, links followed. */
export function mayHang(path: string, platform: Platform, mounts: readonly Mount[] | undefined): boolean {
  const place = placeAt(path, platform)
  if (!place || platform === 'win32') return place?.host !== undefined && place.host !== ''
  if (!mounts) return FOREIGN.some((foreign) => isWithin(place, placeAt(foreign, platform)!))
  if (!mounts.some((mount) => mount.mayHang)) return false
  const around = mounts.filter((mount) => isWithin(place, mount.place)).toSorted((one, other) => one.place.names.length - other.place.names.length)
  return around.at(-1)?.mayHang ?? false
}
