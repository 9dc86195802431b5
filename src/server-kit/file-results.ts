import type { FileAccess, FolderEntry, ObjectFacts, OpenFile } from '../paths/index.ts'

/** What each method takes besides its path. */
export interface FileOptions {
  /** Ends the wait for the client's answer; what is done on the disk is done. */
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions extends FileOptions {
  /** A larger file is refused. Default 64 MB. */
  readonly maxBytes?: number | undefined
}

export interface OpenOptions extends FileOptions {
  /** Default `read`. */
  readonly access?: FileAccess | undefined
}

export interface ListOptions extends FileOptions {
  /** Default 10,000. */
  readonly maxEntries?: number | undefined
}

export interface RemoveOptions extends FileOptions {
  readonly recursive?: boolean | undefined
}

export interface WriteOptions extends FileOptions {
  /** Makes the folders above that are not there yet. Default false. */
  readonly parents?: boolean | undefined
}

export interface CreateOptions extends WriteOptions {
  /** Default `file`. */
  readonly kind?: 'file' | 'folder' | undefined
  /** What a new file holds. Default: nothing. */
  readonly data?: string | Uint8Array | undefined
}

export interface RenameOptions extends WriteOptions {
  /** Default false. */
  readonly replace?: boolean | undefined
}

/** Every result names the absolute path that it is about, links followed. */
export interface AtPath {
  readonly path: string
}

export interface ResolvedPath extends AtPath {
  readonly exists: boolean
}

export interface FileContent extends AtPath {
  readonly bytes: Uint8Array
  /** The same as UTF-8. */
  readonly text: string
}

export interface FolderContent extends AtPath {
  /** By name. */
  readonly entries: readonly FolderEntry[]
  /** False where the folder holds more than was read. */
  readonly isWhole: boolean
}

export type PathFacts = AtPath & ObjectFacts
export interface FileOpened extends AtPath {
  /** Yours to close. */
  readonly handle: OpenFile
}

/** `ended`: it is not watched any longer, because it has gone, or is no longer granted. */
export type WatchEvent = { readonly kind: 'changed' | 'ended' } & AtPath

export interface Moved {
  readonly from: string
  readonly to: string
}

export interface WatchedPath extends AtPath {
  /** Safe to call twice. */
  close(): void
}
