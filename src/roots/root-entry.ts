import { ConsentryError } from '../errors.ts'
import { readRootPath, readRootUri, type Platform, type Refusal } from '../paths/index.ts'
import type { Phrase } from '../protocol/index.ts'

/** A folder, or a single file, that the user consents to be told: from the config, `--root`, or a grant. */
export interface RootEntry {
  /** As the user wrote it; absolute, or beginning with `~`. */
  readonly path: string
  /** What the server shows in its place. */
  readonly name?: string | undefined
  /** What lay there when a person consented to it. Absent: whatever lies there when we first look. */
  readonly mark?: FolderMark | undefined
  /** See `RootState`. */
  readonly repository?: string | undefined
}

/** A folder that is offered to a person, who may say yes to it, to another one, or to none. */
export interface Proposal extends RootEntry {
  /** Why this folder. */
  readonly why?: Phrase | undefined
}

/** How a folder is known again after a restart, whoever made the paths to it. */
export interface FolderMark {
  /** The inode. Without the device, whose number may be another one after a restart. */
  readonly object: string
  /** Tells folders apart that had one inode after the other; absent where the disk does not say. */
  readonly born?: string | undefined
}

export interface RootOptionContext {
  readonly platform: Platform
  /** What relative paths are resolved against. */
  readonly cwd: string
  readonly home?: string | undefined
}

/** Whatever has a scheme is read as a URI, so that a mistyped one is refused and never taken for a folder. */
const SCHEME = /^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/i

/**
 * Reads what was given as `--root`, or on the command line as a folder: a path, relative to `cwd` or to `~`, or a `file://` URI.
 * Whether it exists is not asked here.
 *
 * @throws ConsentryError `ROOT_INVALID` when no folder can have this name
 */
export function readRootOption(text: string, { platform, cwd, home }: RootOptionContext): RootEntry {
  const typed = SCHEME.test(text) ? readRootUri(text, platform) : readRootPath(text, platform, { home })
  const reading = !typed.ok && typed.problem === 'relative' ? readRootPath(`${cwd}/${text}`, platform) : typed
  if (!reading.ok) throw invalidRoot(text, reading)
  return { path: reading.path }
}

/** The error for a root that no folder can have. */
export function invalidRoot(path: string, { problem, reason }: Refusal): ConsentryError {
  return new ConsentryError('ROOT_INVALID', `${JSON.stringify(path.slice(0, 200))} cannot be a root. ${reason}`, { data: { path, problem } })
}
