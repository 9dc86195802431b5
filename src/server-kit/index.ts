export { ConsentryError, type ErrorCode } from '../errors.ts'
export type { Denial, EntryKind, FileAccess, FolderEntry, GuaranteeLevel, ObjectFacts, OpenFile } from '../paths/index.ts'
export type { CallContext } from './call-roots.ts'
export type { FolderOccasion, FolderOptions } from './configured-folders.ts'
export type {
  AtPath,
  CreateOptions,
  FileContent,
  FileOpened,
  FileOptions,
  FolderContent,
  ListOptions,
  Moved,
  OpenOptions,
  PathFacts,
  ReadOptions,
  RemoveOptions,
  RenameOptions,
  ResolvedPath,
  WatchedPath,
  WatchEvent,
  WriteOptions,
} from './file-results.ts'
export type { GuardedFiles } from './guarded-files.ts'
export type { PathTrouble, RootGap } from './refusals.ts'
export { createRootGuard, type RootGuard, type RootGuardOptions, type ToolRefusal } from './root-guard.ts'
export type { AnyServer, RootSource, SdkServer } from './root-source.ts'
