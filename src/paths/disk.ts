import type { Platform } from './place.ts'

/**
 * What is at a path. `identity` is equal for two paths exactly when they lead to one object: device and inode.
 */
export type DiskEntry = DiskObject | { readonly kind: 'link'; readonly target: string } | { readonly kind: DiskFault }

/** Something that is there. */
export interface DiskObject {
  readonly kind: 'folder' | 'file' | 'other'
  readonly identity: string
  readonly device: string
  /** Tells objects apart that have one inode after the other; absent where the device does not say when they were made. */
  readonly born?: string | undefined
  /** Differs when the object's rights have changed; absent where that is not known. */
  readonly changed?: string | undefined
}

/** Why nothing is known of a path: it is not there, the system forbids it, the device does not answer, or it can lead nowhere (a ring of links). */
export type DiskFault = 'missing' | 'denied' | 'unreachable' | 'failed'

/**
 * All that we ask of a disk. Paths are absolute, in the platform's own form.
 * Nothing here rejects: what cannot be found out is a value, so that one bad folder never stops the others.
 */
export interface Disk {
  readonly platform: Platform
  /** What a path leads to, links followed; never a link. */
  inspect(path: string): Promise<DiskEntry>
  /** What the last name itself is, a link included. */
  look(path: string): Promise<DiskEntry>
  /** The path without links, in the spelling of the disk; undefined where it leads nowhere. */
  realPath(path: string): Promise<string | undefined>
  /** Whether a folder can be listed and entered, or a file opened. */
  canRead(path: string, kind: 'folder' | 'file'): Promise<boolean>
  /** The names in a folder. */
  list(path: string): Promise<readonly string[] | undefined>
  /** A whole file as UTF-8; undefined where it cannot be opened, is no file, or holds more than `limit` bytes. */
  readText(path: string, limit: number): Promise<string | undefined>
}
