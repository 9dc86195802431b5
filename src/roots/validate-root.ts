import { folderConcerns, judgeFolder, readRootPath, type Disk, type FolderConcern, type FolderLevel, type Refusal } from '../paths/index.ts'
import { ConsentedFolder, type FolderState } from './consented-folder.ts'
import { isInGitFolder } from './find-checkouts.ts'
import { findPlace } from './find-real-place.ts'
import type { RootEntry } from './root-entry.ts'

export interface ValidateOptions {
  readonly disk: Disk
  readonly home: string
  /** Where our own config and audit log lie. */
  readonly state?: string | undefined
}

/** What there is to say about a folder before the user consents to it. */
export interface RootValidation extends FolderState {
  readonly ok: true
  readonly level: FolderLevel
  readonly concern?: FolderConcern | undefined
  /** One English sentence to show before consent; absent where there is nothing to warn of. */
  readonly warning?: string | undefined
}

/**
 * Looks at a folder that the user is about to consent to: whether it is there, and whether it needs a second confirmation.
 * A folder that is not there (yet) may be consented to, and is judged by its path.
 */
export async function validateRoot(entry: RootEntry, { disk, home, state }: ValidateOptions): Promise<RootValidation | Refusal> {
  const reading = readRootPath(entry.path, disk.platform, { home })
  if (!reading.ok) return reading
  const [place, homePlace, statePlace] = await Promise.all([reading.path, home, state ?? ''].map((path) => findPlace(path, disk)))
  const seen = await new ConsentedFolder(entry, { disk, home }).look()
  const judgement = judgeFolder(place!, { home: homePlace, state: statePlace })
  const { level, concern } = judgement.level !== 'block' && (await isInGitFolder(place!, disk)) ? ({ level: 'block', concern: 'git-dir' } as const) : judgement
  return { ok: true, ...seen.state, level, concern, warning: concern && folderConcerns[concern] }
}
